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

from .annotator_mapping import anonymize
from .expertqa_labels import PublishedAnswer, PublishedResponse, PublishedRow
from .input_files import FileReader
from .json_fields import THE_ROW, Fields, check_id, check_value
from .json_stream import parse
from .problems import BadRecord, Problems, read_each
from .records import Record, SourceItem, SourcePrompt, SourceResponse

QUESTION_TYPES = "|"  # separates several types of one question
SEVERAL = "question_type"


def read_expertqa(file_reader: FileReader, problems: Problems) -> Iterator[Record]:
    """Yield one prompt per non-blank line, with its response. Invalid rows go to `problems`."""
    lines = ((f"{file_reader.name}:{number}", line) for number, line in file_reader.lines() if line.strip())
    yield from read_each(lines, problems, lambda location, line: [_prompt(location, parse(line))])


def prompt_id(question: str) -> str:
    """Return a hash of the question: the data set has no ids."""
    return hashlib.sha256(question.encode()).hexdigest()[:24]


def _prompt(location: str, value: Any) -> SourcePrompt:
    row = Fields(value, THE_ROW)
    if "answer" in row.value and not row.value.get("answers"):
        raise BadRecord(
            "the row has 'answer' in place of 'answers': it comes from a training split, without systems and claims; "
            "import it in the format “rows” (Rows with mapped columns)"
        )
    question, about = row.needed_text("question"), Fields(row.get("metadata", dict, {}), "'metadata'")
    types = [part.strip() for part in about.text(SEVERAL).split(QUESTION_TYPES) if part.strip()]
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
        metadata={**about.value, **({SEVERAL: types} if types else {})},  # a list: the question counts in each type
        responses=responses,
        merges=True,
    )


def _response(location: str, question: str, system: str, row: Fields, published: PublishedRow) -> SourceResponse:
    check_id(system, "the name of a system in 'answers'")
    answer = Fields(row.get("answers", dict).get(system), f"the answer of {system}")
    text = answer.needed_text("answer_string")
    claims = answer.objects("claims", "claim")
    items = tuple(_items(text, claims))
    return SourceResponse(
        location=location,
        prompt=prompt_id(question),
        system=system,
        text=text,
        id=f"{prompt_id(question)}-{system}",
        items=items,
        metadata={
            "sources": answer.texts("attribution"),
            "evidence": [claim.texts("evidence") for claim in claims],
            "published": PublishedResponse(
                row=published,
                answer=cast(PublishedAnswer, _without(answer, "answer_string", "attribution", "claims")),
                claims=[  # the text of a claim only if it differs from that of its item
                    _without(claim, "evidence", *(["claim_string"] if claim.text("claim_string") == stored else []))
                    for claim, stored in zip(claims, (item.text_in(text) for item in items), strict=True)
                ],
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


def _without(fields: Fields, *keys: str) -> dict[str, object]:
    """Return an object's other fields, if they can be stored, with the annotator's id anonymized."""
    remaining = {key: value for key, value in fields.value.items() if key not in keys}
    if remaining.get("annotator_id") is not None:
        remaining["annotator_id"] = anonymize(fields.text("annotator_id"))
    row: dict[str, object] = check_value(remaining, fields.label)
    return row
