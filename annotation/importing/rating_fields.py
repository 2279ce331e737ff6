"""The fields of one row of ratings: what each says, in JSON lines or in CSV, and what is wrong with it."""

import math
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext as _

from ..models import Item, Rating
from .json_fields import Fields, check_text, check_value, kind_of
from .json_stream import parse
from .manual_items import Described
from .problems import Broken, echo

ANSWERS = "answers."  # begins the names of CSV columns that hold answers
LARGEST_POSITION = 2**31 - 1


def _whole(fields: Fields, name: str, is_csv: bool) -> Any:
    """What the row says under `name`: digits in a CSV file are a number."""
    found = fields.value.get(name)
    if is_csv and isinstance(found, str) and found.isascii() and found.isdigit() and len(found) < 12:
        return int(found)
    return found


def _position(fields: Fields, is_csv: bool) -> int:
    found = _whole(fields, "item", is_csv)
    if type(found) is not int or not 0 <= found <= LARGEST_POSITION:
        what = _("nothing") if found is None else echo(found)
        raise Broken(
            _("'item' must be the item's position in the response, a whole number from 0, and is %(what)s")
            % {"what": what}
        )
    return found


def described(fields: Fields, is_csv: bool) -> Described:
    """The item that the row is about, with what an export says of it; raises Broken."""
    start, end = _whole(fields, "start", is_csv), _whole(fields, "end", is_csv)
    return Described(
        response=fields.id("response"),
        against=fields.id("against", needed=False),
        unit=fields.text("unit", Item.Unit.SENTENCE),
        position=_position(fields, is_csv),
        kind=fields.text("kind"),
        start=start if type(start) is int and 0 <= start <= LARGEST_POSITION else None,
        end=end if type(end) is int and 0 <= end <= LARGEST_POSITION else None,
        text=fields.text("text"),
        by_hand=_by_hand(fields, is_csv),
    )


def _by_hand(fields: Fields, is_csv: bool) -> bool | None:
    found = fields.value.get("by_hand")
    known: dict[Any, bool | None] = {"1": True, "0": False, "": None} if is_csv else {True: True, False: False}
    if found is None:
        return None
    if not isinstance(found, (str if is_csv else bool)) or found not in known:
        raise Broken(
            _("'by_hand' must be true or false (in a CSV file 1 or 0), and is %(found)s") % {"found": echo(found)}
        )
    return known[found]


def answers(fields: Fields, is_csv: bool) -> dict[str, Any]:
    """What was answered, by question: an object, or a column each."""
    if not is_csv:
        return fields.object("answers")
    named = {key: text for key, text in fields.value.items() if key.startswith(ANSWERS)}
    return {key.removeprefix(ANSWERS): check_text(text, f"'{key}'") for key, text in named.items()}


def said(fields: Fields, is_csv: bool) -> dict[str, Any]:
    """Comment, evidence, suggestions, guidelines, seconds and time, where the row says them."""
    said = {
        "comment": fields.text("comment") if fields.value.get("comment") is not None else None,
        "evidence": _evidence(fields, is_csv),
        "suggestions": _suggestions(fields),
        "guidelines": _guidelines(fields, is_csv),
        "seconds": _seconds(fields, is_csv),
        "rated_at": _time(fields.text("rated_at")),
    }
    return {name: value for name, value in said.items() if value is not None}


def _evidence(fields: Fields, is_csv: bool) -> list[Any] | None:
    found = fields.value.get("evidence")
    if is_csv and found is not None:
        found = parse(found)
    if found is not None and not isinstance(found, list):
        raise Broken(_("'evidence' must be a list, and is %(found)s") % {"found": kind_of(found)})
    return check_value(found, "'evidence'")


def _suggestions(fields: Fields) -> str | None:
    found = fields.text("suggestions")
    if found not in ("", *Rating.Suggestions.values):
        known = ", ".join(Rating.Suggestions.values)
        raise Broken(
            _("'suggestions' must be one of %(known)s, or nothing, and is %(found)s")
            % {"known": known, "found": echo(found)}
        )
    return found or None


def _guidelines(fields: Fields, is_csv: bool) -> int | None:
    found = _whole(fields, "guidelines", is_csv)
    if found is not None and (type(found) is not int or not 1 <= found <= LARGEST_POSITION):
        raise Broken(
            _("'guidelines' must be a version's number, a whole number from 1, or nothing, and is %(found)s")
            % {"found": echo(found)}
        )
    return found


def _seconds(fields: Fields, is_csv: bool) -> float | None:
    found = fields.value.get("seconds")
    if found is None:
        return None
    try:
        seconds = float(found) if is_csv or type(found) in (int, float) else -1.0
    except (ValueError, OverflowError):
        seconds = -1.0
    if not math.isfinite(seconds) or seconds < 0:
        raise Broken(_("'seconds' must be a number from 0, and is %(found)s") % {"found": echo(found)})
    return seconds


def _time(text: str) -> datetime | None:
    """A time with its zone; one without is taken as UTC."""
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Broken(
            _("'rated_at' is %(text)s, and not a time such as 2026-03-10T09:00:00Z") % {"text": echo(text)}
        ) from None
