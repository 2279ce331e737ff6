"""Entries of a search result, and how words match them."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MAX_LENGTH = 200  # characters of a query
MAX_ENTRIES = 8  # of a group


@dataclass(frozen=True)
class Entry:
    """A link. `detail` distinguishes entries with the same label, such as by project. `synonyms` find it, too."""

    label: str
    detail: str
    url: str
    synonyms: str = ""


@dataclass(frozen=True)
class Group:
    """Entries of one kind, the best first."""

    label: str
    entries: list[Entry]


def words_of(query: str) -> list[str]:
    """Return the words of a query."""
    return query.replace("\x00", "")[:MAX_LENGTH].split()


def fold(text: str) -> str:
    """Return the text without case and accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def label_words(label: str, words: Sequence[str]) -> int:
    """Return how many of the words occur in the label; one that begins a word of it counts twice."""
    folded = f" {fold(label)}"
    return sum((fold(word) in folded) + (f" {fold(word)}" in folded) for word in words)


def contains_words(text: str, words: Iterable[str]) -> bool:
    """Return whether each of the words occurs in the text, without regard to case and accents."""
    folded = fold(text)
    return all(fold(word) in folded for word in words)
