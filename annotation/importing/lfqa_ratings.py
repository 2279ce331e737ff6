"""Annotations of experts and crowd workers on the pairs of lfqa_eval, as rows of ratings.

Raw annotations name their annotator by a number, which becomes a pseudonym. Published preferences have no annotator:
the n-th row of a pair is assigned to the n-th annotator, so agreement is meaningful only within a pair.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from .input_files import FileReader
from .json_fields import Fields
from .lfqa_eval import pairs
from .problems import BadRecord, Problems, echo
from .tabular_files import Row

PROTOCOL = "pairwise-preference"
_PREFERRED = {"Answer A": "a", "Answer B": "b"}
_DIFFICULT = {"Yes.": "yes", "No.": "no"}
_CODES = {-1: "a", 0: "tie", 1: "b"}
PREFERENCES = {
    "preference": "overall_preference",
    "coherence": "coherence_preference",
    "factuality": "factuality_preference",
}
"""Question of the protocol -> field of the published format."""
CODES = {answer: code for code, answer in _CODES.items()}
"""Answer -> number of the published format."""


def read_lfqa_ratings(file_reader: FileReader, problems: Problems, left_out: Counter[str]) -> Iterator[Row]:
    """Yield a rating for each row with a preference; rows of a table of pairs have none and are counted."""
    times: Counter[str] = Counter()
    for pair in pairs(file_reader, problems):
        if pair.is_raw and pair.fields.value.get("BetterAnswer") is None:
            left_out["pair without a preference"] += 1
            continue
        times[pair.key] += 1
        try:
            fields = _raw(pair.fields) if pair.is_raw else _published(pair.fields, times[pair.key])
        except BadRecord as broken:
            problems.add(pair.location, broken)
        else:
            response, against = pair.ids
            yield Row(pair.location, {"response": response, "against": against, "unit": "pair", "item": 0, **fields})


def _raw(row: Fields) -> dict[str, Any]:
    # The files have the key `comments`, their description `Comments`.
    answers = {
        "preference": _code(row, "BetterAnswer", _PREFERRED),
        "justification": (row.text("comments") or row.text("Comments")),
    }
    if row.value.get("DifficultToChoose") is not None:
        answers["difficult"] = _code(row, "DifficultToChoose", _DIFFICULT)
    number = row.get("annotator", int)
    if number is None:
        raise BadRecord("the row has no 'annotator'")
    fields = {"rater": f"lfqa-expert-{number}", "answers": answers}
    return fields | {"seconds": row.value.get("lead_time"), "rated_at": row.text("updated_at")}


def _published(row: Fields, time: int) -> dict[str, Any]:
    answers = {key: _number(row, name) for key, name in PREFERENCES.items()}
    if answers["preference"] is None:
        raise BadRecord("the row has no 'overall_preference'")
    answers["justification"] = row.text("justification")
    return {"rater": f"lfqa-annotator-{time}", "answers": answers}


def _code(row: Fields, key: str, codes: dict[str, str]) -> str:
    value = row.text(key)
    if value not in codes:
        raise BadRecord(f"'{key}' is {echo(value)}; it must be one of: {', '.join(codes)}")
    return codes[value]


def _number(row: Fields, key: str) -> str | None:
    number = row.value.get(key)
    if number is None:
        return None
    if isinstance(number, bool) or not isinstance(number, int | float) or number not in _CODES:
        raise BadRecord(f"'{key}' is {echo(number)}; it must be -1, 0 or 1")
    return _CODES[int(number)]
