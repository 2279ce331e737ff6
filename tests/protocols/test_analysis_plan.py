"""Analysis plans as TOML: what is read, and every problem with its line."""

import hashlib

import pytest

from annotation.protocols import analysis_plan
from annotation.protocols.analysis_plan import AnalysisPlan, Exclusions, PlanError, PlanNames, load_plan, plan_sha256
from annotation.reporting import choices

NAMES = PlanNames(["accurate", "severely_inaccurate"], ["heron", "plover", "tern"], ["question_type"])
PLAN = """\
measures = ["accurate", "severely_inaccurate"]
unit = "document"
comparisons = [["plover", "heron"], ["heron", "tern"]]
family = "planned"
target = 0.02
seed = 7
resamples = 2000
hypotheses = "Heron is more often accurate than Plover."
notes = "Stop when every response has two raters."

[exclusions]
answers = "adjudicated"
least_gold = 0.7
least_seconds = 2
without_raters = ["rosa", "ravi"]
systems = ["plover", "heron"]
metadata = { question_type = ["yes/no", "extractive"] }
"""


def test_every_field_is_read():
    exclusions = Exclusions(
        answers="adjudicated", least_gold=0.7, least_seconds=2, without_raters=("ravi", "rosa"),
        systems=("heron", "plover"), metadata=(("question_type", ("extractive", "yes/no")),),
    )  # fmt: skip
    assert load_plan(PLAN, NAMES) == AnalysisPlan(
        measures=("accurate", "severely_inaccurate"), unit="document", family="planned", exclusions=exclusions,
        comparisons=(("heron", "plover"), ("heron", "tern")), target=0.02, seed=7, resamples=2000,
        hypotheses="Heron is more often accurate than Plover.", notes="Stop when every response has two raters.",
    )  # fmt: skip


def test_measures_alone_are_a_plan_of_all_comparisons_and_a_stored_one_is_read_without_its_names():
    plan = load_plan('measures = ["accurate"]', NAMES)
    assert plan == AnalysisPlan(measures=("accurate",), unit="auto", comparisons=None, family="measure")
    assert plan.pairs(["plover", "heron"]) == [("heron", "plover")]
    assert load_plan('measures = ["accurate"]\ncomparisons = "all"', NAMES) == plan
    assert load_plan('measures = ["gone"]\ncomparisons = [["a", "b"]]').comparisons == (("a", "b"),)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('["accurate", "severely_inaccurate"]', '["acurate"]', 1, "did you mean 'accurate'?"),
        ('["accurate", "severely_inaccurate"]', "[]", 1, "'measures' of the plan is empty"),
        ('unit = "document"', 'unit = "rater"', 2, "must be one of: auto, prompt, document"),
        ('["heron", "tern"]', '["heron", "owl"]', 3, "'owl', which is not a system of this project"),
        ('["heron", "tern"]', '["heron"]', 3, "comparison 2 of the plan must be two systems"),
        ('["heron", "tern"]', '["heron", "heron"]', 3, "names 'heron' twice"),
        ('["heron", "tern"]', '["heron", "plover"]', 3, "names a comparison twice"),
        ('family = "planned"', 'family = "all"', 4, "must be one of: measure, report, planned"),
        ("target = 0.02", "target = 2", 5, "must be a number from 0.001 to 0.5"),
        ("seed = 7", "seed = 1.5", 6, "must be a whole number from 0 to 4294967295"),
        ("seed = 7", "seed = true", 6, "must be a whole number"),
        ("resamples = 2000", "resamples = 1", 7, "must be a whole number from 100 to 100000"),
        ("hypotheses =", "hypothesis =", 8, "did you mean 'hypotheses'?"),
        ("seed =", "system =", 6, "it has measures, unit, comparisons, family, exclusions, target, seed, resamples, "),
        ('answers = "adjudicated"', 'answers = "gold"', 12, "must be one of: raw, adjudicated"),
        ("least_gold = 0.7", "least_gold = 70", 13, "must be a number from 0 to 1"),
        ('["rosa", "ravi"]', '["rosa", "rosa"]', 15, "each once"),
        ('systems = ["plover", "heron"]', 'systems = ["owl"]', 16, "'owl', which is not a system of this project"),
        ("question_type =", "question_tipe =", 17, "did you mean 'question_type'?"),
        ("least_seconds = 2", "fewest_seconds = 2", 14, "the table [exclusions] has no field 'fewest_seconds'"),
        ("target = 0.02", "target = ", 5, "this is not valid TOML"),
    ],
)
def test_a_problem_has_its_line_and_a_remedy(old, new, line, message):
    with pytest.raises(PlanError) as error:
        load_plan(PLAN.replace(old, new), NAMES)
    assert [problem.line for problem in error.value.problems] == [line]
    assert message in str(error.value)


def test_all_problems_are_found_at_once_and_targets_and_comparisons_must_fit():
    with pytest.raises(PlanError) as error:
        load_plan('unit = "x"\nseed = -1\nothers = 1\n', NAMES)
    assert [problem.line for problem in error.value.problems] == [1, 1, 2, 3]
    names = PlanNames(["accurate", "errors"], ["heron"], [], proportions=["accurate"])
    with pytest.raises(PlanError) as error:
        load_plan('measures = ["errors"]\ntarget = 0.02', names)
    assert "line 2" in str(error.value) and "name one of: accurate" in str(error.value)
    assert load_plan('measures = ["errors", "accurate"]\ntarget = 0.02', names).target == 0.02
    assert load_plan('measures = ["errors"]', names).target is None
    names = PlanNames(["better"], ["heron", "plover"], [], compares=False)
    assert load_plan('measures = ["better"]', names).comparisons is None
    with pytest.raises(PlanError, match="remove them"):
        load_plan('measures = ["better"]\ncomparisons = [["heron", "plover"]]', names)


def test_the_limits_are_those_of_a_report_and_the_hash_is_of_the_text_byte_for_byte():
    limits = ("MAX_SEED", "MIN_RESAMPLES", "MAX_RESAMPLES", "MAX_SECONDS", "ANSWERS")
    assert [getattr(analysis_plan, name) for name in limits] == [getattr(choices, name) for name in limits]
    assert analysis_plan.UNITS == choices.CLUSTERS
    assert plan_sha256("a = 1\r\n") == hashlib.sha256(b"a = 1\r\n").hexdigest()
