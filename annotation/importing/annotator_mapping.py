"""Annotator mappings: the user of each annotator of another tool.

A mapping names users by annotator, as the tool's reader names these: `{"label-studio-7": "maria"}`. Annotators without
an entry are users of their own names, in which hyphens replace what a user name cannot have. Models that rate are not
annotators, but users of their names in the same way. Two of them are never one user unless the mapping says so.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any
from unicodedata import normalize

from django.db.models import Q

from ..accounts.names import PersonError, valid_username
from ..jobs import PROBLEMS_SHOWN, Refused
from ..models import User
from ..models.user_names import LONGEST_SPELLING, MAX_NAME_LENGTH, name_key
from .column_mapping import check_mapping
from .problems import ascii_safe, echo

Annotators = Mapping[str, str]
_NAME_A_USER = "name another user (--annotator ANNOTATOR=USER)"
_RENAME_MODEL = "give the model another name in the files"
_IS_A_MODEL = "annotator %(annotator)s: %(user)s is a model of the files; choose another user"
_VALID_NAME, _NOT_IN_NAMES = re.compile(r"[\w.@+-]+"), re.compile(r"[^\w.@+-]+")


def annotators_from(mapping: Any) -> dict[str, str]:
    """Return the mapping in `mapping`: an object of user names by annotator. Raise Refused."""
    is_object_of_texts = isinstance(mapping, dict) and all(isinstance(user, str) for user in mapping.values())
    if not is_object_of_texts:
        raise Refused(["the annotator mapping must be an object that names a user for each annotator"])
    check_mapping(mapping)
    return {annotator: user.strip() for annotator, user in mapping.items()}


def annotators_of_arguments(pairs: Iterable[str]) -> dict[str, str]:
    """Return the mapping in `annotator=user` texts of a command line. Raise Refused."""
    mapping: dict[str, str] = {}
    for pair in pairs:
        annotator, equals, user = pair.rpartition("=")
        if not equals or not annotator:
            raise Refused([f"--annotator {pair}: write --annotator ANNOTATOR=USER"])
        mapping[annotator] = user
    return mapping


def user_name(annotator: str) -> str:
    """Return the user name of an annotator or a model without an entry; it may be empty, which no user name is."""
    name = normalize("NFC", annotator[:LONGEST_SPELLING])
    is_valid = _VALID_NAME.fullmatch(name) and len(name) <= MAX_NAME_LENGTH
    return name if is_valid else _NOT_IN_NAMES.sub("-", name).strip("-")[:MAX_NAME_LENGTH]


def users_of(mapping: Annotators, found: Iterable[str], models: Iterable[str] = ()) -> dict[str, str]:
    """Return the user name of each annotator and model in the files; an entry may call an annotator by its user name.
    Raise Refused where two would be one user because their names differ in little: nothing could tell their answers
    apart. Entries with another name may do so.
    """
    people, judges = dict.fromkeys(found), dict.fromkeys(models)
    names = people | judges
    owns = {name: user_name(name) for name in [*mapping, *names]}
    users: dict[str, str] = {}
    for name in names:
        own = owns[name]
        users[name] = mapping.get(name) or (own if own in names else mapping.get(own, own))
    owners: dict[str, str] = {}
    problems = [
        str(_IS_A_MODEL) % {"annotator": echo(name), "user": echo(name)} for name in people.keys() & judges.keys()
    ]
    for name, user in {**mapping, **users}.items():
        owner = owners.setdefault(name_key(user), name) if user == owns[name] else name
        remedy = _RENAME_MODEL if name in judges else _NAME_A_USER
        if problem := _problem_of(name, owner, user, remedy):
            problems.append(problem)
    if problems:
        raise Refused(problems[:PROBLEMS_SHOWN])
    return users


def _problem_of(name: str, owner: str, user: str, remedy: object) -> str:
    """Return why the annotator cannot be this user, which `owner` is; "" if it can."""
    try:
        valid_username(user)
    except PersonError as error:
        message = "annotator %(annotator)s: %(error)s; %(remedy)s"
        return message % {"annotator": echo(name), "error": error, "remedy": remedy}
    if name == owner or are_accounts(user, user_name(owner)):
        return ""
    message = "annotators %(first)s and %(second)s would both be user %(user)s; %(remedy)s"
    return message % {"first": echo(owner), "second": echo(name), "user": repr(user), "remedy": remedy}


def other_names(users: Annotators) -> dict[str, str]:
    """Return the users whose names are not those of their annotators, by annotator."""
    return {annotator: user for annotator, user in users.items() if user != annotator}


def check_annotators(mapping: Annotators, found: Iterable[str], models: Iterable[str]) -> dict[str, str]:
    """Return the mapping. Raise Refused for annotators who are not in the files, and for users that cannot exist or are
    one of the `models`, whose predictions are in the same files."""
    names, judges = set(found), {name_key(user_name(model)) for model in models}
    known = names | {user_name(name) for name in names}
    problems: list[str] = []
    for annotator, user in mapping.items():
        if annotator not in known:
            listed = ", ".join(map(ascii_safe, sorted(names)[:30])) or "none"
            problems.append(f"there is no annotator {echo(annotator)} in the files; they have: {listed}")
            continue
        if name_key(user) in judges:
            problems.append(str(_IS_A_MODEL) % {"annotator": echo(annotator), "user": echo(user)})
            continue
        try:
            valid_username(user)
        except PersonError as error:
            problems.append(f"annotator {echo(annotator)}: {error}")
    if problems:
        raise Refused(problems[:PROBLEMS_SHOWN])
    return dict(mapping)


def are_accounts(one: str, other: str) -> bool:
    """Return whether two spellings of a name are two accounts, from before a name had one account only."""
    return User.objects.filter(Q(username__in=(one, other)) | Q(original_name__in=(one, other))).count() > 1


def shown_spelling(name: str, other: str) -> str:
    """Return a name for a message, escaped where it looks like the other one."""
    return ascii(name) if normalize("NFC", name) == normalize("NFC", other) else echo(name)
