"""The words about estimates from people and a judge: the sentence, the notes, the Methods."""

import pytest

from annotation.judging.judges import find_judge
from annotation.models import Project
from annotation.protocols import builtin
from annotation.reporting import Choices, build
from annotation.reporting.methods.references import cited
from annotation.reporting.report import Report
from annotation.reporting.sections.hybrid.figures import Hybrid, HybridMeasure, HybridSystem, PeopleAlone
from annotation.reporting.sections.hybrid.tables import (
    Verdicts,
    few_units_warning,
    hybrid_methods,
    hybrid_note,
    hybrid_sentences,
    hybrid_warnings,
    one_answer_warning,
    with_half_width,
)
from annotation.reporting.sections.judge.comparison import FEW_UNITS, ONE_ANSWER, compare_judge
from annotation.reporting.text.names import Names
from tests.cast import ACCURATE, SEVERE, article_accuracy, signed_in
from tests.reporting.project_rows import MILD
from tests.reporting.report_builders import report
from tests.reporting.sampled_studies import items_of, judge_all, rate_items, sampled_study
from tests.web.pages import without_layout
from tests.web.reports.pages import page_with_options

NAMES = Names(builtin()["article-accuracy"])
MEASURE = HybridMeasure(0.874, 0.83, 0.908, 0.7, PeopleAlone(0.869, 0.81, 0.912, 200, 140), 0.921, 1896)


def hybrid_of(measure: HybridMeasure = MEASURE, *, rated: int = 200, **fields) -> Hybrid:
    return Hybrid(judge="J", version=1, overall=HybridSystem(None, 1900, 200, rated, {"accurate": measure}), **fields)


def test_the_sentence_has_every_figure_and_a_dash_for_what_is_undefined():
    assert list(hybrid_sentences(report(hybrid=hybrid_of()), NAMES)) == [
        "Accurate: 87.4 ± 3.9 %, from 200 ratings of people in 140 prompts and judge J on 1,896 sentences; people "
        "alone 86.9 ± 5.1 %; the judge alone 92.1 % (not an estimate)."
    ]
    assert with_half_width(PeopleAlone(0.5, None, None, 4, 2)) == "50.0 %"
    assert with_half_width(PeopleAlone(None, None, None, 0, 0)) == "–"


def test_the_note_states_an_unfinished_sample_and_ratings_that_are_not_used():
    finished = hybrid_note(report(hybrid=hybrid_of()), NAMES)
    assert "No interval where fewer than 10 prompts have an assessed rating." in finished
    assert "random part" not in finished and "was shown" not in finished
    unfinished = hybrid_note(report(hybrid=hybrid_of(rated=150, verdict_shown=1)), NAMES)
    assert "Of 200 sentences in the sample, 150 have a rating" in unfinished
    seen = (
        "1 rating is not used here, because a verdict was shown to its rater before. The estimates assume that which "
        "ratings"
    )
    assert seen in unfinished
    assert seen in hybrid_methods(report(hybrid=hybrid_of(rated=150, verdict_shown=1)), NAMES)


def test_note_and_methods_state_model_reason_and_procedure():
    named = report(hybrid=hybrid_of(returned_model="large-2026", fingerprints={"fp_1": 1_890, "fp_2": 6}))
    words = (
        "The endpoint of judge J answered as model large-2026. "
        "System fingerprints of its verdicts: fp_1 × 1,890, fp_2 × 6."
    )
    assert words in hybrid_note(named, NAMES) and words in hybrid_methods(named, NAMES)
    assert "answered as" not in hybrid_note(report(hybrid=hybrid_of()), NAMES)
    without = report(hybrid=Hybrid(judge="J", version=1, reason="no sample was drawn"))
    assert hybrid_note(without, NAMES) == "No estimates with judge J: no sample was drawn."
    assert (hybrid_methods(without, NAMES), list(hybrid_sentences(without, NAMES))) == ("", [])
    assert (hybrid_methods(report(), NAMES), hybrid_note(report(), NAMES)) == ("", "")
    text = hybrid_methods(report(hybrid=hybrid_of()), NAMES)
    assert [reference.key for reference in cited(text)] == ["angelopoulos2023", "korn1998", "zrnic2024"]
    assert "Accurate: 87.4 ± 3.9 %" in text


ONE = "Judge j@1 gives (nearly) the same answer to everything"
ONE_IN = "Judge j@1 gives (nearly) the same answer to every item in {}, so".format


