"""Annotators of published data: never stored under an id that leads to a person.

Some files hold the ids that a recruiting site gave its people, others numbers that stand for these. A short number is
anonymous already and is kept, so that an export can write it again. Any other id is replaced by a keyed hash: the same
for the same person on one site, and not to be found by trying ids.
"""

import hashlib
import hmac
import re

from django.utils.translation import gettext as _

from ..site.secret_key import secret_key
from .problems import BadRecord

_ANONYMOUS = re.compile(r"[0-9]{1,6}|anon-[0-9a-f]{12}")


def anonymize(annotator: str) -> str:
    """Return the pseudonym that is stored for this annotator. Raise BadRecord if it needs a key and there is none."""
    if not annotator or _ANONYMOUS.fullmatch(annotator):
        return annotator
    if not (secret := secret_key()):
        raise BadRecord(_("an annotator's id may lead to a person and SECRET_KEY, which hides it, is not set; set it"))
    digest = hmac.digest(secret.encode(), f"factuary.annotator:{annotator}".encode(), hashlib.sha256)
    return f"anon-{digest.hex()[:12]}"


def rater_name(annotator: str) -> str:
    """Return the user name that an annotator's ratings are stored under."""
    return f"expert-{hashlib.sha256(f'factuary.rater:{anonymize(annotator)}'.encode()).hexdigest()[:12]}"
