"""The user of each annotator of another tool, or of published data.

A mapping names users by annotator, as the tool's reader names these: `{"label-studio-7": "maria"}`. Annotators without
an entry are users of their own names, in which hyphens replace what a user name cannot have. Models that rate are not
annotators, but users of their names in the same way. Two of them are never one user unless the mapping says so.

Annotators of published data are never stored under an id that identifies a person. Some files contain the ids of a
recruiting site, others numbers that replace these. A short number is anonymous already and is stored, so that an export
can write it again. Any other id is replaced by a keyed hash: the same for the same person on one site, and safe against
trying ids.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping
from typing import Any
from unicodedata import normalize

from django.db.models import Q

from ..accounts.names import PersonError, valid_username
from ..jobs import PROBLEMS_SHOWN, Refused
from ..models import User
from ..models.user_names import LONGEST_SPELLING, MAX_NAME_LENGTH, name_key
from ..site.secret_key import secret_key
from .column_mapping import check_mapping
from .problems import BadRecord, ascii_safe, echo

Annotators = Mapping[str, str]
_ANONYMOUS = re.compile(r"[0-9]{1,6}|anon-[0-9a-f]{12}")
_VALID_NAME, _NOT_IN_NAMES = re.compile(r"[\w.@+-]+"), re.compile(r"[^\w.@+-]+")


def annotators_from(mapping: Any) -> dict[str, str]:
    """Return the mapping in `mapping`: an object of user names by annotator. Raise Refused."""
    if not isinstance(mapping, dict) or not all(isinstance(user, str) for user in mapping.values()):
        raise Refused(["the annotator mapping must be an object that names a user for each annotator"])
    check_mapping(mapping)
    return {annotator: user.strip() for annotator, user in mapping.items()}


def annotators_of_arguments(pairs: Iterable[str]) -> dict[str, str]:
    """Return the mapping in `annotator=user` texts of a command line. Raise Refused."""
    mapping: dict[str, str] = {}
    for pair in pairs:
        annotator, _equals, user = pair.rpartition("=")
        if not annotator:
            raise Refused([f"--annotator {pair}: write --annotator ANNOTATOR=USER"])
        mapping[annotator] = user
    return mapping


def user_name(annotator: str) -> str:
    """Return the user name of an annotator or a model without an entry; it may be empty, which no user name is."""
    name = normalize("NFC", annotator[:LONGEST_SPELLING])
    is_valid = _VALID_NAME.fullmatch(name) and len(name) <= MAX_NAME_LENGTH
    return name if is_valid else _NOT_IN_NAMES.sub("-", name).strip("-")[:MAX_NAME_LENGTH]


def users_of(mapping: Annotators, raters: Iterable[str], models: Iterable[str] = ()) -> dict[str, str]:
    """Return the user name of each annotator and model in the files; an entry may call an annotator by its user name.
    Raise Refused where two would be one user because their names differ in little: nothing could tell their answers
    apart. Entries with another name may do so.
    """
    people, judges = dict.fromkeys(raters), dict.fromkeys(models)
    names = people | judges
    owns = {name: user_name(name) for name in [*mapping, *names]}
    users: dict[str, str] = {}
    for name in names:
        own = owns[name]
        users[name] = mapping.get(name) or (own if own in names else mapping.get(own, own))
    owners: dict[str, str] = {}
    problems = [_is_a_model(name, name) for name in people.keys() & judges.keys()]
    for name, user in {**mapping, **users}.items():
        owner = owners.setdefault(name_key(user), name) if user == owns[name] else name
        remedy = "name another user (--annotator ANNOTATOR=USER)"
        if name in judges:
            remedy = "give the model another name in the files"
        try:
            valid_username(user)
        except PersonError as error:
            problems.append(f"annotator {echo(name)}: {error}; {remedy}")
            continue
        if name != owner and not are_accounts(user, user_name(owner)):
            problems.append(f"annotators {echo(owner)} and {echo(name)} would both be user {user!r}; {remedy}")
    if problems:
        raise Refused(problems[:PROBLEMS_SHOWN])
    return users


def _is_a_model(annotator: str, user: str) -> str:
    return f"annotator {echo(annotator)}: {echo(user)} is a model of the files; choose another user"


def other_names(users: Annotators) -> dict[str, str]:
    """Return the users whose names are not those of their annotators, by annotator."""
    return {annotator: user for annotator, user in users.items() if user != annotator}


def check_annotators(mapping: Annotators, raters: Iterable[str], models: Iterable[str]) -> dict[str, str]:
    """Return the mapping. Raise Refused for annotators who are not in the files, and for users that cannot exist or are
    one of the `models`, whose predictions are in the same files."""
    names, judges = set(raters), {name_key(user_name(model)) for model in models}
    valid_names = names | {user_name(name) for name in names}
    problems: list[str] = []
    for annotator, user in mapping.items():
        if annotator not in valid_names:
            listed = ", ".join(map(ascii_safe, sorted(names)[:30])) or "none"
            problems.append(f"there is no annotator {echo(annotator)} in the files; they have: {listed}")
            continue
        if name_key(user) in judges:
            problems.append(_is_a_model(annotator, user))
            continue
        try:
            valid_username(user)
        except PersonError as error:
            problems.append(f"annotator {echo(annotator)}: {error}")
    if problems:
        raise Refused(problems[:PROBLEMS_SHOWN])
    return dict(mapping)


def are_accounts(spelling: str, other: str) -> bool:
    """Return whether two spellings of a name are two accounts, from before a name had one account only."""
    return User.objects.filter(Q(username__in=(spelling, other)) | Q(original_name__in=(spelling, other))).count() > 1


def shown_spelling(name: str, other: str) -> str:
    """Return a name for a message, escaped where it looks like the other one."""
    return ascii(name) if normalize("NFC", name) == normalize("NFC", other) else echo(name)


def anonymize(annotator: str) -> str:
    """Return the pseudonym to store for this annotator. Raise BadRecord if a missing key is needed."""
    if not annotator or _ANONYMOUS.fullmatch(annotator):
        return annotator
    if not (secret := secret_key()):
        raise BadRecord("an annotator's id may lead to a person and SECRET_KEY, which hides it, is not set; set it")
    digest = hmac.digest(secret.encode(), f"factuary.annotator:{annotator}".encode(), hashlib.sha256)
    return f"anon-{digest.hex()[:12]}"


def published_rater_name(annotator: str) -> str:
    """Return the user name for an annotator's ratings."""
    return f"expert-{hashlib.sha256(f'factuary.rater:{anonymize(annotator)}'.encode()).hexdigest()[:12]}"
