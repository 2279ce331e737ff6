"""The report's table of raters and of pairs of raters."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from msgspec import to_builtins

from annotation.models import Item, Project, Rating
from annotation.reporting.data.study import read_study
from annotation.reporting.sections.agreement.figures import rater_pairs
from annotation.reporting.sections.raters.figures import raters_of
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, person
from tests.reporting.project_rows import MILD, Row, project_of, worked_example

pytestmark = pytest.mark.django_db

MONDAY = datetime(2026, 11, 16, 9, tzinfo=UTC)  # of week 47


def rows_of(project: Project) -> dict[str, dict]:
    return {row.rater: to_builtins(row) for row in raters_of(read_study(project))}


def flags_of(project: Project) -> dict[str, list[str]]:
    return {name: row["flags"] for name, row in rows_of(project).items()}


def pairs_of(project: Project) -> dict[str, list]:
    study = read_study(project)
    return to_builtins(rater_pairs(study.by_raters, study.cells))


def study(slug: str = "june", **answers: list[dict]) -> Project:
    """Create one sentence a prompt; each rater's answers are in the order of the prompts."""
    return project_of(
        (
            Row(f"q{n:03}", "heron", name, given)
            for name, all_given in answers.items()
            for n, given in enumerate(all_given)
        ),
        slug,
    )


def store(project: Project, name: str, role: str, *labels: dict, rated_at: datetime = MONDAY) -> None:
    """Store answers in this role to the first items."""
    for item, label in zip(Item.objects.order_by("response__prompt__key"), labels, strict=False):
        Rating.objects.create(
            project=project, item=item, rater=person(name), answers=label, choices=label, role=role, rated_at=rated_at
        )


def times(**seconds: float) -> None:
    for name, each in seconds.items():
        Rating.objects.filter(rater=person(name)).update(seconds=each)


def test_the_worked_example_rater_by_rater_in_whatever_order_it_is_stored(monkeypatch):
    project = project_of(worked_example())
    rows = rows_of(project)
    assert list(rows) == ["ravi", "rosa", "tom"]
    assert [(row["ratings"], row["assessed"]) for row in rows.values()] == [(51, 47), (51, 46), (51, 44)]
    for row in rows.values():
        assert row["gold"] is row["adjudicated"] is row["seconds"] is row["quick"] is None
        assert row["leave_one_out"]["low"] < row["leave_one_out"]["value"] <= row["leave_one_out"]["high"]
        assert row["flags"] == []
    assert rows == rows_of(project_of(worked_example(), "back", backwards=True))
    monkeypatch.setattr("annotation.reporting.sections.agreement.figures.MAX_RATERS", 1)
    assert set(map(len, pairs_of(project).values())) == {0}, "more raters than a table holds"


def test_gold_is_compared_with_all_options_and_adjudications_are_a_separate_reference():
    project = study(ravi=[ACCURATE, ACCURATE, CANNOT_ASSESS, SEVERE], rosa=[ACCURATE, SEVERE, ACCURATE, ACCURATE])
    store(project, "ines", "gold", ACCURATE, SEVERE, CANNOT_ASSESS)
    store(project, "ines", "adjudicator", ACCURATE, SEVERE)
    rows = rows_of(project)
    gold = rows["ravi"]["gold"]
    assert (gold["k"], gold["n"], gold["value"]) == (2, 3, 2 / 3)
    assert (gold["low"], gold["high"]) == pytest.approx((0.2077, 0.9385), abs=1e-4), "Wilson’s bounds"
    assert [row["adjudicated"]["value"] for row in rows.values()] == [0.5, 1]


def test_the_newest_gold_answer_counts_and_nobody_is_measured_with_their_own():
    project = study(ravi=[ACCURATE], rosa=[ACCURATE])
    store(project, "ines", "gold", SEVERE, rated_at=MONDAY - timedelta(days=1))
    store(project, "rosa", "gold", ACCURATE)
    rows = rows_of(project)
    assert rows["ravi"]["gold"]["value"] == 1
    assert rows["rosa"]["gold"] is None


def test_identical_raters_agree_wholly_and_one_alone_is_compared_with_nobody():
    same = [ACCURATE, MILD, SEVERE] * 5
    for row in rows_of(study(ravi=same, rosa=same, tom=same)).values():
        assert row["leave_one_out"]["value"] == 1 and row["leave_one_out"]["n"] == 15
        assert row["leniency"]["value"] == row["leniency"]["raw"] == 0
        assert row["flags"] == []
    row = rows_of(study("alone", ravi=[ACCURATE, SEVERE]))["ravi"]
    assert row["leave_one_out"] is row["leniency"] is None
    assert rows_of(project_of([], "empty")) == {}


