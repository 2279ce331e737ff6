"""The provenance record: what is stored beside a frozen report."""

import statistics
from datetime import UTC, datetime

import pytest
from django.db import ProgrammingError

from annotation.models import Item, Rating, Report, Response, Sheet
from annotation.projects.analysis_plans import set_plan
from annotation.rating.bulk_storage import NewRating, store_ratings
from annotation.reporting import Choices, freeze
from annotation.reporting.frozen_reports import stored_provenance
from annotation.reporting.parts import Share
from annotation.reporting.provenance import provenance_of
from annotation.reporting.provenance_record import Attempts, Deviation, Lengths, Provenance
from tests.cast import ACCURATE, SEVERE, Study, study
from tests.gold_studies import gold_sheets_for, make_gold, rate_next, start_attempt
from tests.reporting.project_rows import project_of, report_of, two_systems

pytestmark = pytest.mark.django_db

PLAN = """\
measures = ["accurate"]
comparisons = [["heron", "plover"]]
family = "planned"
seed = 1
resamples = 200
"""


def provenance(project, **choices) -> Provenance:
    return provenance_of(project, report_of(project, **choices))


def test_dates_raters_and_lengths_are_those_of_the_counted_ratings():
    project = project_of(two_systems(3))
    first, last = datetime(2026, 3, 1, 9, tzinfo=UTC), datetime(2026, 4, 2, 17, 30, tzinfo=UTC)
    ratings = list(Rating.objects.order_by("pk"))
    Rating.objects.filter(pk=ratings[0].pk).update(rated_at=first)
    Rating.objects.exclude(pk=ratings[0].pk).update(rated_at=last)
    Item.objects.filter(response__system__name="heron").update(splitter="2")
    for n, response in enumerate(Response.objects.filter(system__name="heron").order_by("key"), start=1):
        Response.objects.filter(pk=response.pk).update(text="word " * n)
    record = provenance(project)
    assert (record.project, record.title, record.dataset, record.overlap) == ("june", project.title, "june", 1)
    assert (record.first_rating, record.last_rating) == ("2026-03-01T09:00:00+00:00", "2026-04-02T17:30:00+00:00")
    assert record.ratings == 12
    assert [(rater.rater, rater.ratings) for rater in record.raters] == [("ravi", 6), ("rosa", 6)]
    assert record.splitters == {"": 3, "2": 3}
    assert (record.guidelines, record.blinding.imported, record.target, record.plan) == ({"": 12}, 12, None, None)
    heron, plover = record.lengths
    cv2 = statistics.variance([1, 2, 3]) / 2**2
    assert (heron.system, heron.responses, heron.items) == ("heron", 3, Lengths(1.0, 1.0, 0.0))
    assert heron.words == Lengths(2.0, 2.0, pytest.approx(cv2))
    assert plover.system == "plover"


def test_what_the_report_does_not_show_is_counted_under_its_filters():
    project = project_of(two_systems(3))
    record = provenance(project, without_raters=("rosa",), systems=("heron",))
    assert [(rater.rater, rater.ratings) for rater in record.raters] == [("ravi", 3)]
    assert [lengths.system for lengths in record.lengths] == ["heron"]
    assert (record.ratings, record.blinding.imported) == (3, 3)

    def counted(**choices) -> tuple[dict, dict, dict]:
        record = provenance(project, **choices)
        return record.not_rated, record.nothing_to_rate, record.marked_claim_free

    assert counted() == ({}, {}, {})
    heron, plover = (Item.objects.filter(response__system__name=name, rate=True) for name in ("heron", "plover"))
    Item.objects.filter(pk__in=[item.pk for item in heron[:2]]).update(claim_free="question")
    Item.objects.filter(pk=plover[0].pk).update(claim_free="courtesy")
    for system, kind, position in (("heron", "heading", 7), ("heron", "code", 8), ("plover", "heading", 7)):
        response = Response.objects.filter(system__name=system).earliest("key")
        place = {"unit": "sentence", "position": position, "start": 0, "end": 1}
        Item.objects.create(response=response, kind=kind, rate=False, text="x", **place)
    response = Response.objects.filter(system__name="heron").earliest("key")
    empty = Response.objects.create(
        dataset=project.dataset, prompt=response.prompt, system=response.system, key="empty", text="<think>x</think>"
    )
    Sheet.objects.create(project=project, response=empty, rank=1)
    assert counted() == ({"code": 1, "heading": 2}, {"heron": 1}, {"question": 2, "courtesy": 1})
    assert counted(systems=("plover",)) == ({"heading": 1}, {}, {"courtesy": 1})


