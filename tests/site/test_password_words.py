import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from annotation.site.password_words import SiteWordsValidator, words_of_site

SITE = ("https://rating.uni.example:8443/", "Acme Labs, ACME,")


def test_the_words_are_those_of_the_program_the_address_and_the_setting() -> None:
    assert set(words_of_site(*SITE)) == {"factuary", "rating", "example", "acme labs", "acme"}
    assert words_of_site("http://localhost:8000", "") == ["localhost", "factuary"]


def test_a_password_of_such_words_is_refused_and_one_with_more_is_taken() -> None:
    for password in ("Factuary2026", "acme labs 2026!", "rating-example", "ACMEfactuary99"):
        with pytest.raises(ValidationError):
            SiteWordsValidator(*SITE).validate(password)
    for password in ("factuary turbid terns", "celebrating terns", "82736450197364"):
        SiteWordsValidator(*SITE).validate(password)
    with pytest.raises(ValidationError, match="name of this program or site"):
        validate_password("factuary-demo")  # the site uses the rule


def test_signs_in_a_word_have_no_meaning_in_the_pattern() -> None:
    rule = SiteWordsValidator("http://localhost:8000", "c++ (lab")
    with pytest.raises(ValidationError):
        rule.validate("C++ (LAB2026")
    rule.validate("cccc lab 2026")
