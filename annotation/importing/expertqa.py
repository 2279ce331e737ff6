"""ExpertQA: questions by experts, answers by six systems, and every claim of an answer with its evidence.

A row is a question with one system's answer; the question becomes a prompt without a document, the answer a response,
the claims its items. Claims are not always verbatim parts of the answer (they were split and cleaned before), so a
claim has a position in the text only if it occurs there, apart from surrounding blanks. The experts' labels are not
loaded as ratings here, but by `annotations`. The response stores the published row with the evidence that raters see,
so that an export can write the same row.
"""

import hashlib
from collections.abc import Iterator
from typing import Any, cast

from .annotator_ids import anonymize
from .each_record import read_each
from .expertqa_labels import PublishedAnswer, PublishedResponse, PublishedRow
from .input_files import FileReader
from .json_fields import THE_ROW, Fields, check_id, check_value
from .json_stream import parse
from .problems import BadRecord, Problems
from .records import Record, SourceItem, SourcePrompt, SourceResponse

QUESTION_TYPES = "|"  # separates several types of one question
SEVERAL = "question_type"


def read_expertqa(file_reader: FileReader, problems: Problems) -> Iterator[Record]:
    """Yield one prompt per row, with its response. Invalid rows go to `problems`."""
    yield from read_each(rows(file_reader, problems), problems, lambda *row: [_prompt(*row)])


def rows(file_reader: FileReader, problems: Problems) -> Iterator[tuple[str, Any]]:
    """Yield location and content of each non-blank line."""
    for number, line in file_reader.lines():
        if line.strip():
            location = f"{file_reader.name}:{number}"
            try:
                yield location, parse(line)
            except BadRecord as broken:
                problems.add(location, broken)


def prompt_id(question: str) -> str:
    """Return a hash of the question: the data set has no ids."""
    return hashlib.sha256(question.encode()).hexdigest()[:24]


def response_id(question: str, system: str) -> str:
    return f"{prompt_id(question)}-{system}"


def _prompt(location: str, value: Any) -> SourcePrompt:
    row = Fields(value, THE_ROW)
    if "answer" in row.value and not row.value.get("answers"):
        message = (
            "the row has 'answer' in place of 'answers': it comes from a training split, without systems and claims; "
            "import it in the format “rows” (Rows with mapped columns)"
        )
        raise BadRecord(message)
    question = row.needed_text("question")
    metadata = _metadata(row)
    published = cast(PublishedRow, _without(row, "question", "answers", "metadata"))
    published["metadata"] = row.object("metadata")
    systems = row.get("answers", dict, {})
    if len(systems) > 1:
        published["systems"] = list(systems)
    responses = tuple(_response(location, question, system, row, published) for system in systems)
    return SourcePrompt(
        location=location,
        key=prompt_id(question),
        text=question,
        document=None,
        annotations=[] if responses else [{"row": published}],
        metadata=metadata,
        responses=responses,
        merges=True,
    )


def _metadata(row: Fields) -> dict[str, Any]:
    """Return the metadata of the question; several types are a list, so that it counts in each."""
    fields = Fields(row.get("metadata", dict, {}), "'metadata'")
    types = [part.strip() for part in fields.text(SEVERAL).split(QUESTION_TYPES)]
    several = {SEVERAL: [part for part in types if part]} if any(types) else {}
    return {**fields.value, **several}


def _response(location: str, question: str, system: str, row: Fields, published: PublishedRow) -> SourceResponse:
    check_id(system, "the name of a system in 'answers'")
    answer = Fields(row.get("answers", dict).get(system), f"the answer of {system}")
    text = answer.needed_text("answer_string")
    claims = answer.objects("claims", "claim")
    items = tuple(_items(text, claims))
    evidence = [claim.texts("evidence") for claim in claims]
    return SourceResponse(
        location=location,
        prompt=prompt_id(question),
        system=system,
        text=text,
        id=response_id(question, system),
        items=items,
        metadata={
            "sources": answer.texts("attribution"),
            "evidence": evidence,
            "published": PublishedResponse(
                row=published,
                answer=cast(PublishedAnswer, _without(answer, "answer_string", "attribution", "claims")),
                claims=[_claim(claim, item.text_in(text)) for claim, item in zip(claims, items, strict=True)],
            ),
        },
    )


def _items(text: str, claims: list[Fields]) -> Iterator[SourceItem]:
    """Return the claims in order; each is searched for after the start of the previous one, then anywhere."""
    reached = 0
    for claim in claims:
        claim_text = claim.needed_text("claim_string")
        words = claim_text.strip()
        start = text.find(words, reached)
        start = start if start >= 0 else text.find(words)
        if start < 0:
            yield SourceItem(None, None, "claim", True, "claim", claim_text)
        else:
            reached = start
            yield SourceItem(start, start + len(words), "claim", True, "claim")


def _claim(claim: Fields, stored: str) -> dict[str, object]:
    """Return the published fields of a claim except its evidence; its text only if it differs from the stored one."""
    labels = _without(claim, "evidence")
    if labels["claim_string"] == stored:
        del labels["claim_string"]
    return labels


def _without(fields: Fields, *keys: str) -> dict[str, object]:
    """Return an object's other fields, if they can be stored, with the annotator's id anonymized."""
    remaining = {key: value for key, value in fields.value.items() if key not in keys}
    if "annotator_id" in remaining:
        remaining["annotator_id"] = (
            anonymize(fields.text("annotator_id")) if remaining["annotator_id"] is not None else None
        )
    row: dict[str, object] = check_value(remaining, fields.label)
    return row
