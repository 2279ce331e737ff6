"""The fields of one row of ratings in JSON lines or CSV, validated."""

import math
from datetime import UTC, datetime
from typing import Any, TypedDict

from ..models import Item, Rating
from ..protocols import SentAnswers
from ..rating.evidence import Passage
from .json_fields import Fields, check_text, check_value, kind_of
from .json_stream import parse
from .manual_items import ItemDescription
from .problems import BadRecord, echo

ANSWERS = "answers."  # begins the names of CSV columns that hold answers
MAX_POSITION = 2**31 - 1


def _whole(fields: Fields, name: str, is_csv: bool) -> Any:
    """Return the whole number under `name`: in a CSV file digits are a number."""
    value = fields.value.get(name)
    if is_csv and isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 12:
        return int(value)
    return value


def _position(fields: Fields, is_csv: bool) -> int:
    position = _whole(fields, "item", is_csv)
    if type(position) is not int or not 0 <= position <= MAX_POSITION:
        excerpt = "nothing" if position is None else echo(position)
        raise BadRecord(f"'item' must be the item's position in the response, a whole number from 0, but is {excerpt}")
    return position


def read_item(fields: Fields, is_csv: bool) -> ItemDescription:
    """Return the item of the row, with an export's description of it; raise BadRecord."""
    start, end = _whole(fields, "start", is_csv), _whole(fields, "end", is_csv)
    return ItemDescription(
        response=fields.id("response"),
        against=fields.id("against", needed=False),
        unit=fields.text("unit", Item.Unit.SENTENCE),
        position=_position(fields, is_csv),
        kind=fields.text("kind"),
        start=start if type(start) is int and 0 <= start <= MAX_POSITION else None,
        end=end if type(end) is int and 0 <= end <= MAX_POSITION else None,
        text=fields.text("text"),
        by_hand=_truth(fields, "by_hand", is_csv),
    )


def _truth(fields: Fields, name: str, is_csv: bool) -> bool | None:
    value = fields.value.get(name)
    texts = {"1": True, "0": False, "true": True, "false": False, "": None}
    meanings: dict[Any, bool | None] = texts if is_csv else {True: True, False: False}
    if value is None:
        return None
    if not isinstance(value, (str if is_csv else bool)) or value not in meanings:
        raise BadRecord(f"'{name}' must be true or false (in a CSV file 1 or 0), but is {echo(value)}")
    return meanings[value]


def answers(fields: Fields, is_csv: bool) -> SentAnswers:
    """Return the answers by question: from an object, or from one column each."""
    if not is_csv:
        return fields.object("answers")
    named = {key: text for key, text in fields.value.items() if key.startswith(ANSWERS)}
    return {key.removeprefix(ANSWERS): check_text(text, f"'{key}'") for key, text in named.items()}


class Details(TypedDict):
    """The fields of a rating besides its answers; None if the row has no value."""

    comment: str | None
    evidence: list[Passage] | None
    suggestions: str | None
    verdict_shown: bool | None
    guidelines: int | None
    seconds: float | None
    rated_at: datetime | None


def read_details(fields: Fields, is_csv: bool) -> Details:
    """Return comment, evidence, suggestions, whether verdicts were seen, guidelines, seconds and time of a row."""
    return {
        "comment": fields.text("comment") if fields.value.get("comment") is not None else None,
        "evidence": _evidence(fields, is_csv),
        "suggestions": _suggestions(fields),
        "verdict_shown": _truth(fields, "verdict_shown", is_csv),
        "guidelines": _guidelines(fields, is_csv),
        "seconds": _seconds(fields, is_csv),
        "rated_at": _time(fields.text("rated_at")),
    }


def _evidence(fields: Fields, is_csv: bool) -> list[Passage] | None:
    value = fields.value.get("evidence")
    if is_csv and value is not None:
        value = parse(value)
    if value is not None and not isinstance(value, list):
        raise BadRecord(f"'evidence' must be a list, but is {kind_of(value)}")
    return check_value(value, "'evidence'")


def _suggestions(fields: Fields) -> str | None:
    value = fields.text("suggestions")
    if value not in ("", *Rating.Suggestions.values):
        valid_values = ", ".join(Rating.Suggestions.values)
        raise BadRecord(f"'suggestions' must be one of {valid_values}, or empty, but is {echo(value)}")
    return value or None


def _guidelines(fields: Fields, is_csv: bool) -> int | None:
    number = _whole(fields, "guidelines", is_csv)
    if number is not None and (type(number) is not int or not 1 <= number <= MAX_POSITION):
        raise BadRecord(f"'guidelines' must be a version number from 1, or empty, but is {echo(number)}")
    return number


def _seconds(fields: Fields, is_csv: bool) -> float | None:
    value = fields.value.get("seconds")
    if value is None:
        return None
    try:
        seconds = float(value) if is_csv or type(value) in (int, float) else -1.0
    except (ValueError, OverflowError):
        seconds = -1.0
    if not math.isfinite(seconds) or seconds < 0:
        raise BadRecord(f"'seconds' must be a number from 0, but is {echo(value)}")
    return seconds


def _time(text: str) -> datetime | None:
    """Return a time with its time zone; UTC without one."""
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadRecord(f"'rated_at' is {echo(text)}; it must be a time such as 2026-03-10T09:00:00Z") from None
