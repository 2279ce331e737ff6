"""What the Methods state from the provenance record of a frozen report: process, target, power and analysis plan."""

import pytest
from msgspec.structs import replace

from annotation.reporting.methods.design import process_sentences
from annotation.reporting.methods.inference import comparison_sentences, planning_sentences
from annotation.reporting.parts import MeasureProportion
from annotation.reporting.provenance_record import Deviation, FamilyTest, Lengths, PlanCheck, SystemLengths
from annotation.reporting.report import Report
from annotation.reporting.sections.differences.text import planned_family_note
from annotation.stats.power import DifferenceTest, detectable_from_interval
from tests.reporting.report_builders import BLINDING, PLAN, PREPARATION, RECORD, cell, comparison, names, report

pytestmark = pytest.mark.django_db


def process(**changes) -> str:
    return " ".join(process_sentences(replace(RECORD, **changes), names()))


def test_dates_training_blinding_splitter_and_lengths_are_stated():
    assert process() == (
        "The ratings were given from 2025-01-02 to 2025-02-03; each response was assigned to 3 raters. Raters"
        " were trained on 2 responses; 5 completed it (90.0 % of 20 answers correct). They had to pass a "
        "qualification test of 3 responses (at least 80.0 % correct, up to 2 attempts); 4 passed, and it was "
        "waived for 1. One response in 10 was hidden gold (75.0 % of 4 answers equal to gold). Factuary does "
        "not show raters which system produced a response, and assigns responses in random order. Responses "
        "were split into sentences by Factuary’s splitter, version 1, which uses Punkt (Kiss and Strunk, "
        "2006). Mean lengths of responses: heron 4.2 sentences (CV² 0.31) and 60 words."
    )


def test_ratings_and_items_are_told_apart_by_origin_date_kind_and_number():
    text = process(blinding=replace(BLINDING, imported=7), splitters={"": 40}, preparation=replace(
        PREPARATION, training_responses=0, qualification_responses=0, hidden_gold_every=None))  # fmt: skip
    assert "7 ratings were imported, given under conditions that the software did not control." in text
    imported = process(blinding=replace(BLINDING, imported=100))
    assert "random order" not in imported and "was assigned" not in imported
    assert "The sentences came with the data." in text and "Punkt" not in text
    assert "There was neither training nor a qualification test in the software." in text and "hidden gold" not in text
    assert process(last_rating=RECORD.first_rating).startswith("The ratings were given on 2025-01-02; each response")
    text = process(not_rated={"heading": 4, "lead_in": 1})
    assert "Not rated because of their kind: 5 items (heading 4 and lead-in to a list 1)." in text
    text = process(nothing_to_rate={"heron": 11, "tern": 1})
    assert "because nothing in them is rated: responses of heron (11) and tern (1)." in text
    marked = "that were rated are marked by their wording as likely free of claims (question 1 and courtesy 2)."
    assert f"3 sentences {marked}" in process(marked_claim_free={"question": 1, "courtesy": 2})
    assert "1 sentence that was rated is marked by its wording" in process(marked_claim_free={"question": 1})
    short = SystemLengths("heron", 1, Lengths(1.0, 1.0, None), Lengths(1.0, 1.0, None))
    assert "heron 1.0 sentences (CV² –) and 1 word." in process(lengths=[short])


TESTS = [FamilyTest("heron", "tern", "accurate", 0.0083, 0.0498), FamilyTest("heron", "tern", "inaccurate", 0, 0)]
TARGET = "The project’s precision target was a half-width of 2.0 points"


def planning(of: Report | None = None, **changes) -> str:
    sentences = planning_sentences(of or report(), replace(RECORD, **changes), names())
    return " ".join(sentence for sentence in sentences if sentence)


def pairs() -> Report:
    """Return a report with two pairs of systems on one measure: half-widths of .05 and .06 over 20 prompts."""
    fields = {"prompts": 20, "method": "t", "p": 0.01, "p_holm": 0.02}
    rows = [
        comparison(a="heron", b="tern", low=0.15, high=0.25, **fields),
        comparison(a="heron", b="plover", low=0.14, high=0.26, **fields),
    ]
    return report(comparisons=rows)


def test_the_difference_that_could_be_detected_is_that_of_the_half_widths_of_the_intervals():
    """Half-widths / t(19) = 2.0930 are the standard errors, .02389 and .02867. With t = 2.4334 for .05 / 2 tests and
    .8610 for power .8 (Student's table) about 3.294 of them are detected: 7.87 and 9.44 points.
    """
    least, most = (detectable_from_interval(half, 19, DifferenceTest(pairs=2)) for half in (0.05, 0.06))
    assert (least, most) == pytest.approx((0.0787, 0.0944), abs=0.0004)
    assert planning(pairs(), target=None).startswith(
        "With 80 % power, at alpha .05 over the 2 tests of the family (Bonferroni’s level, Holm’s first step), true "
        f"differences of at least so many points could be detected: accurate {100 * least:.1f} to {100 * most:.1f} "
        "(from the half-widths of the differences’ intervals and their degrees of freedom)."
    )


