"""Sentences of the Methods from the provenance record of a frozen report: how ratings were given, the lengths of
responses, and the planning: target and precision, power, and the analysis plan with its tests.

Names of raters stay out: the sentences are the same under pseudonyms.
"""

from collections.abc import Iterator

from ...i18n.unit_names import ITEM_KINDS, counted, unit_words
from ...models import Item
from ..parts import Share
from ..planning.plans import half_widths
from ..provenance_record import PlanCheck, Preparation, Provenance
from ..report import Report
from ..sections.analysis_plan.text import topic_name, values_in_words
from ..sections.differences.text import family_in_words, family_test, has_own_family, tests_in_words
from ..sections.sensitivity.text import within_a_sentence
from ..text.figure_format import UNDEFINED, count, listed, percent
from ..text.names import Names
from .comparisons import power_sentence
from .references import PUNKT

DAY = 10  # characters of a date in a time
DIGEST = 12  # characters of a hash in a text


def process_sentences(record: Provenance, names: Names) -> Iterator[str]:
    """Yield when and how the ratings were given: dates, overlap, preparation, blinding, splitter, lengths."""
    imported = record.blinding.imported
    all_imported = imported >= record.ratings
    if record.first_rating is not None and record.last_rating is not None:
        first, last = record.first_rating[:DAY], record.last_rating[:DAY]
        period = f"on {first}" if first == last else f"from {first} to {last}"
        assigned = "" if all_imported else f"; each response was assigned to {counted(record.overlap, 'rater')}"
        yield f"The ratings were given {period}{assigned}."
    yield from _preparation(record.preparation)
    if imported:
        were = "was" if imported == 1 else "were"
        yield (
            f"{counted(imported, 'rating')} {were} imported, given under conditions that the software did not control."
        )
    if not all_imported:
        yield "Factuary does not show raters which system produced a response, and assigns responses in random order."
        aids = ["likely passages were suggested"] if record.blinding.suggestions else []
        aids += ["the reference answer was shown"] if record.blinding.reference_shown else []
        if aids:
            yield f"During rating, {listed(aids, 'and')}."
    yield from _items(record, names)


def _preparation(preparation: Preparation) -> Iterator[str]:
    if preparation.training_responses:
        responses = counted(preparation.training_responses, "response")
        share = _of_gold(preparation.training, "correct")
        yield f"Raters were trained on {responses}; {count(preparation.trained)} completed it{share}."
    if preparation.qualification_responses:
        responses = counted(preparation.qualification_responses, "response")
        share = _of_gold(preparation.qualification, "correct")
        yield (
            f"They had to pass a qualification test of {responses} (at least {percent(preparation.pass_mark)} correct, "
            f"up to {count(preparation.tries)} attempts); {count(preparation.passed)} passed, and it was waived for "
            f"{count(preparation.waived)}{share}."
        )
    if not preparation.training_responses and not preparation.qualification_responses:
        yield "There was neither training nor a qualification test in the software."
    if preparation.hidden_gold_every:
        share = _of_gold(preparation.hidden_gold, "equal to gold")
        yield f"One response in {count(preparation.hidden_gold_every)} was hidden gold{share}."


def _of_gold(share: Share | None, verdict: str) -> str:
    return f" ({percent(share.value)} of {count(share.n)} answers {verdict})" if share and share.n else ""


def _items(record: Provenance, names: Names) -> Iterator[str]:
    """Yield what the responses were split into, what is not rated of them, and each system's mean lengths with the
    variation that widens intervals.
    """
    units = unit_words(names.unit, 2)
    if versions := [version for version in record.splitters if version]:
        yield (
            f"Responses were split into {units} by Factuary’s splitter, version {listed(versions, 'and')}, which uses "
            f"Punkt ({PUNKT.citation})."
        )
    elif record.splitters:
        yield f"The {units} came with the data."
    if record.not_rated:
        kinds = listed([f"{ITEM_KINDS.get(kind, kind)} {count(n)}" for kind, n in record.not_rated.items()], "and")
        yield f"Not rated because of their kind: {counted(sum(record.not_rated.values()), 'item')} ({kinds})."
    if record.nothing_to_rate:
        systems = listed([f"{system} ({count(n)})" for system, n in record.nothing_to_rate.items()], "and")
        yield f"Not in any figure, because nothing in them is rated: responses of {systems}."
    if record.marked_claim_free:
        n = sum(record.marked_claim_free.values())
        marked = "was rated is marked by its" if n == 1 else "were rated are marked by their"
        reasons = [f"{Item.ClaimFree(reason).label} {count(n)}" for reason, n in record.marked_claim_free.items()]
        yield f"{counted(n, names.unit)} that {marked} wording as likely free of claims ({listed(reasons, 'and')})."
    lengths = []
    for row in record.lengths:
        variation = UNDEFINED if row.items.cv2 is None else f"{row.items.cv2:.2f}"
        words = "word" if round(row.words.mean) == 1 else "words"
        lengths.append(f"{row.system} {row.items.mean:.1f} {units} (CV² {variation}) and {row.words.mean:.0f} {words}")
    if lengths:
        yield f"Mean lengths of responses: {'; '.join(lengths)}."


def planning_sentences(report: Report, record: Provenance, names: Names) -> Iterator[str]:
    """Yield the precision that was wanted and reached, the power, and whether the analysis was planned."""
    if record.target is not None:
        yield _target(report, record.target, names)
    yield power_sentence(report, record, names)
    plan = record.plan
    if plan is None:
        yield "No analysis plan was stored in the software before the analysis, which is therefore post hoc."
        return
    yield _check(plan, names)
    if not plan.before_first_rating:
        yield _check(plan.earlier, names) if plan.earlier else "No version of the plan is from before the first rating."
    if has_own_family(plan):
        tests = "; ".join(family_test(test, names) for test in plan.tests if test.p_family is not None)
        yield (
            f"Over the plan’s family ({family_in_words(plan)}, {tests_in_words(plan.family_size)}) Holm’s adjustment "
            f"gives: {tests}."
        )


def _target(report: Report, target: float, names: Names) -> str:
    """State the target, how many intervals reach it, and the widest one."""
    goal = f"The project’s precision target was a half-width of {100 * target:.1f} points"
    widths = [(row.half_width, row) for row in half_widths(report, target) if row.half_width is not None]
    if not widths:
        return f"{goal}."
    widest, row = max(widths, key=lambda each: each[0])
    met = count(sum(bool(row.met) for _, row in widths))
    noun, verb = ("interval", "reaches") if len(widths) == 1 else ("intervals", "reach")
    return (
        f"{goal}; {met} of {count(len(widths))} {noun} of the systems’ proportions {verb} it, the widest has "
        f"{100 * widest:.1f} points ({names.measure(row.measure).lower()}, {row.system})."
    )


def _check(plan: PlanCheck, names: Names) -> str:
    version = (
        f"version {count(plan.version)} of the analysis plan (SHA-256 {plan.sha256[:DIGEST]}…, stored "
        f"{plan.stored_at[:DAY]}, {'before' if plan.before_first_rating else 'after'} the first rating)"
    )
    if plan.as_planned:
        return f"The analysis follows {version}."
    deviations = []
    for row in plan.deviations:
        planned, actual = (values_in_words(row.topic, values, names) for values in (row.planned, row.actual))
        if row.topic == "without_raters":  # without their names
            planned, actual = count(len(row.planned)), count(len(row.actual))
        deviations.append(f"{within_a_sentence(topic_name(row.topic))} (planned: {planned}; reported: {actual})")
    return f"The analysis deviates from {version} in: {'; '.join(deviations)}."
