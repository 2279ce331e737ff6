"""An export of a project's ratings, as a stream of bytes."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ..jobs import Refused
from ..models import Project
from ..pseudonyms import Pseudonyms
from ..site.database_snapshot import one_snapshot
from .annotation_tools import write_argilla, write_label_studio
from .inspect_scores import has_inspect_samples, write_inspect_scores
from .rating_columns import JUDGE_COLUMNS, RatingRow, flat, flat_columns, sample_columns, verdict_columns
from .rating_rows import OnWritten, RowCounter, iter_rows, left_out
from .writers import CSV, JSON_LINES, PARQUET


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
