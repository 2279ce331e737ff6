"""Choices that name what the project has not: a report on nothing would hide the misspelling."""

from collections.abc import Collection, Iterable

from django.utils.translation import gettext as _

from ..models import Project, Rating
from .choices import Choices, Problems
from .data.reader import read_tally
from .data.table import RatedResponse, values_of

NAMED = 10  # of what there is


def unknown_names(project: Project, choices: Choices) -> Problems:
    """{field: [problems]} for systems, raters and metadata that `project` has no rating of; {} when all are there."""
    problems: Problems = {}
    if choices.systems or choices.metadata:
        rated = read_tally(project).responses.rated
        there = {response.system for response in rated}
        problems["systems"] = [_no(_("system"), name, there) for name in choices.systems if name not in there]
        problems["metadata"] = list(_unknown_metadata(rated, choices))
    if choices.without_raters:
        rated = Rating.objects.filter(project=project, role=Rating.Role.RATER)
        raters = set(rated.order_by().values_list("rater__username", flat=True).distinct())
        unknown = [name for name in choices.without_raters if name not in raters]
        problems["without_raters"] = [_no(_("rater"), name, raters) for name in unknown]
    return {field: lines for field, lines in problems.items() if lines}


def _unknown_metadata(rated: Iterable[RatedResponse], choices: Choices) -> Iterable[str]:
    prompts = {response.prompt.key: response.prompt.metadata for response in rated}.values()
    keys = {key for metadata in prompts for key in metadata}
    for key, wanted in choices.metadata:
        values = {value for metadata in prompts for value in values_of(metadata.get(key))}
        if key not in keys:
            yield _no(_("metadata key"), key, keys)
        yield from (
            _no(_("%(key)s of a prompt") % {"key": key}, value, values)
            for value in wanted
            if key in keys and value not in values
        )


def _no(what: str, name: str, there: Collection[str]) -> str:
    found = sorted(there)
    if not found:
        return _("There is no %(what)s %(name)s with ratings here.") % {"what": what, "name": repr(name)}
    said = _("There is no %(what)s %(name)s with ratings here. There are: %(found)s.")
    more = ", …" if len(found) > NAMED else ""
    return said % {"what": what, "name": repr(name), "found": ", ".join(found[:NAMED]) + more}
