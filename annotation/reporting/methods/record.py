"""Sentences of the Methods from the provenance record of a frozen report: its process and the lengths of responses.

Names of raters stay out: the sentences are the same under pseudonyms.
"""

from collections.abc import Iterator

from ...i18n.item_kinds import ITEM_KINDS
from ...i18n.numbers import localized
from ...i18n.unit_names import counted, unit_words
from ...models import Item
from ..parts import Share
from ..provenance_record import Preparation, Provenance
from ..text.figure_format import count, listed, percent
from ..text.names import Names
from .references import PUNKT

DAY = 10  # characters of a date in a time


def process_sentences(record: Provenance, names: Names) -> Iterator[str]:
    """Yield when and how the ratings were given: dates, overlap, preparation, blinding, splitter, lengths."""
    yield _dates(record)
    yield from _preparation(record.preparation)
    yield from _blinding(record)
    yield _splitter(record, names)
    if record.not_rated:
        yield _not_rated(record)
    if record.nothing_to_rate:
        sentence = "Not in any figure, because nothing in them is rated: responses of %(systems)s."
        systems = [f"{system} ({count(n)})" for system, n in record.nothing_to_rate.items()]
        yield sentence % {"systems": listed(systems, "and")}
    if record.marked_claim_free:
        yield _marked_claim_free(record, names)
    yield _lengths(record, names)


def _dates(record: Provenance) -> str:
    if record.first_rating is None or record.last_rating is None:
        return ""
    days = {"first": record.first_rating[:DAY], "last": record.last_rating[:DAY]}
    same_day = days["first"] == days["last"]
    period = (
        "The ratings were given on %(first)s" if same_day else "The ratings were given from %(first)s to %(last)s"
    ) % days
    if record.blinding.imported >= record.ratings:
        return f"{period}."
    assigned = f"each response was assigned to {counted(record.overlap, 'rater')}"
    return f"{period}; {assigned}."


def _preparation(preparation: Preparation) -> Iterator[str]:
    if preparation.training_responses:
        sentence = "Raters were trained on %(responses)s; %(n)s completed it%(share)s."
        share = _of_gold(preparation.training, " (%(share)s of %(answers)s answers correct)")
        responses = counted(preparation.training_responses, "response")
        yield sentence % {"responses": responses, "n": count(preparation.trained), "share": share}
    if preparation.qualification_responses:
        sentence = (
            "They had to pass a qualification test of %(responses)s (at least %(mark)s correct, up to "
            "%(tries)s attempts); %(n)s passed, and it was waived for %(waived)s%(share)s."
        )
        yield sentence % {
            "responses": counted(preparation.qualification_responses, "response"),
            "mark": percent(preparation.pass_mark),
            "tries": count(preparation.tries),
            "n": count(preparation.passed),
            "waived": count(preparation.waived),
            "share": _of_gold(preparation.qualification, " (%(share)s of %(answers)s answers correct)"),
        }
    if not preparation.training_responses and not preparation.qualification_responses:
        yield "There was neither training nor a qualification test in the software."
    if preparation.hidden_gold_every:
        sentence = "One response in %(n)s was hidden gold%(share)s."
        share = _of_gold(preparation.hidden_gold, " (%(share)s of %(answers)s answers equal to gold)")
        yield sentence % {"n": count(preparation.hidden_gold_every), "share": share}


def _of_gold(share: Share | None, phrase: str) -> str:
    if share is None or not share.n:
        return ""
    return phrase % {"share": percent(share.value), "answers": count(share.n)}


def _blinding(record: Provenance) -> Iterator[str]:
    """Yield what raters saw and did not see; only the number of imported ratings where all are imported."""
    blinding = record.blinding
    if blinding.imported:
        sentence = (
            "%(n)s rating was imported, given under conditions that the software did not control."
            if blinding.imported == 1
            else "%(n)s ratings were imported, given under conditions that the software did not control."
        )
        yield sentence % {"n": count(blinding.imported)}
    if blinding.imported >= record.ratings:
        return
    yield "Factuary does not show raters which system produced a response, and assigns responses in random order."
    phrases = [
        "likely passages were suggested" if blinding.suggestions else "",
        "the reference answer was shown" if blinding.reference_shown else "",
    ]
    if conditions := [phrase for phrase in phrases if phrase]:
        yield f"During rating, {listed(conditions, 'and')}."


def _splitter(record: Provenance, names: Names) -> str:
    versions = [version for version in record.splitters if version]
    units = unit_words(names.unit, 2)
    if not versions:
        return f"The {units} came with the data." if record.splitters else ""
    sentence = (
        "Responses were split into %(units)s by Factuary’s splitter, version %(version)s, which uses Punkt "
        "(%(citation)s)."
    )
    return sentence % {"units": units, "version": listed(versions, "and"), "citation": PUNKT.citation}


def _not_rated(record: Provenance) -> str:
    """State the parts of the responses that are not rated because of their kind."""
    kinds = [f"{ITEM_KINDS.get(kind, kind)} {count(n)}" for kind, n in record.not_rated.items()]
    sentence = "Not rated because of their kind: %(items)s (%(kinds)s)."
    return sentence % {"items": counted(sum(record.not_rated.values()), "item"), "kinds": listed(kinds, "and")}


def _marked_claim_free(record: Provenance, names: Names) -> str:
    """State the rated items that the splitter marks as likely free of claims."""
    marks = record.marked_claim_free
    sentence = (
        "%(items)s that was rated is marked by its wording as likely free of claims (%(reasons)s)."
        if sum(marks.values()) == 1
        else "%(items)s that were rated are marked by their wording as likely free of claims (%(reasons)s)."
    )
    reasons = [f"{Item.ClaimFree(reason).label} {count(n)}" for reason, n in marks.items()]
    return sentence % {"items": counted(sum(marks.values()), names.unit), "reasons": listed(reasons, "and")}


def _lengths(record: Provenance, names: Names) -> str:
    """State the mean lengths of each system's responses, with the variation that widens intervals."""
    parts = [
        (
            f"{row.system} {localized(f'{row.items.mean:.1f}')} {unit_words(names.unit, 2)} (CV² {'–' if row.items.cv2 is None else localized(f'{row.items.cv2:.2f}')}) and {localized(f'{row.words.mean:.0f}')} word"
            if round(row.words.mean) == 1
            else f"{row.system} {localized(f'{row.items.mean:.1f}')} {unit_words(names.unit, 2)} (CV² {'–' if row.items.cv2 is None else localized(f'{row.items.cv2:.2f}')}) and {localized(f'{row.words.mean:.0f}')} words"
        )
        for row in record.lengths
    ]
    return f"Mean lengths of responses: {'; '.join(parts)}." if parts else ""
