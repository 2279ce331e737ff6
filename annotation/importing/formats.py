"""The formats a data set can be loaded from. A new one is a reader and a line here."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .files import Reading
from .jsonl import read_jsonl
from .problems import Problems
from .qasper import read_qasper
from .records import Record
from .subsets import RULES


@dataclass(frozen=True)
class Format:
    """How one format is read, and what may be asked of it."""

    name: str
    title: str
    describes: str
    read: Callable[[Reading, Problems], Iterator[Record]]
    rules: tuple[str, ...] = ("all",)
    several: bool = True


_FORMATS = (
    Format(
        "qasper",
        "Qasper v0.3",
        "the official JSON files, or transposed records (JSON lines or pretty-printed objects)",
        read_qasper,
        rules=tuple(RULES),
    ),
    Format(
        "jsonl",
        "JSON lines",
        "the project's own format: one prompt a line, with its document and responses",
        read_jsonl,
    ),
)

FORMATS: dict[str, Format] = {format.name: format for format in _FORMATS}
