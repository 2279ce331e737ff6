"""lfqa_eval: two answers to one question, and the preferences of experts or crowd workers.

Two forms are published. Preferences are JSON lines (`answer_a`, `answer_b`, `overall_preference` of -1, 0 or 1). Raw
annotations are one JSON list per expert (`answer1`, `answer2`, `BetterAnswer`), with tab-separated tables of the pairs.
Every row is about one pair: a prompt with two responses to compare. A pair occurs in many rows, and a question id may
belong to several questions, so a prompt's id is the question's with a hash of both answers.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from .input_files import FileReader
from .json_fields import THE_ROW, Fields, check_value
from .json_stream import JsonText
from .problems import BadRecord, Problems, echo, read_each
from .records import Record, SourcePair, SourcePrompt, SourceResponse

HUMAN, FEWER_UPVOTES, MODEL = "human", "human-fewer-upvotes", "model"
DOCUMENTS = "documents"  # in a response's metadata: the published references of the answer
_LINE_BREAK = re.compile(r"<br ?/?>|<newline>")
_LABEL = re.compile(r"H([HM])([HhM])((?:\[-?\d+\])*)")  # kind of pair, kind of the first answer, upvotes
_FIELD = re.compile(r"([A-Za-z]+)_")
_FIELDS = {"Economic": "Economics"}  # one file has another name than the rest
_COLUMNS = ["q_id", "question_text", "answer1", "answer2"]
_LABEL_COLUMNS = ("answer1_label", "deu_link")  # six of the seven tables have the label in the second of these columns


@dataclass(frozen=True)
class Pair:
    """One row of either form; `fields` is the row itself."""

    location: str
    key: str
    question: str
    answers: tuple[str, str]
    systems: tuple[str, str]
    documents: tuple[Any, Any]
    metadata: dict[str, Any]
    annotations: Sequence[Mapping[str, object]]
    fields: Fields

    @property
    def ids(self) -> tuple[str, str]:
        """Return the imported ids of the two responses."""
        return f"{self.key}-a", f"{self.key}-b"

    @property
    def is_raw(self) -> bool:
        """Return whether the row is an expert's annotation, or one of a table of pairs."""
        return "answer1" in self.fields.value


def read_lfqa_eval(file_reader: FileReader, problems: Problems) -> Iterator[Record]:
    """Yield each row's pair as a prompt with two responses. Invalid rows go to `problems`."""
    for pair in pairs(file_reader, problems):
        responses = (
            SourceResponse(
                pair.location, pair.key, system, text, id=key, metadata={DOCUMENTS: document} if document else {}
            )
            for key, text, system, document in zip(pair.ids, pair.answers, pair.systems, pair.documents, strict=True)
        )
        yield SourcePrompt(
            location=pair.location,
            key=pair.key,
            text=pair.question,
            document=None,
            annotations=pair.annotations,
            metadata=pair.metadata,
            responses=tuple(responses),
            pairs=(SourcePair(*pair.ids),),
            merges=True,
        )


def pairs(file_reader: FileReader, problems: Problems) -> Iterator[Pair]:
    """Yield the rows of one file."""
    yield from read_each(_rows(file_reader, problems), problems, lambda *row: [_pair(*row)])


def _rows(file_reader: FileReader, problems: Problems) -> Iterator[tuple[str, Any]]:
    if file_reader.source.bare_name.endswith(".tsv"):
        yield from _table(file_reader, problems)
        return
    text = JsonText(file_reader)
    first = text.next_character()
    if first == "[":
        yield from text.elements()
    elif first == "{":
        while text.next_character():
            yield text.location, text.value()
    else:
        text.refuse("this is neither JSON lines nor a JSON list; a table of pairs has a name that ends in .tsv")


def _table(file_reader: FileReader, problems: Problems) -> Iterator[tuple[str, Any]]:
    """Yield rows of a tab-separated file without quoting."""
    lines = file_reader.lines()
    header = next(lines, (1, ""))[1].rstrip("\r\n").split("\t")
    if header[:4] != _COLUMNS or len(header) != 5 or header[4] not in _LABEL_COLUMNS:
        expected_columns = ", ".join([*_COLUMNS, " or ".join(_LABEL_COLUMNS)])
        raise file_reader.refused(f"the columns must be {expected_columns}, separated by tabs", 1)
    for number, line in lines:
        location, cells = f"{file_reader.name}:{number}", line.rstrip("\r\n").split("\t")
        if len(cells) == len(header):
            yield location, dict(zip([*_COLUMNS, _LABEL_COLUMNS[0]], cells, strict=True))
        elif line.strip():
            message = f"the row and the header differ in length ({len(cells)} and {len(header)} cells)"
            problems.add(location, message)


def _pair(location: str, row: Any) -> Pair:
    fields = Fields(row, THE_ROW)
    is_raw = "answer1" in fields.value
    keys = _COLUMNS[1:] if is_raw else ("question", "answer_a", "answer_b")
    question, first, second = (_LINE_BREAK.sub("\n", fields.needed_text(key)) for key in keys)
    if not is_raw:
        key, metadata, upvotes = _hash(question.strip()), dict[str, str](), list[int]()
        systems = fields.id("answer_a_type"), fields.id("answer_b_type")
        documents = _documents(fields, "doc_a"), _documents(fields, "doc_b")
    else:
        question, first, second = question.strip(), first.strip(), second.strip()
        kind, systems, upvotes = _label(fields.text("answer1_label"))
        key, metadata, documents = fields.id("q_id"), {"comparison": kind}, (None, None)
        if field := _FIELD.match(PurePath(location).name):
            metadata["field"] = _FIELDS.get(field[1], field[1])
    return Pair(
        location=location,
        key=f"{key}-{_hash([first.strip(), second.strip()])}",
        question=question,
        answers=(first, second),
        systems=systems,
        documents=documents,
        metadata=metadata,
        annotations=[{"upvotes": upvotes}] if upvotes else [],
        fields=fields,
    )


def _label(label: str) -> tuple[str, tuple[str, str], list[int]]:
    """Return the kind of comparison, the authors of the two answers, and their votes: `HMH[928]`, `HHh[3][1]`."""
    label_match = _LABEL.fullmatch(label)
    if not label_match:
        raise BadRecord(f"the label is {echo(label)}; it must be like HMH[928] or HHh[3][1]")
    other, first, upvotes = label_match.groups()
    kinds = {"H": HUMAN, "h": FEWER_UPVOTES, "M": MODEL}
    second = {"H": "M", "h": "M", "M": "H"} if other == "M" else {"H": "h", "h": "H", "M": "H"}
    kind = "human and model" if other == "M" else "human and human"
    return kind, (kinds[first], kinds[second[first]]), [int(votes) for votes in re.findall(r"-?\d+", upvotes)]


def _documents(fields: Fields, key: str) -> Any:
    """Return the references of the answer: a text, or a list of texts or of objects."""
    value = check_value(fields.value.get(key), f"'{key}'")
    if value is not None and not isinstance(value, str | list | dict):
        raise BadRecord(f"'{key}' must be a text, a list or an object")
    return value or None


def _hash(content: Any) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]
