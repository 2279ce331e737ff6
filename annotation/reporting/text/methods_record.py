"""Sentences of the Methods from the provenance record of a frozen report: its process, lengths and analysis plan.

Names of raters stay out: the sentences are the same under pseudonyms.
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ...i18n.item_kinds import ITEM_KINDS
from ...i18n.numbers import localized
from ...i18n.unit_names import counted, unit_words
from ...protocols.analysis_plan import BY_MEASURE, PLANNED
from ..provenance_record import Deviation, FamilyTest, PlanRecord, Preparation, Provenance
from ..report import Share
from .figure_format import count, listed, p_value, percent
from .names import Names
from .plan_deviations import topic_name, values_in_words
from .references import PUNKT
from .sensitivity import within_a_sentence

DIGEST = 12  # characters of a hash in a text
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


def planning_sentences(record: Provenance, names: Names) -> Iterator[str]:
    """Yield the precision that was wanted, and whether the analysis was planned."""
    if record.target is not None:
        target = localized(f"{100 * record.target:.1f}")
        yield _("The target was a half-width of %(points)s points.") % {"points": target}
    yield _plan(record.plan, names)
    if record.plan is not None and (family := _family(record.plan, names)):
        yield family


def _plan(plan: PlanRecord | None, names: Names) -> str:
    if plan is None:
        return _("No analysis plan was stored in the software before the analysis, which is therefore post hoc.")
    when = _("before the first rating") if plan.before_first_rating else _("after the first rating")
    version = _("version %(version)s of the analysis plan (SHA-256 %(hash)s…, stored %(day)s, %(when)s)") % {
        "version": count(plan.version),
        "hash": plan.sha256[:DIGEST],
        "day": plan.stored_at[:DAY],
        "when": when,
    }
    if plan.as_planned:
        return _("The analysis follows %(plan)s.") % {"plan": version}
    deviations = "; ".join(_deviation(deviation, names) for deviation in plan.deviations)
    return _("The analysis deviates from %(plan)s in: %(deviations)s.") % {"plan": version, "deviations": deviations}


def _family(plan: PlanRecord, names: Names) -> str:
    """State the tests over the plan's family, where that is not the pairs of each measure; "" without such tests."""
    tests = [test for test in plan.tests if test.p_family is not None]
    if plan.family == BY_MEASURE or not tests:
        return ""
    covered = (
        _("the planned comparisons on the planned measures")
        if plan.family == PLANNED
        else _("all comparisons on all measures")
    )
    sentence = _("Over the plan’s family (%(covered)s, %(n)s tests) Holm’s adjustment gives: %(tests)s.")
    parts = "; ".join(_family_test(test, names) for test in tests)
    return sentence % {"covered": covered, "n": count(plan.family_size), "tests": parts}


def _family_test(test: FamilyTest, names: Names) -> str:
    p = p_value(test.p_family)
    relation = "p " if p.startswith("<") else "p = "
    return f"{names.measure(test.measure).lower()}, {test.a} − {test.b} {relation}{p}"


def _deviation(deviation: Deviation, names: Names) -> str:
    """Name a deviation; excluded raters are counted, not named."""
    topic, planned, actual = deviation.topic, deviation.planned, deviation.actual
    if topic == "without_raters":
        numbers = {"planned": count(len(planned)), "actual": count(len(actual))}
    else:
        sides = {"planned": planned, "actual": actual}
        numbers = {side: values_in_words(topic, values, names) for side, values in sides.items()}
    sentence = _("%(topic)s (planned: %(planned)s; reported: %(actual)s)")
    return sentence % {"topic": within_a_sentence(topic_name(topic)), **numbers}
