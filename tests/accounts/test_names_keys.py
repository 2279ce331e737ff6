from collections.abc import Callable

import pytest

from annotation.accounts.names import PersonError, valid_username
from annotation.accounts.sign_in_limits import Attempt
from annotation.accounts.sign_ins import account_named
from annotation.importing.annotator_mapping import user_name
from annotation.models import User
from annotation.models.user_names import name_key
from annotation.projects.invitations import own_role_problem
from annotation.pseudonyms import stored_name
from annotation.retrieval.passage_ranking import words_in
from tests.cpu_time import cpu_seconds

MARKS = "a" + "\u0301\u0316" * 40_000
"""A text that takes a minute to normalize."""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Nora", "nora"),
        ("ＮＯＲＡ", "nora"),
        ("strauß", "STRAUSS"),
        ("jose\u0301", "José"),
        ("ﬁona", "FIONA"),
        ("ΣΟΦΙΑΣ", "σοφιας"),
        ("nora²", "nora2"),
    ],
)
def test_spellings_of_one_name_have_one_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(("one", "other"), [("ılgaz", "ilgaz"), ("jose", "josé"), ("nora-1", "nora_1"), ("o", "0")])
def test_other_names_have_other_keys(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


def refused(name: str) -> None:
    with pytest.raises(PersonError, match="is too long"):
        valid_username(name)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "read",
    [
        account_named,
        refused,
        stored_name,
        user_name,
        words_in,
        lambda name: User.objects.with_same_key(name).exists(),
        lambda name: Attempt.of(None, name, "192.0.2.1", ""),
        lambda name: own_role_problem([name], User(username="lena")),
    ],
)
def test_a_long_text_from_outside_takes_no_long_time(read: Callable[[str], object]) -> None:
    assert cpu_seconds(read, MARKS) < 2


def test_a_decomposed_spelling_of_a_name_may_be_longer_than_the_name() -> None:
    assert valid_username("a\u0323\u0302" * 150) == "ậ" * 150