def test_unequal_prompts_have_effective_degrees_and_power_is_over_the_planned_family():
    row = comparison(a="heron", b="tern", low=0.15, high=0.25, prompts=20, method="t", p=0.01, p_holm=0.01)
    unequal = planning(report(comparisons=[replace(row, degrees_of_freedom=5.0)]), target=None)
    few, usual = (100 * detectable_from_interval(0.05, degrees, DifferenceTest()) for degrees in (5, 19))
    assert f"accurate {few:.1f} (from" in unequal and f"{few:.1f}" != f"{usual:.1f}"
    plan = replace(PLAN, family="planned", family_size=6, tests=TESTS)
    least, most = (detectable_from_interval(half, 19, DifferenceTest(pairs=6)) for half in (0.05, 0.06))
    assert "over the 6 tests of the family (Bonferroni’s level, Holm’s first step)" in planning(pairs(), plan=plan)
    assert f"accurate {100 * least:.1f} (from" in planning(pairs(), plan=plan), "heron and plover are not planned"
    whole_report = replace(plan, family="report")
    assert f"accurate {100 * least:.1f} to {100 * most:.1f} (from" in planning(pairs(), plan=whole_report)
    assert "power" not in planning()


def test_the_precision_reached_stands_beside_the_target():
    wide, narrow = (MeasureProportion(0.8, 80, 100, 0.8 - half, 0.8 + half, "bca", None, None) for half in (0.1, 0.015))
    systems = [cell({"accurate": wide}, "heron"), cell({"accurate": narrow}, "tern")]
    reached = "1 of 2 intervals of the systems’ proportions reach it, the widest has 10.0 points (accurate, heron)."
    assert planning(report(systems=systems)).startswith(f"{TARGET}; {reached}")


VERSION = "version 2 of the analysis plan (SHA-256 abcdef012345…, stored 2025-01-01, before the first rating)"
SEED, RATERS = Deviation("seed", ["1"], ["7"]), Deviation("without_raters", [], ["tom"])
UNIT, GOLD = Deviation("unit", ["auto"], ["prompt"]), Deviation("least_gold", ["0.7"], [])
EARLIER = PlanCheck(
    version=1, sha256="123456789abcdef", stored_at="2024-12-01T10:00:00Z", before_first_rating=True, deviations=[SEED],
)  # fmt: skip
PLANS = {
    "none": (None, "No analysis plan was stored in the software before the analysis, which is therefore post hoc."),
    "followed": ({}, f"The analysis follows {VERSION}."),
    "later": ({"before_first_rating": False}, "No version of the plan is from before the first rating."),
    "earlier beside a newer version": (
        {"before_first_rating": False, "earlier": EARLIER},
        "The analysis deviates from version 1 of the analysis plan (SHA-256 123456789abc…, stored 2024-12-01, before "
        "the first rating) in: seed (planned: 1; reported: 7).",
    ),
    "deviations, without the names of raters": (
        {"deviations": [SEED, RATERS]},
        f"{VERSION} in: seed (planned: 1; reported: 7); raters excluded (planned: 0; reported: 1).",
    ),
    "deviations in words": (
        {"deviations": [UNIT, GOLD]},
        "in: sampling unit (planned: by the rule; reported: prompts); accuracy on gold, at least (planned: 70 %; "
        "reported: none).",
    ),
    "family": (
        {"family": "planned", "family_size": 6, "tests": TESTS},
        "Over the plan’s family (the planned comparisons on the planned measures, 6 tests) Holm’s adjustment gives: "
        "accurate, heron − tern p = .0498; inaccurate, heron − tern p < .001.",
    ),
}


@pytest.mark.parametrize("kind", PLANS)
def test_the_plan_is_named_with_what_deviates_or_its_absence(kind):
    changes, said = PLANS[kind]
    text = planning(plan=None if changes is None else replace(PLAN, **changes))
    assert text.startswith(f"{TARGET}. ") and text.endswith(said)
    assert "tom" not in text and ("family" in text) == ("family" in said)
    assert "family" not in planning(plan=replace(PLAN, tests=TESTS))


def test_the_planned_family_is_named_in_notes_and_beside_the_tests():
    record = replace(RECORD, plan=replace(PLAN, family="report", family_size=6, tests=TESTS))
    family = (
        "The family of the analysis plan is all comparisons on all measures (6 tests); the Methods state p adjusted "
        "over it."
    )
    assert planned_family_note(record, report(), names()) == family
    apart = [FamilyTest("heron", b, "accurate", 0.01, p) for b, p in (("tern", 0.125), ("plover", 0.04))]
    conflicting = replace(record, plan=replace(record.plan, tests=apart))
    assert planned_family_note(conflicting, pairs(), names()) == (
        f"{family} Not significant over the family of the analysis plan: accurate, heron − tern p = .125."
    )
    text, separately = " ".join(comparison_sentences(pairs(), record)), "separately for each measure"
    assert "the planned family is all comparisons on all measures (6 tests)" in text and separately not in text
    assert separately in " ".join(comparison_sentences(pairs(), RECORD))
    assert planned_family_note(RECORD, pairs(), names()) == planned_family_note(None, pairs(), names()) == ""
