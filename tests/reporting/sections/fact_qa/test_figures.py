"""Fact-QA scores by question type and source class, and their correlation with people's scores, which are computed a
second time with NumPy and SciPy."""

import numpy as np
import pytest
from scipy import stats

from annotation.judging.run import run_judge
from annotation.judging.tuning import record_tuning
from annotation.model_calls.runs import RunLimits
from annotation.models import Item, Rating
from annotation.reporting.build import build
from annotation.reporting.choices import Choices
from annotation.reporting.sections.fact_qa.figures import fact_qa_report
from annotation.reporting.sections.fact_qa.tables import not_scored
from tests.fact_qa_studies import texts
from tests.judging.fake_endpoint import answer_fact_qa, fake_endpoint
from tests.judging.judges import MODES, fact_judge
from tests.reporting.fact_projects import scored_study

pytestmark = pytest.mark.django_db
CLASSES = {
    "explicit": {"yes/no", "single factual", "multi factual"},
    "implicit": {"single reasoning", "multi reasoning", "summarization"},
    "insufficient": {"no answer"},
}


def f1(precision: np.ndarray, recall: np.ndarray) -> np.ndarray:
    total = precision + recall
    return np.divide(2 * precision * recall, total, out=np.zeros_like(total), where=total > 0)


def check(report, expected: dict[str, tuple[str, np.ndarray]], human: dict[str, tuple[float, float]]) -> None:
    """Compare the report with `expected`, response -> question type and its precision and recall."""
    names = list(expected)
    precision, recall = np.array([expected[name][1] for name in names], dtype=float).T
    figures = {"precision": precision, "recall": recall, "f1": f1(precision, recall)}
    types = np.array([expected[name][0] for name in names])

    def compare(group, mask):
        assert group.responses == mask.sum()
        for figure, values in figures.items():
            mean = getattr(group, figure)
            assert (mean.value, mean.n) == (pytest.approx(values[mask].mean()), mask.sum())

    compare(report.overall, np.ones(len(names), dtype=bool))
    assert {group.value for group in report.question_types} == set(types)
    for group in report.question_types:
        compare(group, types == group.value)
    assert [group.value for group in report.source_classes] == list(CLASSES)
    for group in report.source_classes:
        compare(group, np.isin(types, list(CLASSES[group.value])))

    is_scored = np.array([name in human for name in names])
    p, r = np.array([human[name] for name in names if name in human]).T
    people = {"precision": p, "recall": r, "f1": f1(p, r)}
    assert [each.figure for each in report.correlations] == list(people)
    for each in report.correlations:
        result = stats.pearsonr(figures[each.figure][is_scored], people[each.figure])
        interval = result.confidence_interval(0.95)
        assert each.n == is_scored.sum()
        assert (each.pearson, each.low, each.high) == pytest.approx((result.statistic, interval.low, interval.high))


@pytest.fixture(scope="module")
def study(module_rows, tmp_path_factory):
    """Return a project with Ravi's scores, what is expected, and a judge of each mode that has answered."""
    project, expected, human = scored_study(tmp_path_factory.mktemp("facts"), "strict")
    with fake_endpoint(answer_fact_qa) as endpoint:
        judges = {mode: fact_judge(endpoint, mode) for mode in MODES}
        for judge in judges.values():
            run_judge(judge, project)
    return project, expected, human, judges


@pytest.mark.parametrize("mode", MODES)
def test_the_figures_by_type_and_class_and_the_correlations_are_those_of_numpy_and_scipy(study, mode):
    project, expected, human, judges = study
    report = fact_qa_report(project, judges[mode], Choices(resamples=200, cluster="prompt"))
    check(report, expected, human)
    assert (report.responses, report.scored, report.failed, report.missing, report.unreadable) == (42, 42, 0, 0, 0)
    assert report.overall.f1.low < report.overall.f1.value < report.overall.f1.high
    assert [group.value for group in report.systems] == ["system-0", "system-1"]
    by_document = fact_qa_report(project, judges[mode], Choices(resamples=200))
    assert (by_document.method.cluster, by_document.overall.f1.method) == ("document", "logit-t")


