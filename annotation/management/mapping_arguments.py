"""Arguments of commands for mappings: of columns to fields, and of labels to answers."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from ..importing.annotator_mapping import annotators_from, annotators_of_arguments
from ..importing.column_mapping import FIELDS, Columns, columns_from, columns_of_arguments
from ..importing.input_files import FileReader, SourceFile
from ..importing.label_mapping import LabelMapping, labels_from, labels_of_arguments
from ..jobs import Refused


def add_column_arguments(parser: ArgumentParser | CommandParser) -> None:
    """Add --map and --mapping."""
    about_fields = ["the columns of each field"] + [f"{field}: {words}" for field, words in FIELDS.items()]
    parser.add_argument("--map", action="append", metavar="FIELD=COLUMN", help="; ".join(about_fields))
    parser.add_argument("--mapping", type=Path, metavar="PATH", help="the mapping as a JSON file: field to column(s)")


def columns_of_options(options: dict[str, Any]) -> Columns | None:
    """Return the given column mapping; fields of the command line override those of the file. Raise Refused."""
    if options["map"] is None and options["mapping"] is None:
        return None
    from_file = _object(options["mapping"], '{"prompt": "question", "response": "answer"}')
    return columns_from(from_file | columns_of_arguments(options["map"] or []))


def add_label_arguments(parser: ArgumentParser | CommandParser) -> None:
    """Add --label and --labels."""
    parser.add_argument(
        "--label",
        action="append",
        metavar="FIELD=LABEL",
        help="the answer of a label of the tool: QUESTION.OPTION=LABEL; QUESTION=CONTROL or comment=CONTROL for a "
        "written text; leave_out=LABEL; QUESTION.OPTION= for sentences without a label",
    )
    parser.add_argument("--labels", type=Path, metavar="PATH", help="the same as a JSON file: field to label(s)")


def labels_of_options(options: dict[str, Any]) -> LabelMapping | None:
    """Return the given label mapping; fields of the command line override those of the file. Raise Refused."""
    if options["label"] is None and options["labels"] is None:
        return None
    from_file = _object(options["labels"], '{"accuracy.accurate": ["Supported"]}')
    return labels_from(from_file | labels_of_arguments(options["label"] or []))


def add_annotator_arguments(parser: ArgumentParser | CommandParser) -> None:
    """Add --annotator and --annotators."""
    parser.add_argument(
        "--annotator",
        action="append",
        metavar="ANNOTATOR=USER",
        help="the user of an annotator of the tool (an inactive user with the annotator's name)",
    )
    parser.add_argument("--annotators", type=Path, metavar="PATH", help="the same as a JSON file: annotator to user")


def annotators_of_options(options: dict[str, Any]) -> dict[str, str] | None:
    """Return the given annotator mapping; the command line overrides the file. Raise Refused."""
    if options["annotator"] is None and options["annotators"] is None:
        return None
    from_file = _object(options["annotators"], '{"label-studio-7": "maria"}')
    return annotators_from(from_file | annotators_of_arguments(options["annotator"] or []))


def _object(path: Path | None, example: str) -> dict[str, Any]:
    try:
        value = json.loads("".join(FileReader(SourceFile.named_as_given(path)).text())) if path else {}
    except json.JSONDecodeError as error:
        raise Refused([f"{path}:{error.lineno}: this is not valid JSON: {error.msg}"]) from None
    if not isinstance(value, dict):
        raise Refused([f"{path}: write an object such as {example}"])
    return value
