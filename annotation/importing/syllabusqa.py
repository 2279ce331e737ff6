"""SyllabusQA: questions of students about the syllabus of a course, which is the prompts' document.

Syllabi are text files in Mac-Roman with bare carriage returns, named as in the rows; prompts are rows of a JSON list or
of a CSV. The texts contain placeholders such as `<PHONE>`: they are text, never markup. A data set stores only the
syllabi that some prompt names, so the whole folder can be loaded with one split. The answer's spans and reasoning steps
belong to the data set and are never shown to raters.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .input_files import MAX_RECORD_SIZE, MEGABYTE, FileReader
from .json_fields import THE_ROW, Fields, check_id, check_text
from .json_stream import JsonText
from .problems import BadRecord, Problems, read_each
from .records import Record, SourceDocument, SourcePrompt
from .sections import Sections, document
from .tabular_files import read_rows

TEXTS = ".txt"
SPANS, STEPS = "answer_spans", "reasoning_steps"
_MAX_SPANS = 5  # spans and steps of a row
_NEEDED = ["id", "syllabus_name", "question_type", "question", "answer"]
_LINE_END = re.compile(r"\r\n?|\n")
_MARK_OF_A_LIST = re.compile(r"[•◦▪●○·*\-–]|[o]|\(?[0-9]{1,2}[.)]|\(?[a-zA-Z][.)]")
_MAX_HEADING_LENGTH = 60


def read_syllabusqa(file_reader: FileReader, problems: Problems) -> Iterator[Record]:
    """Yield a syllabus, or the prompts of one split. Invalid rows go to `problems`."""
    if file_reader.source.bare_name.endswith(TEXTS):
        yield syllabus(file_reader)
        return
    yield from read_each(_rows(file_reader, problems), problems, lambda *row: [_prompt(*row)])


def syllabus(file_reader: FileReader) -> SourceDocument:
    """Return one text file as a document, whose id is the file's name without its extension. Raise Refused."""
    data = b""
    for chunk in file_reader.chunks():
        data += chunk
        if file_reader.unpacked > MAX_RECORD_SIZE:
            raise file_reader.refused(f"the text is longer than {MAX_RECORD_SIZE // MEGABYTE} MB")
    try:
        text = check_text(decode(data), "the text")
        key = check_id(Path(file_reader.name).name.removesuffix(".gz")[: -len(TEXTS)], "the file's name")
    except BadRecord as broken:
        raise file_reader.refused(str(broken)) from None
    return document(file_reader.name, key, key, sections_of(text))


def decode(data: bytes) -> str:
    """Return the text with LF as line ends. Bytes that are not UTF-8 are decoded as Mac-Roman."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("mac_roman")
    return _LINE_END.sub("\n", text)


def sections_of(text: str) -> Sections:
    """Return sections whose paragraphs are lines. A lone bullet or number is joined to the next line, and a line that
    begins in lower case to the previous one. After a blank line, a short line that ends in a colon is a heading."""
    sections, heading, paragraphs = Sections(), "", list[str]()
    for after_blank, line in _joined(text.split("\n")):
        if after_blank and line.endswith(":") and len(line) <= _MAX_HEADING_LENGTH:
            sections.add(heading, paragraphs)
            heading, paragraphs = line, []
        else:
            paragraphs.append(line)
    sections.add(heading, paragraphs)
    return sections


def _joined(lines: list[str]) -> Iterator[tuple[bool, str]]:
    """Yield non-blank lines, and whether each follows a blank one."""
    waiting, after_blank, was_blank = "", True, True
    for line in lines:
        line = line.strip()
        is_mark = bool(_MARK_OF_A_LIST.fullmatch(waiting))
        is_in_sentence = not was_blank and line[:1].islower() and not _MARK_OF_A_LIST.match(f"{line} ")
        goes_on = bool(waiting) and (is_mark or (is_in_sentence and waiting[-1] not in ".:;!?"))
        if line and goes_on:
            waiting = f"{waiting} {line}"
        elif line:
            if waiting:
                yield after_blank, waiting
            waiting, after_blank = line, was_blank
        was_blank = not line
    if waiting:
        yield after_blank, waiting


def _rows(file_reader: FileReader, problems: Problems) -> Iterator[tuple[str, Any]]:
    if file_reader.source.bare_name.endswith(".csv"):
        for row in read_rows(file_reader, problems, format="csv", needed=_NEEDED):
            yield row.location, row.values
        return
    text = JsonText(file_reader)
    if text.next_character() != "[":
        text.refuse("a split must be one JSON list, or a CSV whose name ends in .csv")
    yield from text.elements()


def _prompt(location: str, value: Any) -> SourcePrompt:
    row = Fields(value, THE_ROW)
    numbers = range(1, _MAX_SPANS + 1)
    spans = [text for n in numbers if (text := row.text(f"answer_span_{n}").strip())]
    steps = [text for n in numbers if (text := row.text(f"reasoning_step_{n}").strip())]
    return SourcePrompt(
        location=location,
        key=row.id("id"),
        text=row.needed_text("question"),
        document=row.id("syllabus_name"),
        reference=row.text("answer").strip(),
        annotations=([{SPANS: spans, STEPS: steps}] if spans or steps else []),
        metadata={"question_type": row.needed_text("question_type")},
    )
