"""Tasks: what every reader of an annotation tool's export yields.

A task is a row of data, like a row of the format `rows`, with its annotations. An annotation is what one person or
model answered: labels, each of a control (a question of the tool), about the whole text or a span of it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..input_files import FileReader
from ..json_fields import check_text
from ..problems import BadRecord, Problems, echo
from ..records import LeftOut
from ..tabular_files import Row

SKIPPED = "skipped annotation"
NO_RESULT = "annotation without a result"
OTHER_KIND = "label of a kind that is not imported"
NO_VALUE = "label without a value"
MODEL = "model-"  # begins the user names of models
UNKNOWN = "unknown"  # ends the name of an annotator whom the file does not name
RATER, JUDGE, GOLD = "rater", "judge", "gold"
_UNNAMED = re.compile(rf".+-{UNKNOWN}(-\d+)?")
_SPACE = re.compile(r"(?:\\n|\s)+")
_KIND = re.compile(r"[a-z0-9_-]{1,40}")


@dataclass(frozen=True, slots=True)
class Label:
    """One label. `is_text`: a written text, not one of several values. `about`: the tool's name of the text that it is
    about, "" without one. `start` and `end`: the place in this text as the tool counts, end exclusive, None for the
    whole text; `quoted`: the tool's copy of the text there."""

    control: str
    value: str
    is_text: bool = False
    about: str = ""
    start: int | None = None
    end: int | None = None
    quoted: str = ""

    def __post_init__(self) -> None:
        check_text(self.control, "the name of a label's control")
        check_text(self.value, "a label")

    @property
    def is_span(self) -> bool:
        """Whether the label is about a span."""
        return self.start is not None

    def span_in(self, text: str) -> tuple[int, int]:
        """Return the place in `text` in code points. Programs in JavaScript count UTF-16 units: where the copy is not
        at the place in code points, it is looked for at the place in these. Raise BadRecord."""
        start, end = self.start, self.end
        if start is None or end is None or not 0 <= start < end:
            raise BadRecord(f"a span must have a start and an end behind it, but has {echo([start, end])}")
        for first, last in ((start, end), (_code_points(text, start), _code_points(text, end))):
            if last <= len(text) and (not self.quoted or _plain(text[first:last]) == _plain(self.quoted)):
                return first, last
        span = f"the span from {start} to {end}"
        raise BadRecord(f"{span} is outside the response, or its text is not {echo(self.quoted)}")


@dataclass(frozen=True, slots=True)
class Annotation:
    """The labels of one person or model. `name` distinguishes it within the task, for messages; `rater` is the person
    or model as the tool names it; `left_out` are the reasons for which its other labels are not imported."""

    name: str
    rater: str
    labels: tuple[Label, ...]
    role: str = RATER
    left_out: tuple[str, ...] = ()
    comment: str = ""
    seconds: float | None = None
    rated_at: str = ""

    @property
    def is_unnamed(self) -> bool:
        """Return whether the file does not name the annotator, who may be another person in each task."""
        return self.role != JUDGE and bool(_UNNAMED.fullmatch(self.rater))


def annotation(name: str, rater: str, labels_or_reasons: Iterable[Label | str], **more: Any) -> Annotation:
    """Return an annotation with the labels that were found, and the reasons for which others are left out."""
    every = list(labels_or_reasons)
    labels = tuple(each for each in every if isinstance(each, Label))
    return Annotation(name, rater, labels, left_out=tuple(each for each in every if isinstance(each, str)), **more)


@dataclass(frozen=True, slots=True)
class Task:
    """A row of data with its annotations. `response_id`: a tool that writes its annotations without the data names the
    response by its id, and `row` has no data."""

    row: Row
    annotations: Sequence[Annotation] = field(default_factory=tuple)
    response_id: str = ""

    @property
    def location(self) -> str:
        return self.row.location


TaskReader = Callable[[FileReader, Problems], Iterator[Task | LeftOut]]


def rater_name(name: Any, tool: str, unknown: int = 1) -> str:
    """Return the name of an annotator: an address or name as it is, a number after the tool, as in `doccano-7`. Tools
    forget annotators whose account was deleted: the `unknown`-th of them in a task is `doccano-unknown`, then
    `doccano-unknown-2`. Raise BadRecord."""
    if name is None or (isinstance(name, str) and not name.strip()):
        return f"{tool}-{UNKNOWN}" if unknown == 1 else f"{tool}-{UNKNOWN}-{unknown}"
    if isinstance(name, bool) or not isinstance(name, str | int):
        raise BadRecord(f"an annotator must be a text or a number, but is {echo(name)}; write the annotator's name")
    return check_text(name.strip(), "the name of an annotator") if isinstance(name, str) else f"{tool}-{name}"


def judge_name(name: Any) -> str:
    """Return the name of a model whose predictions become ratings of a judge: never that of a person. Raise
    BadRecord."""
    text = "unnamed" if name in (None, "") else str(name).removeprefix(MODEL)  # as an export of ratings writes it
    return check_text(f"{MODEL}{text}", "the name of a model")


def other_kind(kind: object) -> str:
    """Return the reason for which a label of this kind is left out."""
    return f"{OTHER_KIND}: {kind if isinstance(kind, str) and _KIND.fullmatch(kind) else UNKNOWN}"


def label_text(value: object) -> str:
    """Return a label that may be a number as text: 4.0 is `4`."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def whole_number(value: object, name: str) -> int:
    """Return a position of a span. Raise BadRecord."""
    if type(value) is not int:
        raise BadRecord(f"'{name}' of a span must be a whole number, but is {echo(value)}")
    return value


def _code_points(text: str, units: int) -> int:
    """Return the number of code points in the first `units` UTF-16 units of the text; past its end, one too many."""
    encoded = text.encode("utf-16-le", "surrogatepass")
    if units * 2 > len(encoded):
        return len(text) + 1
    return len(encoded[: units * 2].decode("utf-16-le", "replace"))


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text).strip()
