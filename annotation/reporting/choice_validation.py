"""Find choices that name unknown systems, raters or metadata: an empty report would hide the misspelling."""

from collections.abc import Collection, Iterable

from ..judging.judges import find_judge
from ..model_calls.errors import ModelError
from ..models import Project, Rating
from ..models.user_names import name_in_data
from ..pseudonyms import shown_rater
from .choices import Choices, Problems
from .data.reader import read_tally
from .data.responses import values_of

NAMED = 10  # of the existing names


def unknown_names(project: Project, choices: Choices) -> Problems:
    """Return {field: [problems]} for systems, raters and metadata without a rating in `project`, and for an unknown
    judge.
    """
    problems: Problems = {}
    if choices.judge:
        try:
            find_judge(choices.judge)
        except ModelError as problem:
            problems["judge"] = [str(problem)]
    if choices.systems or choices.metadata:
        rated = read_tally(project).responses.rated
        systems = {response.system for response in rated}
        problems["systems"] = _unknown("system", choices.systems, systems)
        prompts = {response.prompt.key: response.prompt.metadata for response in rated}.values()
        keys = {key for metadata in prompts for key in metadata}
        problems["metadata"] = []
        for key, chosen_values in choices.metadata:
            values = {value for metadata in prompts for value in values_of(metadata.get(key))}
            problems["metadata"] += _unknown("metadata key", [key], keys)
            problems["metadata"] += _unknown(f"{key} of a prompt", chosen_values if key in keys else (), values)
    if choices.without_raters:
        ratings = Rating.objects.filter(project=project, role=Rating.Role.RATER)
        raters = set(ratings.order_by().values_list(name_in_data("rater__"), flat=True).distinct())
        names = map(shown_rater, choices.without_raters)
        problems["without_raters"] = _unknown("rater", names, set(map(shown_rater, raters)))
    return {field: lines for field, lines in problems.items() if lines}


def _unknown(kind: str, names: Iterable[str], existing: Collection[str]) -> list[str]:
    """Return a message for each of `names` that does not exist, with some that do."""
    some = ", ".join(sorted(existing)[:NAMED]) + (", …" if len(existing) > NAMED else "")
    choose = f" Choose one of: {some}." if existing else ""
    return [f"No {kind} {name!r} with ratings.{choose}" for name in names if name not in existing]