def test_time_and_very_quick_answers():
    project = study(ravi=[ACCURATE] * 4, rosa=[ACCURATE] * 4)
    for rating, seconds in zip(Rating.objects.filter(rater=person("ravi")), (1, 1.5, 30, None), strict=True):
        Rating.objects.filter(pk=rating.pk).update(seconds=seconds)
    ravi = rows_of(project)["ravi"]
    assert (ravi["seconds"], ravi["quick"]) == (1.5, {"value": 2 / 3, "k": 2, "n": 3})


def test_drift_is_told_week_by_week_in_utc():
    project = study(ravi=[ACCURATE, ACCURATE, SEVERE], rosa=[ACCURATE, SEVERE, SEVERE])
    Rating.objects.update(rated_at=MONDAY - timedelta(hours=10))  # Sunday evening: week 46
    Rating.objects.filter(item__response__prompt__key="q002").update(rated_at=MONDAY)
    first, second = rows_of(project)["ravi"]["weeks"]
    assert first == {"week": "2026-W46", "ratings": 2, "accurate": 1, "leave_one_out": 0.5, "leniency": 0.5}
    assert second == {"week": "2026-W47", "ratings": 1, "accurate": 0, "leave_one_out": 1, "leniency": 0}


def test_a_rater_far_from_gold_is_flagged_and_one_with_few_gold_answers_is_not():
    project = study(ravi=[ACCURATE] * 40, rosa=[ACCURATE] * 2, tom=[ACCURATE] * 40)
    store(project, "ines", "gold", *[SEVERE] * 2, *[SEVERE, ACCURATE] * 19)
    rows = rows_of(project)
    assert rows["ravi"]["gold"]["k"] == 19 and rows["ravi"]["flags"] == ["below gold"]
    assert rows["rosa"]["gold"]["value"] == 0 and "below gold" in rows["rosa"]["flags"]  # 0 of 2: at most 65.8 %
    Rating.objects.filter(role="gold", item__response__prompt__key="q000").delete()
    assert flags_of(project)["rosa"] == []  # 0 of 1: at most 79.3 %


def test_a_lenient_rater_is_flagged_and_those_beside_are_not():
    half = [ACCURATE, MILD] * 60
    project = study(ravi=half, rosa=half, tom=[ACCURATE] * 120)
    assert rows_of(project)["tom"]["leniency"]["low"] > 0.1
    assert flags_of(project) == {"ravi": [], "rosa": [], "tom": ["lenient", "disagrees"]}


def test_speed_alone_is_no_flag():
    same = [ACCURATE, MILD] * 15
    project = study(ravi=same, rosa=same, tom=same)
    times(ravi=30, rosa=30, tom=3)
    assert flags_of(project)["tom"] == []
    wrong = Rating.objects.filter(rater=person("tom"), item__response__prompt__key="q000")
    wrong.update(answers=SEVERE, choices=SEVERE)
    assert flags_of(project)["tom"] == ["much faster"]


def test_a_time_in_which_nobody_reads_is_a_flag_whatever_the_others_do():
    same = [ACCURATE, MILD] * 10
    project = study(ravi=same, rosa=same, tom=same[:19])
    times(ravi=0.1, rosa=1, tom=0.1)
    assert flags_of(project) == {"ravi": ["too fast"], "rosa": [], "tom": []}  # tom: 19 timed ratings


def test_each_two_raters_with_the_items_they_share_and_the_figures_of_raters_need_no_query():
    project = study(ravi=[ACCURATE, ACCURATE, SEVERE], rosa=[ACCURATE, MILD, MILD], tom=[ACCURATE])
    pairs = pairs_of(project)
    assert list(pairs) == ["accuracy", "severity", "accurate_or_not", "severity_scale"]
    shared = [(pair["a"], pair["b"], pair["items"]) for pair in pairs["accuracy"]]
    assert shared == [("ravi", "rosa", 3), ("ravi", "tom", 1), ("rosa", "tom", 1)]
    first = pairs["accuracy"][0]
    assert first["percent"] == 2 / 3
    # used: accurate 3/6, inaccurate 3/6; chance (1/4 + 1/4) / 3 = 1/6; (2/3 - 1/6) / (1 - 1/6)
    assert first["ac1"] == pytest.approx(0.6)
    assert pairs["severity"] == [{"a": "ravi", "b": "rosa", "items": 1, "percent": 0, "ac1": -1}]
    read = read_study(project)
    with CaptureQueriesContext(connection) as queries:
        raters_of(read)
    assert len(queries) == 0
