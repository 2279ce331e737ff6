"""Prompt templates of judges and generators: their placeholders, and the fence around what is shown.

A fence is a line that no text of a request has, so that no text can end where it stands in a prompt and go on as
instructions. Pure Python. The same texts give the same fence: equal requests stay equal, and their answers can be
reused.
"""

import hashlib
from collections.abc import Collection, Mapping
from itertools import count
from string import Template

from .errors import ModelError

FENCE = "fence"
"""The placeholder of a template for the fence."""
_LENGTH = 16


def fence_for(texts: Collection[str]) -> str:
    """Return a word that is in none of the texts. It depends on the first one as long as no other contains it:
    requests about one document begin alike, which endpoints charge less for.
    """
    first = next(iter(texts))
    hashes = (hashlib.sha256(f"{number}\n{first}".encode("utf-8", "replace")) for number in count())
    words = (each.hexdigest()[:_LENGTH] for each in hashes)
    return next(word for word in words if not any(word in text.lower() for text in texts))


def fill(template: str, texts: Mapping[str, str], **own_texts: str) -> str:
    """Return the template with these texts, fenced by a word that none has, and with what needs no fence."""
    return Template(template).substitute(texts, **own_texts, fence=fence_for(texts.values()))


def check_placeholders(template: str, needed: Collection[str], optional: Collection[str], field: str) -> None:
    """Raise ModelError about this field unless the template has the placeholders that are needed, and none but these
    and the fence.
    """
    parsed = Template(template)
    names = set(parsed.get_identifiers()) if parsed.is_valid() else {"$"}
    if names - {*needed, *optional, FENCE} or not names.issuperset(needed):
        must, may = (", ".join(f"${name}" for name in sorted(each)) for each in (needed, [*optional, FENCE]))
        raise ModelError(
            f"the text needs the placeholders {must}, may have {may}, and no others; $$ is a dollar sign", field
        )
