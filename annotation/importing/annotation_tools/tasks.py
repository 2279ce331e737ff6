"""Tasks: what every reader of an annotation tool's export yields.

A task is a row of data, like a row of the format `rows`, with its annotations. An annotation is what one person or
model answered: labels, each of a control (a question of the tool), about the whole text or a span of it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ..input_files import FileReader
from ..problems import BadRecord, Problems, echo
from ..records import LeftOut
from ..tabular_files import Row

SKIPPED = gettext_noop("skipped annotation")
MODEL = "model-"  # begins the user names of models
RATER, JUDGE, GOLD = "rater", "judge", "gold"
MAX_NAME_LENGTH = 150
_SPACE = re.compile(r"(?:\\n|\s)+")
_NOT_IN_NAMES = re.compile(r"[^\w.@+-]+")


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

    @property
    def is_span(self) -> bool:
        """Whether the label is about a span."""
        return self.start is not None

    def span_in(self, text: str) -> tuple[int, int]:
        """Return the place in `text` in code points. Programs in JavaScript count UTF-16 units: where the copy is not
        at the place in code points, it is looked for at the place in these. Raise BadRecord."""
        start, end = self.start, self.end
        if start is None or end is None or not 0 <= start < end:
            message = _("a span must have a start and an end behind it, but has %(found)s")
            raise BadRecord(message % {"found": echo([start, end])})
        for first, last in ((start, end), (_code_points(text, start), _code_points(text, end))):
            if last <= len(text) and (not self.quoted or _plain(text[first:last]) == _plain(self.quoted)):
                return first, last
        message = _("the span from %(start)s to %(end)s is outside the response, or its text is not %(quoted)s")
        raise BadRecord(message % {"start": start, "end": end, "quoted": echo(self.quoted)})


@dataclass(frozen=True, slots=True)
class Annotation:
    """The labels of one person or model. `name` distinguishes it within the task, for messages."""

    name: str
    rater: str
    labels: tuple[Label, ...]
    role: str = RATER
    comment: str = ""
    seconds: float | None = None
    rated_at: str = ""


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


def rater_name(name: Any, prefix: str) -> str:
    """Return the user name for a person or model of another tool: an address or name as it is, a number after the
    prefix, as in `doccano-7`; characters that a user name cannot have become hyphens. Raise BadRecord."""
    text = name if isinstance(name, str) else f"{prefix}-{name}" if isinstance(name, int) else ""
    text = _NOT_IN_NAMES.sub("-", text.strip()).strip("-")
    if not text or isinstance(name, bool):
        raise BadRecord(_("an annotation does not name its annotator, but has %(found)s") % {"found": echo(name)})
    return text[:MAX_NAME_LENGTH]


def judge_name(name: Any) -> str:
    """Return the user name for a model whose predictions become ratings of a judge: never that of a person."""
    text = "unnamed" if name in (None, "") else str(name).removeprefix(MODEL)  # as an export of ratings writes it
    return rater_name(f"{MODEL}{text}", MODEL)


def label_text(value: object) -> str:
    """Return a label that may be a number as text: 4.0 is `4`."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def whole_number(value: object, name: str) -> int:
    """Return a position of a span. Raise BadRecord."""
    if type(value) is not int:
        message = _("'%(name)s' of a span must be a whole number, but is %(found)s")
        raise BadRecord(message % {"name": name, "found": echo(value)})
    return value


def _code_points(text: str, units: int) -> int:
    """Return the number of code points in the first `units` UTF-16 units of the text; past its end, one too many."""
    encoded = text.encode("utf-16-le", "surrogatepass")
    if units * 2 > len(encoded):
        return len(text) + 1
    return len(encoded[: units * 2].decode("utf-16-le", "replace"))


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text).strip()
