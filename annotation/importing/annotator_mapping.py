"""Annotator mappings: the user of each annotator of another tool.

A mapping names users by annotator, as the tool's reader names these: `{"label-studio-7": "maria"}`. Annotators without
an entry are users of their own names. Models that rate are not annotators.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from ..accounts.users import PersonError, check_username
from ..jobs import PROBLEMS_SHOWN, Refused
from .problems import echo

Annotators = Mapping[str, str]


def annotators_from(mapping: Any) -> dict[str, str]:
    """Return the mapping in `mapping`: an object of user names by annotator. Raise Refused."""
    is_object_of_texts = isinstance(mapping, dict) and all(isinstance(user, str) for user in mapping.values())
    if not is_object_of_texts:
        raise Refused([_("the annotator mapping must be an object that names a user for each annotator")])
    return {annotator: user.strip() for annotator, user in mapping.items()}


def annotators_of_arguments(pairs: Iterable[str]) -> dict[str, str]:
    """Return the mapping in `annotator=user` texts of a command line. Raise Refused."""
    mapping: dict[str, str] = {}
    for pair in pairs:
        annotator, equals, user = pair.rpartition("=")
        if not equals or not annotator:
            message = _("--annotator %(pair)s: write --annotator ANNOTATOR=USER")
            raise Refused([message % {"pair": pair}])
        mapping[annotator] = user
    return mapping


def check_annotators(mapping: Annotators, found: Iterable[str], models: Iterable[str]) -> dict[str, str]:
    """Return the entries that name another user. Raise Refused for annotators who are not in the files, and for users
    that cannot exist or are one of the `models`, whose predictions are in the same files."""
    names, judges = set(found), set(models)
    problems: list[str] = []
    for annotator, user in mapping.items():
        if annotator not in names:
            message = _("there is no annotator %(annotator)s in the files; they have: %(names)s")
            problems.append(message % {"annotator": echo(annotator), "names": ", ".join(sorted(names)[:30])})
            continue
        if user in judges:
            message = _("annotator %(annotator)s: %(user)s is a model of the files; choose another user")
            problems.append(message % {"annotator": echo(annotator), "user": echo(user)})
            continue
        try:
            check_username(user)
        except PersonError as error:
            problems.append(_("annotator %(annotator)s: %(error)s") % {"annotator": echo(annotator), "error": error})
    if problems:
        raise Refused(problems[:PROBLEMS_SHOWN])
    return {annotator: user for annotator, user in mapping.items() if user != annotator}
