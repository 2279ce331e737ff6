"""Agreement in a report: bounds where every resample is the same, and the items that raters disagree on most."""

import random

import pytest

from annotation.models import Item, Project
from annotation.reporting import Choices, build
from annotation.reporting.sections.agreement import figures as disagreements
from annotation.reporting.sections.agreement.figures import MAX_ITEMS, MAX_TEXT_LENGTH
from annotation.reviewing.disagreement_ranking import ReviewSelection
from annotation.reviewing.disagreements import items_needing_review
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE
from tests.reporting.project_rows import DISPUTED, MILD, Row, project_of, store_rating

pytestmark = pytest.mark.django_db

RATERS = ("ravi", "rosa", "tom", "ines", "ada")
LOWEST = 0.025 ** (1 / (12 * (1.959964 / 2.200985) ** 2))  # as in tests/stats/test_mover.py, for 12 prompts


@pytest.mark.parametrize(
    ("prompts", "answers", "slow", "percent", "bounds"),
    [
        pytest.param(12, (ACCURATE, ACCURATE), True, 1, (LOWEST, 1), id="agreement on all items"),
        pytest.param(12, (ACCURATE, MILD), True, 0, (0, 1 - LOWEST), id="agreement on none"),
        pytest.param(9, (ACCURATE, ACCURATE), True, 1, None, id="fewer than ten prompts"),
        pytest.param(12, (ACCURATE, ACCURATE), False, 1, None, id="a live report"),
    ],
)
def test_where_nothing_varies_bounds_are_exact_or_absent(prompts, answers, slow, percent, bounds):
    rows = [Row(f"q{n}", "heron", f"r{rater}", given) for n in range(prompts) for rater, given in enumerate(answers)]
    agreement = build(project_of(rows), Choices(resamples=200), agreement_intervals=slow).agreement["accuracy"]
    assert agreement.percent == percent
    assert agreement.intervals["percent"] == (pytest.approx(bounds, abs=1e-4) if bounds else None)
    if percent:
        coefficients = (agreement.krippendorff_alpha, agreement.fleiss_kappa)
        assert coefficients == (None, None) and agreement.intervals["krippendorff_alpha"] is None


def report_of(project: Project, **choices) -> dict:
    return build(project, Choices(resamples=100, **choices)).to_dict()


def disagreements_of(project: Project, **choices) -> list[dict]:
    return report_of(project, **choices)["disagreements"]


def study(items: int) -> list[Row]:
    """Draw sentences of two systems with one to five ratings each, from six different answers."""
    chance = random.Random(1)
    answers = [ACCURATE, ACCURATE, CANNOT_ASSESS, SEVERE, MILD, DISPUTED]
    return [
        Row(f"q{n % 7}", ("heron", "tern")[n % 2], rater, chance.choice(answers), n)
        for n in range(items)
        for rater in RATERS[: chance.randint(1, 5)]
    ]


def test_equals_come_by_imported_ids_wherever_they_are_stored():
    rows = study(items=60)
    first, second = (disagreements_of(project_of(rows, f"back-{back}", backwards=back)) for back in (False, True))
    assert first == second
    keys = [(-row["disagreement"], -row["ratings"], row["prompt"], row["response"], row["item"]) for row in first]
    assert keys == sorted(keys)


def test_a_row_says_where_the_item_is_and_how_many_said_what():
    said = {3: {"ravi": ACCURATE, "rosa": SEVERE, "tom": SEVERE}, 4: {"ravi": ACCURATE, "rosa": ACCURATE}}
    rows = [Row("q1", "heron", name, answers, n) for n, each in said.items() for name, answers in each.items()]
    assert disagreements_of(project_of(rows)) == [{
        "prompt": "q1", "response": "q1.heron", "against": None, "unit": "sentence", "item": 3, "system": "heron",
        "text": "q1.heron 3", "disagreement": 5.0, "ratings": 3, "assessed": 3,
        "options": {"accurate": 1, "disputed": 0, "unsupported": 0, "inaccurate": 2, "cannot_assess": 0},
        "questions": {"severity": {"severe": 2, "not_severe": 0}},
    }]  # fmt: skip


def test_only_the_ratings_that_the_choices_leave_are_compared():
    said = {"ravi": ACCURATE, "rosa": SEVERE, "tom": ACCURATE}
    project = project_of([Row("q1", "heron", name, answers) for name, answers in said.items()])
    [row] = disagreements_of(project)
    assert row["options"]["inaccurate"] == 1
    assert disagreements_of(project, without_raters=("rosa",)) == [], "nobody disagrees"
    store_rating(project, "adjudicator", "lena", ACCURATE)
    assert disagreements_of(project, answers="adjudicated") == [row], "it is about what raters said themselves"
    for length, end in ((MAX_TEXT_LENGTH + 1, "…"), (MAX_TEXT_LENGTH, "")):
        Item.objects.update(text="é" * length)
        report = report_of(project)
        assert report["disagreements"][0]["text"] == "é" * MAX_TEXT_LENGTH + end
        assert "disagreement_tie" not in report


def test_the_list_is_that_of_the_review_but_for_the_order_of_equals(monkeypatch):
    project = project_of(study(items=40))
    review = items_needing_review(project, ReviewSelection(show="disputed"), limit=100).rows
    reported = disagreements_of(project)
    assert len(reported) == MAX_ITEMS < len(review)
    compared = [(row["disagreement"], row["ratings"]) for row in reported]
    assert compared == [(row.score, row.raters) for row in review[:MAX_ITEMS]]
    scores = {(row.item.response.key, row.item.position): row.score for row in review}
    assert all(row["disagreement"] == scores[row["response"], row["item"]] for row in reported)
    monkeypatch.setattr(disagreements, "COUNTS_PER_CHUNK", 20)
    assert disagreements_of(project) == reported, "few items at a time give the same list"


def test_a_tie_of_the_last_item_with_items_beyond_the_list_is_counted():
    """6 sentences of three ratings come first; 50 of two ratings tie for the other 14 of 20 places."""
    rows = [
        Row("q1", "heron", name, SEVERE if name == "ravi" else ACCURATE, n)
        for n in range(56)
        for name in RATERS[: 3 if n < 6 else 2]
    ]
    report = report_of(project_of(rows))
    assert [row["ratings"] for row in report["disagreements"]] == [3] * 6 + [2] * 14
    assert report["disagreement_tie"] == {"items": 50, "shown": 14}
