"""Warnings about a judge with one answer only, and about few units with ratings of people."""

import pytest

from annotation.judging.judges import find_judge
from annotation.reporting import Choices, build
from annotation.reporting.judge_report import FEW_UNITS, ONE_ANSWER, compare_judge
from annotation.reporting.text.hybrid import hybrid_note
from annotation.reporting.text.judge_warnings import Verdicts, few_units_warning, hybrid_warnings, one_answer_warning
from annotation.reporting.text.names import Names
from tests.cast import ACCURATE, SEVERE, person
from tests.reporting.project_rows import MILD
from tests.reporting.sampled_studies import items_of, judge_all, rate_items, sampled_study
from tests.web.pages import without_layout
from tests.web.reports.pages import page_with_options

ONE = "Judge j@1 gives (nearly) the same answer to everything"
ONE_IN = "Judge j@1 gives (nearly) the same answer to every item in {}, so".format


def test_a_judge_has_one_answer_if_every_measure_counts_nearly_all_or_none():
    assert one_answer_warning("j@1", verdicts((1.0, 0.9), (0.0, 0.1), (None, None))).startswith(f"{ONE}, so")
    assert one_answer_warning("j@1", verdicts((0.985, 0.9), (0.015, 0.1))).startswith(f"{ONE}, so")
    assert one_answer_warning("j@1", verdicts((0.97, 0.9), (0.03, 0.1))) == ""
    assert one_answer_warning("j@1", verdicts((None, 0.5))) == ""


@pytest.mark.parametrize(
    ("judge", "people", "is_warned_of"),
    [
        (0.0, 0.1, True),
        (1.0, 0.9, True),
        (0.015, 0.1, True),
        (0.0, 0.01, True),
        (0.0, 0.0, False),
        (0.015, 0.012, False),
        (0.03, 0.1, False),
    ],
)
def test_a_measure_that_the_judge_never_reports_is_named(judge, people, is_warned_of):
    text = one_answer_warning("j@1", verdicts((0.7, 0.75), (judge, people)))
    assert text.startswith(ONE_IN("measure 1")) is is_warned_of and (is_warned_of or text == "")


def verdicts(*shares: tuple[float | None, float | None]) -> dict[str, Verdicts]:
    return {f"measure {number}": Verdicts(*pair) for number, pair in enumerate(shares)}


def test_few_units_are_named_with_their_numbers():
    assert few_units_warning({"heron": 30}, "prompt") == ""
    text = few_units_warning({"heron": 12, "tern": 31}, "document")
    assert text.startswith("Few documents with ratings of people (heron: 12). With fewer than 30, the weight λ")


def study_of(prompts: int, judge):
    """Return a study of half of the sentences, of which every fourth is not accurate."""
    project = sampled_study(prompts=prompts, systems=("heron",), sentences=4, sample=2 * prompts)
    number = {item.pk: n for n, item in enumerate(items_of(project))}
    rate_items(project, items_of(project, drawn=True), lambda item, _: MILD if number[item.pk] % 4 == 1 else ACCURATE)
    judge_all(project, lambda item: judge(number[item.pk]))
    return project


@pytest.mark.django_db
def test_an_always_accurate_judge_in_twelve_prompts_is_warned_of_everywhere(client):
    project = study_of(12, lambda n: ACCURATE)
    report = build(project, Choices(judge="j"))
    names = Names(project.protocol.definition)
    assert next(hybrid_warnings(report, names)).startswith(ONE)
    assert hybrid_note(report, names).startswith(ONE)
    notes = compare_judge(project, find_judge("j")).notes
    assert notes == report.judge_against_people.notes == [ONE_ANSWER, FEW_UNITS]
    client.force_login(person("lena"))
    assert ONE in page_with_options(client, live="1", judge="j@1")
    planner = without_layout(client.get("/projects/june/plan/?judge=j@1&more=50").content.decode())
    assert "Judge j@1 gives (nearly) the same answer" in " ".join(planner.split())


@pytest.mark.django_db
def test_the_judge_has_no_weight_in_a_measure_that_it_never_reports():
    """The judge is right about accuracy, and calls nothing severe; people call every eighth sentence severe."""
    project = sampled_study(prompts=40, systems=("heron",), sentences=4, sample=80)
    number = {item.pk: n for n, item in enumerate(items_of(project))}
    wrong = {1: MILD, 5: SEVERE}
    rate_items(project, items_of(project, drawn=True), lambda item, _: wrong.get(number[item.pk] % 8, ACCURATE))
    judge_all(project, lambda item: MILD if number[item.pk] % 4 == 1 else ACCURATE)
    report = build(project, Choices(judge="j"))
    measures = report.hybrid.overall.measures
    never = [key for key, measure in measures.items() if measure.judge_alone == 0]
    assert never == ["severely_inaccurate"] and measures["accurate"].lambda_ > 0.5
    alone = measures[never[0]].human
    estimate = measures[never[0]]
    assert (estimate.lambda_, estimate.value, estimate.low, estimate.high) == (0, alone.value, alone.low, alone.high)
    assert report.inference.constant_verdicts == "people alone"
    names = Names(project.protocol.definition)
    [warning] = hybrid_warnings(report, names)
    assert warning.startswith(ONE_IN(names.measure(never[0])))


@pytest.mark.django_db
def test_a_good_judge_in_many_prompts_is_not_warned_of():
    project = study_of(40, lambda n: MILD if n % 4 == 1 or n % 29 == 1 else ACCURATE)
    report = build(project, Choices(judge="j"))
    assert report.hybrid.overall.measures["accurate"].lambda_ > 0.5
    assert list(hybrid_warnings(report, Names(project.protocol.definition))) == []
    assert compare_judge(project, find_judge("j")).notes == []
