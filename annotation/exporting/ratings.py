"""An export of a project's ratings, as a stream of bytes."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from .. import protocols
from ..models import Project
from ..site.database_snapshot import one_snapshot
from .rating_columns import JUDGE_COLUMNS, Column, Row, sample_columns, verdict_columns
from .rating_rows import iter_rows, left_out
from .writers import write_csv, write_jsonl, write_parquet

Write = Callable[[Iterable[Row], protocols.Protocol, tuple[Column, ...]], Iterator[bytes]]


@dataclass(frozen=True)
class _Kind:
    write: Write
    content_type: str


_KINDS = {
    "jsonl": _Kind(write_jsonl, "application/jsonl; charset=utf-8"),
    "csv": _Kind(write_csv, "text/csv; charset=utf-8"),
    "parquet": _Kind(write_parquet, "application/vnd.apache.parquet"),
}
FORMATS = tuple(_KINDS)
OnWritten = Callable[[int], None]
RATINGS_PER_CALL = 1_000  # ratings between two calls of `on_written`


class RatingsExport:
    """Iterate once for the file's bytes, all of one snapshot. After that, `rows` is the number of ratings in the file
    and `left_out` the number of excluded ones by reason. `on_written` is called regularly with the number of ratings
    written.
    """

    def __init__(
        self, project: Project, format: str, *, pseudonymous: bool = False, on_written: OnWritten | None = None
    ):
        if format not in _KINDS:
            raise ValueError(f"format {format!r} is unknown; choose one of: {', '.join(FORMATS)}")
        self.project, self.pseudonymous = project, pseudonymous
        self._kind = _KINDS[format]
        self.content_type = self._kind.content_type
        self.filename = f"{project.slug}-ratings{'-pseudonymous' * pseudonymous}.{format}"
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
            yield from self._kind.write(self._count_rows(rating_rows), self.project.protocol.definition, more_columns)

    def _count_rows(self, rating_rows: Iterator[Row]) -> Iterator[Row]:
        self.rows = 0
        for row in rating_rows:
            if self.rows % RATINGS_PER_CALL == 0:
                self._on_written(self.rows)
            self.rows += 1
            yield row
