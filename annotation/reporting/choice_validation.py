"""Find choices that name unknown systems, raters or metadata: an empty report would hide the misspelling."""

from collections.abc import Collection, Iterable

from ..judging.judges import find_judge
from ..model_calls.errors import ModelError
from ..models import Project, Rating
from ..models.user_names import name_in_data
from ..pseudonyms import shown_rater
from .choices import Choices, Problems
from .data.reader import read_tally
from .data.responses import RatedResponse, values_of

NAMED = 10  # of the existing names


def unknown_names(project: Project, choices: Choices) -> Problems:
    """Return {field: [problems]} for systems, raters and metadata without a rating in `project`, and for an unknown
    judge.
    """
    problems: Problems = {}
    if choices.judge:
        problems["judge"] = list(_unknown_judge(choices.judge))
    if choices.systems or choices.metadata:
        rated = read_tally(project).responses.rated
        systems = {response.system for response in rated}
        problems["systems"] = [
            _unknown_message("system", name, systems) for name in choices.systems if name not in systems
        ]
        problems["metadata"] = list(_unknown_metadata(rated, choices))
    if choices.without_raters:
        ratings = Rating.objects.filter(project=project, role=Rating.Role.RATER)
        raters = set(ratings.order_by().values_list(name_in_data("rater__"), flat=True).distinct())
        unknown = [name for name in choices.without_raters if name not in raters]
        names = set(map(shown_rater, raters))
        problems["without_raters"] = [_unknown_message("rater", shown_rater(name), names) for name in unknown]
    return {field: lines for field, lines in problems.items() if lines}


def _unknown_judge(label: str) -> Iterable[str]:
    try:
        find_judge(label)
    except ModelError as problem:
        yield str(problem)


def _unknown_metadata(rated: Iterable[RatedResponse], choices: Choices) -> Iterable[str]:
    prompts = {response.prompt.key: response.prompt.metadata for response in rated}.values()
    keys = {key for metadata in prompts for key in metadata}
    for key, chosen_values in choices.metadata:
        values = {value for metadata in prompts for value in values_of(metadata.get(key))}
        if key not in keys:
            yield _unknown_message("metadata key", key, keys)
        yield from (
            _unknown_message(f"{key} of a prompt", value, values)
            for value in chosen_values
            if key in keys and value not in values
        )


def _unknown_message(kind: str, name: str, names: Collection[str]) -> str:
    """Return the message for an unknown `name`, with existing names."""
    existing = sorted(names)
    if not existing:
        return f"No {kind} {name!r} with ratings."
    message = "No %(what)s %(name)s with ratings. Choose one of: %(found)s."
    more = ", …" if len(existing) > NAMED else ""
    return message % {"what": kind, "name": repr(name), "found": ", ".join(existing[:NAMED]) + more}
