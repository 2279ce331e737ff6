"""Annotators of published data: never stored under an id that identifies a person.

Some files contain the ids of a recruiting site, others numbers that replace these. A short number is anonymous already
and is stored, so that an export can write it again. Any other id is replaced by a keyed hash: the same for the same
person on one site, and safe against trying ids.
"""

import hashlib
import hmac
import re

from ..site.secret_key import secret_key
from .problems import BadRecord

_ANONYMOUS = re.compile(r"[0-9]{1,6}|anon-[0-9a-f]{12}")


def anonymize(annotator: str) -> str:
    """Return the pseudonym to store for this annotator. Raise BadRecord if a missing key is needed."""
    if not annotator or _ANONYMOUS.fullmatch(annotator):
        return annotator
    if not (secret := secret_key()):
        raise BadRecord("an annotator's id may lead to a person and SECRET_KEY, which hides it, is not set; set it")
    digest = hmac.digest(secret.encode(), f"factuary.annotator:{annotator}".encode(), hashlib.sha256)
    return f"anon-{digest.hex()[:12]}"


def rater_name(annotator: str) -> str:
    """Return the user name for an annotator's ratings."""
    return f"expert-{hashlib.sha256(f'factuary.rater:{anonymize(annotator)}'.encode()).hexdigest()[:12]}"
