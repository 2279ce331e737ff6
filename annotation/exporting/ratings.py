"""An export of a project's ratings: its rows, in several formats, and which of them a report was computed from.

The order depends only on imported ids and names, so a copy of the project exports the same bytes. Excluded are
unfinished ratings, those from training, qualification and hidden gold, and all of excluded responses, because an import
would count them. A server-side cursor reads some thousands of rows at a time, so memory does not grow with the project.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple, cast

from django.db.models import Q, QuerySet
from django.db.models.functions import Collate

from ..jobs import Refused
from ..models import Project, Prompt, Rating
from ..protocols import has_sides
from ..pseudonyms import Pseudonyms, judge_names
from ..queue.exclusion import is_excluded
from ..rating import counting
from ..reporting.choices import ADJUDICATED, Choices
from ..reporting.data.responses import name_of_pair, values_of
from ..site.database_transactions import one_snapshot
from .annotation_tools import has_inspect_samples, write_argilla, write_inspect_scores, write_label_studio
from .rating_columns import (
    AGAINST_SYSTEM,
    JUDGE_COLUMNS,
    Column,
    RatingRow,
    cluster_name,
    columns,
    flat,
    flat_columns,
    named_rows,
    read_values,
    sample_columns,
    verdict_columns,
)
from .writers import CSV, JSON_LINES, PARQUET

OnWritten = Callable[[int], None]
RATINGS_PER_CALL = 1_000  # ratings between two calls of an `OnWritten`


class ProgramFormat(NamedTuple):
    """A format of another program, which has no columns of its own."""

    content_type: str
    ending: str
    write: Callable[[Project, Iterable[RatingRow]], Iterator[bytes]]


INSPECT = "inspect-scores"
JSON = "application/json; charset=utf-8"
TABLES = {"jsonl": JSON_LINES, "csv": CSV, "parquet": PARQUET}
PROGRAMS = {
    "label-studio": ProgramFormat(JSON, "label-studio.json", write_label_studio),
    "argilla": ProgramFormat(JSON, "argilla.json", write_argilla),
    INSPECT: ProgramFormat(JSON_LINES.content_type, "inspect-scores.jsonl", write_inspect_scores),
}
FORMATS = (*TABLES, *PROGRAMS)


class RatingsExport:
    """Iterate once for the file's bytes, all of one snapshot. After that, `rows` is the number of ratings in the file
    and `left_out` the number of excluded ones by reason. `on_written` is called regularly with the number of ratings
    written. Raises Refused at once for scores of a log that the data set does not come from.
    """

    def __init__(
        self, project: Project, format: str, *, pseudonymous: bool = False, on_written: OnWritten | None = None
    ):
        if format not in FORMATS:
            raise ValueError(f"format {format!r} is unknown; choose one of: {', '.join(FORMATS)}")
        if format == INSPECT and not has_inspect_samples(project):
            source = f"no response of data set {project.dataset.slug!r} came from an Inspect log"
            raise Refused([f"{source}, so there is nothing to join scores to: import a log with the format inspect"])
        self.project, self.format, self.pseudonymous = project, format, pseudonymous
        self.content_type = (TABLES.get(format) or PROGRAMS[format]).content_type
        ending = PROGRAMS[format].ending if format in PROGRAMS else format
        self.filename = f"{project.slug}-ratings{'-pseudonymous' * pseudonymous}.{ending}"
        self.rows = 0
        self.left_out: dict[str, int] = {}
        self._on_written = on_written

    def __iter__(self) -> Iterator[bytes]:
        with one_snapshot():
            judge_columns = JUDGE_COLUMNS if self.project.verdicts.exists() else ()
            more = (*verdict_columns(self.project), *judge_columns, *sample_columns(self.project))
            names = Pseudonyms(self.project) if self.pseudonymous else None
            self.left_out = left_out(self.project)
            counter = RowCounter(self._on_written)
            rows = counter.counted(iter_rows(self.project, more, names=names))
            if table := TABLES.get(self.format):
                columns = (*flat_columns(self.project.protocol.definition), *more)
                yield from table.write(rows if table is JSON_LINES else map(flat, rows), columns)
            else:
                yield from PROGRAMS[self.format].write(self.project, rows)
            self.rows = counter.rows


def exported_ratings(project: Project) -> QuerySet[Rating]:
    """Return the ratings of an export: counted ones, and every other role's, of items that are not retired and
    responses that are not excluded.
    """
    ratings = Rating.objects.filter(counting.COUNTS | ~Q(role=Rating.Role.RATER), project=project)
    return ratings.filter(~is_excluded(project), item__retired_at=None)


def left_out(project: Project) -> dict[str, int]:
    """Return how many ratings an export excludes, by reason: unfinished; given in training, qualification or on hidden
    gold; other ratings of retired items, or of excluded responses.
    """
    at_work = Rating.objects.filter(~counting.RATED_OUTSIDE_WORK, project=project)
    counts = {
        "unfinished": counting.left_out(project).get("unfinished", 0),
        "retired": at_work.filter(item__retired_at__isnull=False).count(),
        "excluded": at_work.filter(is_excluded(project), item__retired_at=None).count(),
        **counting.count_outside_work(project),
    }
    return {reason: n for reason, n in counts.items() if n}


def iter_rows(
    project: Project,
    more: Iterable[Column] = (),
    *,
    names: Pseudonyms | None = None,
    inclusion: "InclusionReader | None" = None,
) -> Iterator[RatingRow]:
    """Yield `columns()` and the columns `more` of each rating, and those of `inclusion`, by response, unit, position,
    role and rater. `names`: pseudonyms of the raters.
    """
    protocol = project.protocol
    questions = [question.key for question in protocol.definition.questions]
    about = (protocol.slug, protocol.version, protocol.sha256)  # the last of `columns()`: no query has to repeat them
    own, also = columns()[: -len(about)], (*more, *(AGAINST_SYSTEM if inclusion else ()))
    ratings = exported_ratings(project).order_by(
        Collate("item__response__key", "C"), Collate("item__against__key", "C"), "item__unit", "item__position"
    )
    values = ((*row[: len(own)], *about, *row[len(own) :]) for row in read_values(ratings, (*own, *also)))
    rows = cast(Iterator[RatingRow], named_rows((*columns(), *also), values))
    judges = judge_names() if names else set()
    for _, group in groupby(rows, key=itemgetter("response", "against", "unit", "item")):
        rows_of_item = list(group)
        if inclusion:
            inclusion.add_columns(rows_of_item)
        for row in rows_of_item:
            row["answers"] = {key: row["answers"][key] for key in questions if key in row["answers"]}
            if names and row["rater"] not in judges:
                row["rater"] = names.pseudonym(row["rater"])
        yield from sorted(rows_of_item, key=itemgetter("role", "rater"))


class RowCounter:
    """Counts the rows of one file, or of several, and calls `on_written` regularly with their number."""

    def __init__(self, on_written: OnWritten | None):
        self.rows = 0
        self._on_written = on_written

    def counted(self, rows: Iterable[RatingRow]) -> Iterator[RatingRow]:
        for row in rows:
            if self._on_written and self.rows % RATINGS_PER_CALL == 0:
                self._on_written(self.rows)
            self.rows += 1
            yield row


class InclusionReader:
    """Computes INCLUSION_COLUMNS by the rules of `reporting`; a test compares the sums. `below_gold`: user names of the
    raters whom `choices.least_gold` excludes.
    """

    def __init__(self, project: Project, choices: Choices, below_gold: Iterable[str] = ()):
        self.choices, self.has_sides = choices, has_sides(project.protocol.definition)
        self.without_raters = {*choices.without_raters, *below_gold}
        self.prompts: set[str] | None = None
        if choices.metadata:
            prompts = Prompt.objects.filter(dataset=project.dataset_id).values_list("key", "metadata")
            required_values = [(key, set(values)) for key, values in choices.metadata]
            self.prompts = {
                prompt
                for prompt, metadata in prompts.iterator()
                if all(values & set(values_of(metadata.get(key))) for key, values in required_values)
            }

    def add_columns(self, ratings: Sequence[RatingRow]) -> None:
        """Add the columns to all exported ratings of one item, whose raters have their user names."""
        adjudication = None
        if self.choices.answers == ADJUDICATED:
            adjudications = [rating for rating in ratings if rating["role"] == Rating.Role.ADJUDICATOR]
            adjudication = max(adjudications, key=itemgetter("rated_at", "rater"), default=None)
        for rating in ratings:
            system, is_turned, against = rating["system"], False, rating["against_system"]
            if against is not None:
                system, is_turned = name_of_pair(system, against, has_sides=self.has_sides)
            is_selected = (not self.choices.systems or system in self.choices.systems) and (
                self.prompts is None or rating["prompt"] in self.prompts
            )
            if adjudication is not None:
                is_selected = is_selected and rating is adjudication
            else:
                least, seconds = self.choices.least_seconds, rating["seconds"]
                is_too_fast = least is not None and seconds is not None and seconds < least
                is_excluded = is_too_fast or rating["rater"] in self.without_raters
                is_selected = is_selected and rating["role"] == Rating.Role.RATER and not is_excluded
            rating["in_report"], rating["report_system"], rating["is_turned"] = is_selected, system, is_turned
            rating["cluster"] = cluster_name(rating["prompt"], rating["document"], self.choices.cluster)
