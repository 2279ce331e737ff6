"""Words that passwords must not consist of: the program's name, those of the site's address, and PASSWORD_WORDS."""

import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

NAME = "factuary"
MIN_LENGTH = 4  # of a word of the address
MIN_REST = 8  # characters beside the words


def words_of_site(site_url: str, more: str) -> list[str]:
    """Return the words of an address such as https://rate.uni.example and of a list with commas; the longest first."""
    host = re.sub(r"^\w+://|[:/].*$", "", site_url)
    words = {NAME, *(word for word in host.lower().split(".") if len(word) >= MIN_LENGTH)}
    return sorted(words | {word.strip().lower() for word in more.split(",") if word.strip()}, key=len, reverse=True)


class SiteWordsValidator:
    """Refuses a password with such a word and less than MIN_REST characters beside."""

    def __init__(self, site_url: str, more: str = "") -> None:
        words = words_of_site(site_url, more)
        self.pattern = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)

    def validate(self, password: str, _user: object = None) -> None:
        """Raise ValidationError if the password is little more than a word of this site."""
        if self.pattern.search(password) and len(self.pattern.sub("", password)) < MIN_REST:
            raise ValidationError(self.get_help_text(), code="password_site_word")

    def get_help_text(self) -> str:
        return _("The password must be more than the name of this program or site and a few characters.")
