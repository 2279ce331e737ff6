"""Sentences of the Methods from the provenance record of a frozen report: its process and the lengths of responses.

Names of raters stay out: the sentences are the same under pseudonyms.
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ...i18n.item_kinds import ITEM_KINDS
from ...i18n.numbers import localized
from ...i18n.unit_names import counted, unit_words
from ..provenance_record import Preparation, Provenance
from ..report import Share
from .figure_format import count, listed, percent
from .names import Names
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
    yield _lengths(record, names)


def _dates(record: Provenance) -> str:
    if record.first_rating is None or record.last_rating is None:
        return ""
    days = {"first": record.first_rating[:DAY], "last": record.last_rating[:DAY]}
    same_day = days["first"] == days["last"]
    given = (
        _("The ratings were given on %(first)s") if same_day else _("The ratings were given from %(first)s to %(last)s")
    ) % days
    if record.blinding.imported >= record.ratings:
        return f"{given}."
    assigned = _("each response was assigned to %(raters)s") % {"raters": counted(record.overlap, "rater")}
    return f"{given}; {assigned}."


def _preparation(made: Preparation) -> Iterator[str]:
    if made.training_responses:
        sentence = _("Raters were trained on %(responses)s; %(n)s completed it%(share)s.")
        share = _of_gold(made.training, _(" (%(share)s of %(answers)s answers correct)"))
        responses = counted(made.training_responses, "response")
        yield sentence % {"responses": responses, "n": count(made.trained), "share": share}
    if made.qualification_responses:
        sentence = _(
            "They had to pass a qualification of %(responses)s (at least %(mark)s correct, up to %(tries)s attempts); "
            "%(n)s passed and %(waived)s were exempt%(share)s."
        )
        yield sentence % {
            "responses": counted(made.qualification_responses, "response"),
            "mark": percent(made.pass_mark),
            "tries": count(made.tries),
            "n": count(made.passed),
            "waived": count(made.waived),
            "share": _of_gold(made.qualification, _(" (%(share)s of %(answers)s answers correct)")),
        }
    if not made.training_responses and not made.qualification_responses:
        yield _("There was neither training nor a qualification test in the software.")
    if made.hidden_gold_every:
        sentence = _("One response in %(n)s was hidden gold%(share)s.")
        share = _of_gold(made.hidden_gold, _(" (%(share)s of %(answers)s answers equal to gold)"))
        yield sentence % {"n": count(made.hidden_gold_every), "share": share}


def _of_gold(share: Share | None, phrase: str) -> str:
    if share is None or not share.n:
        return ""
    return phrase % {"share": percent(share.value), "answers": count(share.n)}


def _blinding(record: Provenance) -> Iterator[str]:
    """Yield what raters were not shown; only the number of imported ratings where all are imported."""
    blinding = record.blinding
    if blinding.imported:
        sentence = ngettext(
            "%(n)s rating was imported, given under conditions that the software did not control.",
            "%(n)s ratings were imported, given under conditions that the software did not control.",
            blinding.imported,
        )
        yield sentence % {"n": count(blinding.imported)}
    if blinding.imported >= record.ratings:
        return
    phrases = [
        _("the names of the systems were hidden") if blinding.system_names_hidden else "",
        _("responses came in random order") if blinding.random_order else "",
        _("likely passages were suggested") if blinding.suggestions else "",
        _("the reference answer was shown") if blinding.reference_shown else "",
    ]
    if shown := [phrase for phrase in phrases if phrase]:
        yield _("In the software %(conditions)s.") % {"conditions": listed(shown, _("and"))}


def _splitter(record: Provenance, names: Names) -> str:
    made = [version for version in record.splitters if version]
    units = unit_words(names.unit, 2)
    if not made:
        return _("The %(units)s came with the data.") % {"units": units} if record.splitters else ""
    sentence = _(
        "Responses were split into %(units)s by Factuary’s splitter, version %(version)s, which uses Punkt "
        "(%(citation)s)."
    )
    return sentence % {"units": units, "version": listed(made, _("and")), "citation": PUNKT.citation}


def _not_rated(record: Provenance) -> str:
    """State the parts of the responses that are not rated because of their kind."""
    kinds = [f"{ITEM_KINDS.get(kind, kind)} {count(n)}" for kind, n in record.not_rated.items()]
    sentence = _("Not rated because of their kind: %(items)s (%(kinds)s).")
    return sentence % {"items": counted(sum(record.not_rated.values()), "item"), "kinds": listed(kinds, _("and"))}


def _lengths(record: Provenance, names: Names) -> str:
    """State the mean lengths of each system's responses, with the variation that widens intervals."""
    parts = [
        _("%(system)s %(items)s %(units)s (CV² %(cv2)s) and %(words)s words")
        % {
            "system": one.system,
            "items": localized(f"{one.items.mean:.1f}"),
            "units": unit_words(names.unit, 2),
            "cv2": "–" if one.items.cv2 is None else localized(f"{one.items.cv2:.2f}"),
            "words": localized(f"{one.words.mean:.0f}"),
        }
        for one in record.lengths
    ]
    return _("Mean lengths of responses: %(parts)s.") % {"parts": "; ".join(parts)} if parts else ""
