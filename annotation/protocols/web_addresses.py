"""Web addresses that raters enter, one per line: their form is checked, they are never fetched.

`static/js/shared/protocol.js` has the same code; change both. The form is one pattern, because the URL parsers of
Python and of browsers disagree on odd addresses, which are most likely typing errors. Only http and https, so that a
link cannot run code; no user name before an @, which hides the host; a host with a dot, so that others can open it too.
"""

import re

from .translation import translatable

MAX_ADDRESS_LENGTH = 2_000
_ECHO = 60

# Not allowed in addresses: control characters, white space, marks that change the text direction, < > and ".
_NEVER = '\x00-\x20\x7f-\xa0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff<>"'
_LABEL = f"[^{_NEVER}./?#@:%\\[\\]\\\\]+"
_HOST = f"(?:{_LABEL}(?:\\.{_LABEL})+\\.?|\\[[0-9A-Fa-f:.]+\\])"
_ADDRESS = re.compile(f"[Hh][Tt][Tt][Pp][Ss]?://{_HOST}(?::[0-9]{{1,5}})?(?:[/?#][^{_NEVER}]*)?")


def addresses(text: str) -> list[str]:
    """Return the lines of an answer, without blank ones and without spaces at their ends."""
    lines = (line.strip(" \t\r") for line in text.split("\n"))
    return [line for line in lines if line]


def is_address(line: str) -> bool:
    """Return whether it is a web address that may be made a link."""
    return len(line) <= MAX_ADDRESS_LENGTH and _ADDRESS.fullmatch(line) is not None


def address_problems(text: str) -> list[str]:
    """Return the problems of an answer of web addresses, one message for each invalid line."""
    return [_message(number, line) for number, line in enumerate(addresses(text), 1) if not is_address(line)]


def _message(number: int, line: str) -> str:
    if len(line) > MAX_ADDRESS_LENGTH:
        values = {"n": number, "length": len(line), "most": MAX_ADDRESS_LENGTH}
        return translatable("Address %(n)s has %(length)s characters; at most %(most)s are allowed.", **values)
    excerpt = line[:_ECHO]
    return translatable(
        "Address %(n)s, '%(address)s', is not a web address: it must start with http:// or https:// and have no space.",
        n=number, address=excerpt,
    )  # fmt: skip
