"""Lines that no text of a request has, so that no text can end where it stands in a prompt and go on as instructions.

Pure Python. The same texts give the same fence: equal requests stay equal, and their answers can be reused.
"""

import hashlib
from collections.abc import Sequence
from itertools import count

FENCE = "fence"
"""The placeholder of a template for the fence."""
_LENGTH = 16


def fence_for(texts: Sequence[str]) -> str:
    """Return a word that is in none of the texts. It depends on the first one as long as no other contains it:
    requests about one document begin alike, which endpoints charge less for.
    """
    hashes = (hashlib.sha256(f"{number}\n{texts[0]}".encode("utf-8", "replace")) for number in count())
    words = (each.hexdigest()[:_LENGTH] for each in hashes)
    return next(word for word in words if not any(word in text.lower() for text in texts))