@pytest.mark.parametrize(
    ("shares", "begin"),
    [
        (((1.0, 0.9), (0.0, 0.1), (None, None)), f"{ONE}, so"),
        (((0.985, 0.9), (0.015, 0.1)), f"{ONE}, so"),
        (((0.97, 0.9), (0.03, 0.1)), ""),
        (((None, 0.5),), ""),
        (((0.7, 0.75), (0.0, 0.1)), ONE_IN("measure 1")),
        (((0.7, 0.75), (1.0, 0.9)), ONE_IN("measure 1")),
        (((0.7, 0.75), (0.015, 0.1)), ONE_IN("measure 1")),
        (((0.7, 0.75), (0.0, 0.01)), ONE_IN("measure 1")),
        (((0.7, 0.75), (0.0, 0.0)), ""),
        (((0.7, 0.75), (0.015, 0.012)), ""),
        (((0.7, 0.75), (0.03, 0.1)), ""),
    ],
)
def test_a_judge_that_counts_nearly_all_or_none_is_named_in_every_measure_or_one(shares, begin):
    """Shares of the items that judge and people count, by measure."""
    text = one_answer_warning("j@1", {f"measure {number}": Verdicts(*pair) for number, pair in enumerate(shares)})
    assert text.startswith(begin) and bool(text) == bool(begin)


def test_few_units_are_named_with_their_numbers():
    assert few_units_warning({"heron": 30}, "prompt") == ""
    text = few_units_warning({"heron": 12, "tern": 31}, "document")
    assert text.startswith("Few documents with ratings of people (heron: 12). With fewer than 30, the weight λ")


def study_of(prompts: int, wrong: dict, judge) -> tuple[Project, Report]:
    """Return a study of half of the sentences, with inaccurate ones by their number modulo 8, and its report."""
    project = sampled_study(prompts=prompts, systems=("heron",), sentences=4, sample=2 * prompts)
    number = {item.pk: n for n, item in enumerate(items_of(project))}
    rate_items(project, items_of(project, drawn=True), lambda item, _: wrong.get(number[item.pk] % 8, ACCURATE))
    judge_all(project, lambda item: judge(number[item.pk]))
    return project, build(project, Choices(judge="j", resamples=200))


def warnings(report: Report) -> list[str]:
    return list(hybrid_warnings(report, Names(article_accuracy().definition)))


@pytest.mark.django_db
def test_an_always_accurate_judge_in_twelve_prompts_is_warned_of_everywhere():
    project, report = study_of(12, {1: MILD, 5: MILD}, lambda n: ACCURATE)
    assert warnings(report)[0].startswith(ONE)
    assert hybrid_note(report, Names(project.protocol.definition)).startswith(ONE)
    notes = compare_judge(project, find_judge("j")).notes
    assert notes == report.judge_against_people.notes == [ONE_ANSWER, FEW_UNITS]
    lena = signed_in("lena")
    assert ONE in page_with_options(lena, live="1", judge="j@1")
    planner = without_layout(lena.get("/projects/june/plan/?judge=j@1&more=50").content.decode())
    assert "Judge j@1 gives (nearly) the same answer" in " ".join(planner.split())


@pytest.mark.django_db
def test_the_judge_has_no_weight_in_a_measure_that_it_never_reports():
    """The judge is right about accuracy, and calls nothing severe; people call every eighth sentence severe."""
    project, report = study_of(40, {1: MILD, 5: SEVERE}, lambda n: MILD if n % 4 == 1 else ACCURATE)
    measures = report.hybrid.overall.measures
    never = [key for key, measure in measures.items() if measure.judge_alone == 0]
    assert never == ["severely_inaccurate"] and measures["accurate"].lambda_ > 0.5
    estimate, alone = measures[never[0]], measures[never[0]].human
    assert (estimate.lambda_, estimate.value, estimate.low, estimate.high) == (0, alone.value, alone.low, alone.high)
    assert report.inference.constant_verdicts == "people alone"
    [warning] = warnings(report)
    assert warning.startswith(ONE_IN(Names(project.protocol.definition).measure(never[0])))


@pytest.mark.django_db
def test_a_good_judge_in_many_prompts_is_not_warned_of():
    project, report = study_of(40, {1: MILD, 5: MILD}, lambda n: MILD if n % 4 == 1 or n % 29 == 1 else ACCURATE)
    assert report.hybrid.overall.measures["accurate"].lambda_ > 0.5
    assert warnings(report) == compare_judge(project, find_judge("j")).notes == []
