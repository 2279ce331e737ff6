"""Arguments of commands for mappings: of columns to fields, of labels to answers, and of annotators to users."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from django.core.management.base import CommandParser

from ..importing.annotator_mapping import annotators_from, annotators_of_arguments
from ..importing.column_mapping import FIELDS, Columns, columns_from, columns_of_arguments
from ..importing.input_files import FileReader, SourceFile
from ..importing.label_mapping import LabelMapping, labels_from, labels_of_arguments
from ..jobs import Refused

T = TypeVar("T")


@dataclass(frozen=True)
class MappingArguments(Generic[T]):
    """An option that can be repeated, and one that names a JSON file with the same."""

    option: str
    metavar: str
    help: str
    file_option: str
    file_help: str
    example: str
    parse: Callable[[list[str]], dict[str, Any]]
    make: Callable[[dict[str, Any]], T]

    def add(self, parser: CommandParser) -> None:
        parser.add_argument(f"--{self.option}", action="append", metavar=self.metavar, help=self.help)
        parser.add_argument(f"--{self.file_option}", type=Path, metavar="PATH", help=self.file_help)

    def read(self, options: dict[str, Any]) -> T | None:
        """Return the mapping, None without one; the command line overrides the file. Raise Refused."""
        words, path = options[self.option], options[self.file_option]
        if words is None and path is None:
            return None
        try:
            value = json.loads("".join(FileReader(SourceFile.named_as_given(path)).text())) if path else {}
        except json.JSONDecodeError as error:
            raise Refused([f"{path}:{error.lineno}: this is not valid JSON: {error.msg}"]) from None
        if not isinstance(value, dict):
            raise Refused([f"{path}: write an object such as {self.example}"])
        return self.make(value | self.parse(words or []))


COLUMNS: MappingArguments[Columns] = MappingArguments(
    "map",
    "FIELD=COLUMN",
    "; ".join(["the columns of each field", *(f"{field}: {words}" for field, words in FIELDS.items())]),
    "mapping",
    "the mapping as a JSON file: field to column(s)",
    '{"prompt": "question", "response": "answer"}',
    columns_of_arguments,
    columns_from,
)
LABELS: MappingArguments[LabelMapping] = MappingArguments(
    "label",
    "FIELD=LABEL",
    "the answer of a label of the tool: QUESTION.OPTION=LABEL; QUESTION=CONTROL or comment=CONTROL for a "
    "written text; leave_out=LABEL; QUESTION.OPTION= for sentences without a label",
    "labels",
    "the same as a JSON file: field to label(s)",
    '{"accuracy.accurate": ["Supported"]}',
    labels_of_arguments,
    labels_from,
)
ANNOTATORS: MappingArguments[dict[str, str]] = MappingArguments(
    "annotator",
    "ANNOTATOR=USER",
    "the user of an annotator of the tool (an inactive user with the annotator's name)",
    "annotators",
    "the same as a JSON file: annotator to user",
    '{"label-studio-7": "maria"}',
    annotators_of_arguments,
    annotators_from,
)
