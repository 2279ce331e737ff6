"""A data set in its published format, with labels from the project's ratings."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..importing.expertqa_labels import PROTOCOL as CLAIMS
from ..importing.lfqa_ratings import PROTOCOL as PAIRS
from ..jobs import Refused
from ..models import Project
from ..site.database_snapshot import one_snapshot
from .expertqa import expertqa_lines
from .lfqa_eval import lfqa_lines
from .ratings import OnWritten


@dataclass(frozen=True)
class Published:
    """A published format: its protocol, its lines, and whether unrated lines are written as they were loaded."""

    title: str
    protocol: str
    lines: Callable[[Project], Iterator[str]]
    keeps_lines: bool


FORMATS = {
    "expertqa": Published("ExpertQA", CLAIMS, expertqa_lines, keeps_lines=True),
    "lfqa_eval": Published("lfqa_eval", PAIRS, lfqa_lines, keeps_lines=False),
}
"""By the format in which the data set was loaded."""


def published_format(project: Project) -> Published | None:
    """Return the published format of the project's data set, or None."""
    selected = FORMATS.get(project.dataset.format)
    return selected if selected and selected.protocol == project.protocol.slug else None


class DatasetExport:
    """Iterate once for the file's bytes, JSON lines of one snapshot; after that `lines` is their number. `on_written`
    is called with the number of lines written so far.

    Raises Refused at once if the project's data set was loaded from another format, or is rated by another protocol.
    """

    content_type = "application/jsonl; charset=utf-8"

    def __init__(self, project: Project, format: str, on_written: OnWritten | None = None):
        if project.dataset.format != format or format not in FORMATS:
            came = f"data set {project.dataset.slug!r} was imported from format {project.dataset.format}"
            raise Refused([f"{came}, and only data imported from {format} can be exported as {format}"])
        if published_format(project) is None:
            asks = f"project {project.slug!r} is rated by {project.protocol.slug}"
            raise Refused([f"{asks}, but the format {format} supports only {FORMATS[format].protocol}"])
        self.project, self.format = project, format
        self.filename = f"{project.slug}-{format}.jsonl"
        self.lines = 0
        self._on_written = on_written or (lambda written: None)

    def __iter__(self) -> Iterator[bytes]:
        self.lines = 0
        with one_snapshot():
            for line in FORMATS[self.format].lines(self.project):
                self.lines += 1
                self._on_written(self.lines)
                yield f"{line}\n".encode()
