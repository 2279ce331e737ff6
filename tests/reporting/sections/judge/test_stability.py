"""Order bias of a judge of pairs: its share for the response that it is shown first, less that of people."""

import pytest
from django.utils import timezone

from annotation.models import Item, Prompt, Rating, Response, System
from annotation.projects.create import create_project
from annotation.reporting import Choices
from annotation.reporting.sections.judge.comparison import compare_judge
from tests.cast import dataset, newest_version, person
from tests.reporting.project_rows import judge_items

pytestmark = pytest.mark.django_db
A, B, TIE = {"preference": "a"}, {"preference": "b"}, {"preference": "tie"}


def order_of(pairs, verdicts):
    """Return the order bias of a judge: `pairs` are the system that is shown first, and people's answers."""
    data = dataset("pairs")
    systems = {name: System.objects.create(dataset=data, name=name) for name in ("heron", "tern")}
    items = []
    for number, (first, _) in enumerate(pairs):
        prompt = Prompt.objects.create(dataset=data, key=f"q{number:02}", text="Which?")
        one, two = (
            Response.objects.create(
                dataset=data, prompt=prompt, system=systems[name], key=f"q{number:02}.{place}", text=name
            )
            for place, name in enumerate([first, *sorted({"heron", "tern"} - {first})])
        )
        items.append(Item.objects.create(response=one, against=two, unit="pair", position=0, text="A and B"))
    project = create_project("pairs", data, newest_version("pairwise-preference"), overlap=1)
    Rating.objects.bulk_create(
        Rating(project=project, item=item, rater=person(name), answers=given, choices=given, counted=True,
               rated_at=timezone.now())
        for item, (_, answers) in zip(items, pairs, strict=True)
        for name, given in zip(("ravi", "rosa"), answers, strict=False)
    )  # fmt: skip
    judge = judge_items(project, {(f"q{n:02}.0", 0): verdict for n, verdict in enumerate(verdicts)})
    return compare_judge(project, judge, Choices(resamples=50)).order


def test_a_judge_that_takes_the_first_is_biased_whatever_the_system_is():
    """People prefer heron in each of twelve pairs, six of which show it first; the judge always takes the first."""
    order = order_of([("heron", [A]) if n % 2 else ("tern", [B]) for n in range(12)], [A] * 12)
    assert (order.question, order.overall.items) == ("preference", 12)
    assert (order.overall.people, order.overall.judge, order.overall.difference) == (0.5, 1, 0.5)
    assert order.overall.low < 0.5 < order.overall.high
    assert list(order.by_system) == ["heron", "tern"]
    assert [(row.people, row.judge, row.difference) for row in order.by_system.values()] == [(1, 1, 0), (0, 1, 1)]


def test_a_judge_that_prefers_what_people_prefer_has_none():
    pairs = [("heron", [A]) if n % 3 else ("tern", [B]) for n in range(12)]
    overall = order_of(pairs, [A if n % 3 else B for n in range(12)]).overall
    assert (overall.people, overall.judge, overall.difference) == (8 / 12, 8 / 12, 0)


def test_a_tie_counts_half_and_an_unanswered_pair_not():
    pairs = [("heron", [A, B]), ("heron", [TIE]), ("tern", [A]), ("tern", [])]
    overall = order_of(pairs, [A, TIE, TIE, TIE]).overall
    assert (overall.items, overall.people, overall.judge) == (3, pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert overall.low is None
