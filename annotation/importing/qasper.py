"""Qasper v0.3: the official file and the transposed ("columnar") records on data hubs.

Official: one object, arXiv id to paper. Columnar: one record per paper with its `id`, one per line or pretty-printed in
sequence, in which a list of objects has become an object of lists; it is transposed first, so both forms are read by
the same code. Unknown keys are ignored, missing ones are empty. The annotators' ids are not stored.
"""

from collections.abc import Iterator
from typing import Any

from .input_files import FileReader
from .json_fields import Fields, check_id, kind_of
from .json_stream import JsonText
from .problems import BadRecord, Problems
from .records import Record, SourcePrompt
from .sections import Sections, document
from .subsets import Annotation

COLUMNS = {"id", "title", "abstract", "full_text", "qas", "figures_and_tables"}
BACKGROUND = ("nlp_background", "topic_background", "paper_read", "search_query")


def read_qasper(file_reader: FileReader, problems: Problems) -> Iterator[Record]:
    """Yield each paper's document and then its prompts. Invalid parts of a paper go to `problems`."""
    for location, key, paper in papers(file_reader):
        try:
            records = list(_records(location, key, paper))
        except BadRecord as broken:
            problems.add(location, f"paper {key or '(no id)'}: {broken}")
        else:
            yield from records


def papers(file_reader: FileReader) -> Iterator[tuple[str, str, Any]]:
    """Yield location, arXiv id ("" without one) and content of each paper."""
    text = JsonText(file_reader)
    if not text.next_character():
        text.refuse("the file is empty")
    while text.next_character():
        key, begins = text.first_member()
        if begins == "{" and key not in COLUMNS:
            for location, paper in text.members():
                yield location, paper, text.value()
        else:
            location, record = text.location, text.value()
            named = record.get("id") if isinstance(record, dict) else None
            yield location, named if isinstance(named, str) else "", record


def _records(location: str, key: str, paper: Any) -> Iterator[Record]:
    fields = Fields(paper, "the paper")
    if not check_id(key, "the paper's id"):
        raise BadRecord("the record has no 'id'; an official file has it as the key of each paper")
    sections = Sections()
    if fields.text("abstract").strip():
        sections.add("Abstract", [fields.text("abstract")])
    for section in _rows(fields, "full_text", "section"):
        sections.add_path(section.text("section_name"), section.texts("paragraphs"))
    sections.add_captions(_caption(float_) for float_ in _rows(fields, "figures_and_tables", "figure or table"))
    yield document(location, key, fields.text("title"), sections)
    for question in _rows(fields, "qas", "question"):
        yield _prompt(location, key, question)


def _caption(fields: Fields) -> tuple[str, str]:
    """Return kind and caption; the kind is taken from the caption, or else from the file's name (`4-Table2-1.png`)."""
    caption, file = fields.text("caption"), fields.text("file")
    start = caption.lstrip().lower()
    is_table = start.startswith("table") or (not start.startswith("fig") and "table" in file.lower())
    return "table" if is_table else "figure", caption


def _prompt(location: str, paper: str, question: Fields) -> SourcePrompt:
    annotations = [_annotation(answer) for answer in _rows(question, "answers", "answer")]
    answers = map(_answer, annotations)
    return SourcePrompt(
        location=location,
        key=question.id("question_id"),
        text=question.needed_text("question"),
        document=paper,
        reference="\n".join(dict.fromkeys(filter(None, answers))),
        annotations=annotations,
        metadata={key: value for key in BACKGROUND if (value := question.text(key))},
    )


def _annotation(answer: Fields) -> Annotation:
    answer_fields = Fields(answer.get("answer", dict, answer.value), answer.label)
    return {
        "annotation_id": answer.text("annotation_id"),
        "unanswerable": answer_fields.get("unanswerable", bool, False),
        "extractive_spans": answer_fields.texts("extractive_spans"),
        "yes_no": answer_fields.get("yes_no", bool),
        "free_form_answer": answer_fields.text("free_form_answer"),
        "evidence": answer_fields.texts("evidence"),
        "highlighted_evidence": answer_fields.texts("highlighted_evidence"),
    }


def _answer(annotation: Annotation) -> str:
    if annotation["unanswerable"]:
        return "Unanswerable"
    if annotation["yes_no"] is not None:
        return "Yes" if annotation["yes_no"] else "No"
    return annotation["free_form_answer"].strip() or "; ".join(annotation["extractive_spans"])


def _rows(fields: Fields, key: str, noun: object) -> list[Fields]:
    """Return a list of objects, converted from an object of lists (columnar) if needed."""
    value = fields.value.get(key)
    if not isinstance(value, dict):
        return fields.objects(key, noun)
    columns = {name: column for name, column in value.items() if column is not None}
    if others := [name for name, column in columns.items() if not isinstance(column, list)]:
        kind = kind_of(columns[others[0]])
        raise BadRecord(f"'{others[0]}' in '{key}' of {fields.label} must be a list, but is {kind}")
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise BadRecord(f"the lists in '{key}' of {fields.label} have different lengths: {lengths}")
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    return [fields.numbered(row, noun, n) for n, row in enumerate(rows, 1)]