def in_report(project, judge):
    [part] = [part for part in build(project).fact_qa if part.judge == judge.label]
    return part


def test_scores_that_people_gave_after_verdicts_were_shown_are_excluded(study):
    project, expected, human, judges = study
    judge, marked = judges["strict"], sorted(human)[:4]
    Rating.objects.filter(role="rater", item__response__key__in=marked).update(verdict_shown=True)
    report = fact_qa_report(project, judge)
    check(report, expected, {key: pair for key, pair in human.items() if key not in marked})
    assert in_report(project, judge).correlations == report.correlations


def test_responses_with_an_item_that_tuned_the_prompt_are_in_no_figure(study):
    project, expected, human, judges = study
    judge, tuned = judges["strict"], sorted(human)[:4]
    assert fact_qa_report(project, judge).tuned == 0 and "tuned" not in fact_qa_report(project, judge).to_dict()
    record_tuning(judge, Item.objects.filter(response__key__in=tuned).values_list("pk", flat=True))
    report = fact_qa_report(project, judge, Choices(resamples=200, cluster="prompt"))
    rest = {key: values for key, values in expected.items() if key not in tuned}
    check(report, rest, {key: pair for key, pair in human.items() if key not in tuned})
    assert (report.responses, report.scored, report.tuned, report.missing) == (42, 38, 4, 0)
    part = in_report(project, judge)
    assert (part.tuned, part.sha256) == (4, report.sha256)
    assert not_scored(part) == "tuned the judge’s prompt, in no figure: 4"


def test_unreadable_answers_count_0_as_published_and_are_left_out_in_the_strict_mode(study):
    project, expected, human, _ = study
    pairs = list(map(texts, range(42)))
    unreadable = {texts(number)[1] for number in (3, 10)}

    def answer(body):
        is_unreadable = any(f"<answer>\n{text}\n</answer>" in body["messages"][1]["content"] for text in unreadable)
        return "I cannot say." if is_unreadable else answer_fact_qa(body)

    with fake_endpoint(answer) as endpoint:
        published, strict = (fact_judge(endpoint, mode) for mode in MODES)
        run_judge(published, project)
        run_judge(strict, project)
    # A reference answer may have the text of an unreadable response; both requests about it are then unreadable.
    zeros = {
        key: (kind, np.array([0 if text in unreadable else values[0], 0 if reference in unreadable else values[1]]))
        for (key, (kind, values)), (reference, text) in zip(expected.items(), pairs, strict=True)
    }
    report = fact_qa_report(project, published, Choices(resamples=0, cluster="prompt"))
    check(report, zeros, human)
    assert report.unreadable == sum((text in unreadable) + (reference in unreadable) for reference, text in pairs)
    valid = {key: expected[key] for key, pair in zip(expected, pairs, strict=True) if not unreadable & set(pair)}
    report = fact_qa_report(project, strict, Choices(resamples=0, cluster="prompt"))
    check(report, valid, {key: values for key, values in human.items() if key in valid})
    assert (report.scored, report.failed, report.unreadable) == (len(valid), 42 - len(valid), 0)


def test_what_is_undefined_is_null(study):
    project = study[0]
    with fake_endpoint(answer_fact_qa) as endpoint:
        judge = fact_judge(endpoint)
        Rating.objects.filter(role="rater").delete()
        nothing = fact_qa_report(project, judge).to_dict()
        run_judge(judge, project, RunLimits(limit=1))
    assert nothing["overall"]["f1"] == {"value": None, "n": 0, "low": None, "high": None, "method": "none"}
    report = fact_qa_report(project, judge).to_dict()
    assert (report["scored"], report["missing"], report["overall"]["f1"]["low"]) == (1, 41, None)
    assert report["correlations"][2] == {"figure": "f1", "n": 0, "pearson": None, "low": None, "high": None}
