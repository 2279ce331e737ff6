"""Downloads are in English, whatever the page's language: the same data give the same bytes.

Frozen reports, their tables and figures, exports and bundles are made with these functions; pages are not.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import ParamSpec, TypeVar

from django.utils.formats import get_format
from django.utils.translation import override

ENGLISH = "en-us"

P = ParamSpec("P")
T = TypeVar("T")


def in_english(make: Callable[P, T]) -> Callable[P, T]:
    """Return a function whose result has English words and signs. For one that yields, see `english_pieces`."""

    @wraps(make)
    def made(*args: P.args, **kwargs: P.kwargs) -> T:
        with override(ENGLISH):
            return make(*args, **kwargs)

    return made


def english_pieces(pieces: Iterable[T]) -> Iterator[T]:
    """Yield the same pieces, each made in English; the reader's language is active between them."""
    iterator = iter(pieces)
    while True:
        with override(ENGLISH):
            try:
                piece = next(iterator)
            except StopIteration:
                return
        yield piece


def localized(text: str) -> str:
    """Replace the separators of a number in Python's format, `1,204.5 s`, by those of the active language; unchanged if
    the decimal sign is a point.
    """
    decimal = str(get_format("DECIMAL_SEPARATOR"))
    if decimal == ".":
        return text
    return text.translate({ord(","): str(get_format("THOUSAND_SEPARATOR")), ord("."): decimal})