def test_training_qualification_and_gold_are_by_rater_and_pooled():
    june = study(prompts=4, overlap=2, sentences=2)
    gold_sheets_for(june, "training", 0)
    gold_sheets_for(june, "qualification", 1)
    make_gold(june, 2)
    for name, misses in (("ravi", 1), ("rosa", 0)):
        for purpose in ("training", "qualification"):
            start_attempt(june.project, june.people[name], purpose)
            rate_next(june, name, SEVERE, but=misses if purpose == "training" else 0)
        for _ in range(2):
            rate_next(june, name, SEVERE)
    record = provenance(june.project)
    ravi, rosa = record.raters
    right = [attempts.right for attempts in (ravi.training, rosa.training, ravi.qualification)]
    assert right == [1, 2, 2] and ravi.training == Attempts(1, passed=True, right=1, items=2)
    assert (ravi.gold, ravi.hidden_gold, ravi.waived) == (Share(1.0, 2, 2), None, False)
    preparation = record.preparation
    assert (preparation.training_responses, preparation.qualification_responses) == (1, 1)
    assert (preparation.trained, preparation.passed, preparation.waived) == (2, 2, 0)
    assert (preparation.training, preparation.qualification) == (Share(0.75, 3, 4), Share(1.0, 4, 4))
    assert (preparation.gold, preparation.hidden_gold) == (Share(1.0, 4, 4), None)
    assert (record.blinding.imported, preparation.hidden_gold_every) == (0, None)


def test_hidden_gold_stands_apart_from_counted_gold():
    june = study(prompts=4, overlap=1, sentences=1, raters=("ravi",))
    gold_sheets_for(june, "gold", 0)
    june.project.gold_every = 2
    june.project.save()
    for _ in range(4):
        rate_next(june, "ravi", ACCURATE)
    record = provenance(june.project)
    assert record.raters[0].hidden_gold == Share(0.0, 0, 1) == record.preparation.hidden_gold
    assert (record.raters[0].gold, record.preparation.hidden_gold_every) == (None, 2)


@pytest.fixture
def planned() -> Study:
    """Return a study with a plan, and a rating of each item by both raters, imported after it."""
    june = study(prompts=3, systems=("heron", "plover"), sentences=1)
    set_plan(june.project, PLAN)
    items, raters = Item.objects.all(), [june.people[name] for name in ("ravi", "rosa")]
    store_ratings(june.project, [NewRating(item, rater, ACCURATE) for item in items for rater in raters])
    return june


def test_a_plan_from_before_the_first_rating_that_was_followed(planned):
    plan = provenance(planned.project).plan
    version = planned.project.analysis_plans.get()
    assert (plan.version, plan.sha256, plan.before_first_rating) == (1, version.sha256, True)
    assert plan.as_planned and plan.earlier is None
    assert (plan.family, plan.family_size) == ("planned", 1)
    assert plan.unplanned == ["inaccurate", "severely_inaccurate"]
    [test] = plan.tests
    assert (test.a, test.b, test.measure, test.p_family) == ("heron", "plover", "accurate", test.p)
    plan = provenance(planned.project, seed=2, without_raters=("rosa",), cluster="prompt").plan
    deviations = [("unit", ["auto"], ["prompt"]), ("seed", ["1"], ["2"]), ("without_raters", [], ["rosa"])]
    assert plan.deviations == [Deviation(*deviation) for deviation in deviations]


def test_a_change_after_the_first_rating_is_shown_with_the_plan_from_before_it(planned):
    set_plan(planned.project, PLAN.replace("seed = 1", "seed = 5"))
    plan = provenance(planned.project, seed=5).plan
    assert (plan.version, plan.before_first_rating, plan.as_planned) == (2, False, True)
    assert (plan.earlier.version, plan.earlier.before_first_rating) == (1, True)
    assert plan.earlier.deviations == [Deviation("seed", ["1"], ["5"])]


def test_a_plan_is_from_after_ratings_that_were_stored_before_it_or_imported_later_but_given_before(planned):
    project = project_of(two_systems(3), "stored")
    set_plan(project, PLAN)
    plan = provenance(project).plan
    assert plan.as_planned and not plan.before_first_rating and plan.earlier is None
    earlier = datetime(2020, 1, 1, tzinfo=UTC)
    planned.project.ratings.filter(item__response__system__name="heron").update(rated_at=earlier)
    assert not provenance(planned.project).plan.before_first_rating


def test_the_record_is_stored_beside_the_bytes_of_the_report_and_does_not_change():
    project = project_of(two_systems(3))
    report = report_of(project, slow=True)
    frozen = freeze(project, Choices(resamples=200))
    assert frozen.document.encode() == report.to_json()
    assert stored_provenance(Report.objects.get()) == provenance_of(project, report)
    rater = Rating.objects.filter(rater__username="rosa").first().rater
    rater.username = "erased-7"
    rater.save()
    assert [row.rater for row in stored_provenance(frozen).raters] == ["ravi", "rosa"]
    assert [row.rater for row in provenance(project).raters] == ["erased-7", "ravi"]
    with pytest.raises(ProgrammingError, match="Cannot update"):
        Report.objects.update(provenance={})


def test_an_older_report_has_no_record_and_one_without_ratings_an_empty_one():
    project = project_of([])
    assert stored_provenance(Report.objects.create(project=project, document="{}", data_sha256="")) is None
    record = provenance(project)
    assert (record.first_rating, record.raters, record.lengths, record.ratings) == (None, [], [], 0)
