"""An export of a project's ratings, as a stream of bytes."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from .. import protocols
from ..jobs import Refused
from ..models import Project
from ..site.database_snapshot import one_snapshot
from .argilla import write_argilla
from .inspect_scores import has_inspect_samples, write_inspect_scores
from .label_studio import write_label_studio
from .rating_columns import JUDGE_COLUMNS, Column, Row, sample_columns, verdict_columns
from .rating_rows import iter_rows, left_out
from .writers import write_csv, write_jsonl, write_parquet

Write = Callable[[Iterable[Row], protocols.Protocol, tuple[Column, ...]], Iterator[bytes]]
WriteFor = Callable[[Project, Iterable[Row]], Iterator[bytes]]


@dataclass(frozen=True)
class _Kind:
    """A format of rows (`write`), or of another program (`write_for`), which has no columns of its own."""

    content_type: str
    write: Write | None = None
    write_for: WriteFor | None = None
    ending: str = ""


INSPECT = "inspect-scores"
_JSON, _JSON_LINES = "application/json; charset=utf-8", "application/jsonl; charset=utf-8"
_KINDS = {
    "jsonl": _Kind(_JSON_LINES, write_jsonl),
    "csv": _Kind("text/csv; charset=utf-8", write_csv),
    "parquet": _Kind("application/vnd.apache.parquet", write_parquet),
    "label-studio": _Kind(_JSON, write_for=write_label_studio, ending="label-studio.json"),
    "argilla": _Kind(_JSON, write_for=write_argilla, ending="argilla.json"),
    INSPECT: _Kind(_JSON_LINES, write_for=write_inspect_scores, ending="inspect-scores.jsonl"),
}
FORMATS = tuple(_KINDS)
OnWritten = Callable[[int], None]
RATINGS_PER_CALL = 1_000  # ratings between two calls of `on_written`


class RatingsExport:
    """Iterate once for the file's bytes, all of one snapshot. After that, `rows` is the number of ratings in the file
    and `left_out` the number of excluded ones by reason. `on_written` is called regularly with the number of ratings
    written. Raises Refused at once for scores of a log that the data set does not come from.
    """

    def __init__(
        self, project: Project, format: str, *, pseudonymous: bool = False, on_written: OnWritten | None = None
    ):
        if format not in _KINDS:
            raise ValueError(f"format {format!r} is unknown; choose one of: {', '.join(FORMATS)}")
        if format == INSPECT and not has_inspect_samples(project):
            source = f"no response of data set {project.dataset.slug!r} came from an Inspect log"
            raise Refused([f"{source}, so there is nothing to join scores to: import a log with the format inspect"])
        self.project, self.pseudonymous = project, pseudonymous
        self._kind = _KINDS[format]
        self.content_type = self._kind.content_type
        ending = self._kind.ending or format
        self.filename = f"{project.slug}-ratings{'-pseudonymous' * pseudonymous}.{ending}"
        self.rows = 0
        self.left_out: dict[str, int] = {}
        self._on_written = on_written or (lambda written: None)

    def __iter__(self) -> Iterator[bytes]:
        with one_snapshot():
            has_judges = self.project.verdicts.exists()
            verdicts = verdict_columns(self.project)
            more_columns = verdicts + (JUDGE_COLUMNS if has_judges else ()) + sample_columns(self.project)
            rating_rows = iter_rows(
                self.project,
                pseudonymous=self.pseudonymous,
                with_judges=has_judges,
                with_sample=bool(self.project.sampling_design),
                with_verdicts=bool(verdicts),
            )
            self.left_out = left_out(self.project)
            rows, protocol = self._count_rows(rating_rows), self.project.protocol.definition
            if self._kind.write:
                yield from self._kind.write(rows, protocol, more_columns)
            elif self._kind.write_for:
                yield from self._kind.write_for(self.project, rows)

    def _count_rows(self, rating_rows: Iterator[Row]) -> Iterator[Row]:
        self.rows = 0
        for row in rating_rows:
            if self.rows % RATINGS_PER_CALL == 0:
                self._on_written(self.rows)
            self.rows += 1
            yield row
