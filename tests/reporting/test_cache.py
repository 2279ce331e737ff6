"""Cached results are used while the data is the same, and never after it changed."""

from threading import Thread

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from annotation.judging.judges import create_judge
from annotation.judging.tuning import record_tuning
from annotation.judging.verdicts import NewVerdict, store_verdicts
from annotation.models import DataChange, Document, Item, Judge, JudgeRun, Project, Prompt, Rating, Response, System
from annotation.rating.bulk_storage import NewRating, deferred_tally, store_ratings
from annotation.reporting import Choices, build, live
from annotation.reporting import cache as cache_module
from annotation.reporting.cache import cached, compact_changes, find_cached
from annotation.reporting.data import reader
from annotation.reporting.planning.figures import summarize_ratings
from annotation.reporting.report import Report
from annotation.reporting.sections.agreement.figures import agreement_details
from annotation.reporting.sections.raters.figures import rater_details, raters_of, trends_of
from annotation.reviewing.adjudication import adjudicate, withdraw
from annotation.reviewing.gold import remove_gold, set_gold
from annotation.settings import CACHES
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, person, study
from tests.reporting.project_rows import Row, project_of

PLAIN = Choices(resamples=100)
ADJUDICATED = Choices(resamples=100, answers="adjudicated", least_gold=0.5, least_seconds=3)


@pytest.fixture
def june(db) -> Project:
    """Create three sentences, rated by two raters, with one gold answer and one adjudication."""
    said = {"ravi": (ACCURATE, SEVERE, CANNOT_ASSESS), "rosa": (ACCURATE, SEVERE, ACCURATE)}
    rows = [Row("q1", "heron", name, answers, n) for name, given in said.items() for n, answers in enumerate(given)]
    project = project_of(rows)
    for role, number, answers in (("gold", 0, SEVERE), ("adjudicator", 1, ACCURATE)):
        Rating.objects.create(
            project=project, item=item(project, number), rater=person("lena"), role=role,
            answers=answers, choices=answers, rated_at=timezone.now(),
        )  # fmt: skip
    return project


def item(project: Project, number: int) -> Item:
    return Item.objects.get(response__dataset=project.dataset, position=number)


def ravis(project: Project, number: int = 0):
    return Rating.objects.filter(project=project, rater__username="ravi", item=item(project, number))


FIGURES = {
    "agreement": lambda project: live.live_figures(project, agreement_details),
    "raters": lambda project: live.live_figures(project, raters_of),
    "one rater": lambda project: live.live_figures(project, rater_details, "ravi"),
    "nobody": lambda project: live.live_figures(project, rater_details, "nobody"),
    "trends": lambda project: live.live_figures(project, trends_of),
    "planning": lambda project: live.live_figures(project, summarize_ratings),
}


def everything(project: Project) -> tuple:
    """Return all that is cached, as pages get it."""
    reports = [live.live_report(project, choices) for choices in (PLAIN, ADJUDICATED)]
    parts = [compute(project) for compute in FIGURES.values()]
    return reports, parts, live.live_report(project, extent=live.Extent.CLOSED_FORM)


def imported_again(project: Project) -> None:
    with deferred_tally():
        store_ratings(project, [NewRating(item(project, 0), person("tom"), SEVERE)])


CHANGES = {
    "a rating comes in": lambda p: store_ratings(p, [NewRating(item(p, 0), person("tom"), SEVERE)]),
    "ratings are imported": imported_again,
    "a rating is changed": lambda p: ravis(p).update(answers=SEVERE, choices=SEVERE),
    "only its time": lambda p: ravis(p).update(seconds=2),
    "only its day": lambda p: ravis(p).update(rated_at=F("rated_at") - timezone.timedelta(days=30)),
    "only its rater": lambda p: ravis(p).update(rater=person("tom")),
    "a rating is deleted": lambda p: ravis(p).delete(),
    "a lease is opened again": lambda p: ravis(p).update(counted=False),
    "gold is set": lambda p: set_gold(p, item(p, 1), SEVERE, person("lena")),
    "gold is removed": lambda p: remove_gold(p, item(p, 0), person("lena")),
    "a verdict is given": lambda p: adjudicate(p, item(p, 2), ACCURATE, "A reason.", person("lena")),
    "a verdict is withdrawn": lambda p: withdraw(p, item(p, 1), person("lena")),
    "an item is retired": lambda p: Item.objects.filter(pk=item(p, 1).pk).update(retired_at=timezone.now()),
    "an item's text": lambda p: Item.objects.filter(pk=item(p, 2).pk).update(text="Something else."),
    "a rater is renamed": lambda p: type(person("ravi")).objects.filter(username="ravi").update(username="zoe"),
    "a prompt's metadata": lambda p: Prompt.objects.update(metadata={"kind": "yes or no"}),
    "a system's name": lambda p: System.objects.update(name="tern"),
    "a response's id": lambda p: Response.objects.update(key="r9"),
}


def fail_verdict(project: Project) -> None:
    run = JudgeRun.objects.create(judge=numbers_judge(), project=project)
    store_verdicts(run, [NewVerdict(item(project, 0), problem="no answer")])


def numbers_judge() -> Judge:
    return create_judge(Judge(name="rule", rule="numbers"))[0]


UNSEEN = {
    "only its text": lambda p: ravis(p).update(answers=ACCURATE | {"remark": "Hm."}),
    "only a comment": lambda p: ravis(p).update(comment="A long story."),
    "only evidence": lambda p: ravis(p).update(evidence=[{"paragraph": "p1"}]),
    "an item that tuned a judge": lambda p: record_tuning(numbers_judge(), [item(p, 0).pk]),
    "a failed verdict": fail_verdict,
    "a prompt's document": lambda p: Prompt.objects.update(document=Document.objects.get()),
    "a document's id": lambda p: Document.objects.update(key="d2"),
    "the protocol": lambda p: setattr(p.protocol, "sha256", "0" * 64),
}


@pytest.fixture
def kept(june) -> tuple[Project, tuple]:
    """Return the project and all that is cached of it."""
    cached(june, "something", int, lambda: 1)
    assert find_cached(june, "something", int) == 1
    return june, everything(june)


@pytest.mark.parametrize("change", CHANGES)
def test_what_changed_is_shown_at_once(kept, change):
    project, before = kept
    CHANGES[change](project)
    assert find_cached(project, "something", int) is None
    after = everything(project)
    assert after != before
    cache.clear()
    assert everything(project) == after


@pytest.mark.parametrize("change", UNSEEN)
def test_a_change_that_no_figure_shows_is_recorded_too(june, change):
    Document.objects.create(dataset=june.dataset, key="d1", title="Terns")
    cached(june, "something", int, lambda: 1)
    UNSEEN[change](june)
    assert find_cached(june, "something", int) is None


def test_what_is_unchanged_is_not_computed_again(kept, monkeypatch):
    project, before = kept
    assert [found.report for found in before[0]] == [build(project, choices) for choices in (PLAIN, ADJUDICATED)]
    monkeypatch.setattr(live, "build", None)
    assert everything(project) == before
    other = study("other")
    store_ratings(other.project, [NewRating(other.items()[0], person("tom"), ACCURATE)])
    person("nobody")
    type(person("ravi")).objects.update(last_login=timezone.now())
    assert everything(project) == before


def test_results_are_the_same_out_of_valkey_to_the_byte(kept, settings, valkey):
    settings.CACHES = {"default": CACHES["default"] | {"LOCATION": valkey}}
    (reports, parts, quick), again = everything(kept[0]), everything(kept[0])
    assert again == (reports, parts, quick) == kept[1]
    written = [found.report.to_json() for found in (*reports, quick)]
    assert written == [found.report.to_json() for found in (*again[0], again[2])]


def test_data_from_before_changes_were_recorded_is_never_cached(june):
    """As where one backup after another is restored and migrated."""
    for answers in (ACCURATE, SEVERE):
        Rating.objects.filter(project=june, role="rater").update(answers=answers, choices=answers)
        DataChange.objects.all().delete()
        reports = everything(june)
        cache.clear()
        assert reports == everything(june)
    assert compact_changes() == 0
    cached(june, "something", int, lambda: 1)
    assert find_cached(june, "something", int) == 1


def test_many_changes_are_replaced_by_a_new_one(june, monkeypatch):
    for seconds in range(5):
        ravis(june).update(seconds=seconds)
    cached(june, "something", int, lambda: 1)
    before = set(DataChange.objects.values_list("pk", flat=True))
    monkeypatch.setattr(cache_module, "MAX_CHANGES", 5)
    assert compact_changes() == 1
    assert DataChange.objects.filter(scope=f"project {june.pk}").exclude(pk__in=before).count() == 1
    assert find_cached(june, "something", int) is None
    assert compact_changes() == 0


def test_an_item_that_has_tuned_the_judge_already_is_no_change(june):
    judge = numbers_judge()
    record_tuning(judge, [item(june, 0).pk])
    cached(june, "something", int, lambda: 2)
    record_tuning(judge, [item(june, 0).pk])
    assert find_cached(june, "something", int) == 2


def on_second_connection(work) -> None:
    """Run the function on another connection, to its end."""

    def run() -> None:
        try:
            work()
        finally:
            connection.close()

    thread = Thread(target=run)
    thread.start()
    thread.join()


COMPUTATIONS = FIGURES | {
    "proportions": lambda project: live.live_report(project, ADJUDICATED, live.Extent.CLOSED_FORM)
}


@pytest.mark.django_db(transaction=True)
def test_what_is_shown_is_of_one_moment(june, monkeypatch):
    """Here raters are the first to rate a response after it was asked what was rated, and before the ratings are."""
    read_by_role = reader._read_by_role
    for name, compute in COMPUTATIONS.items():
        old = item(june, 0).response
        new = Response.objects.create(dataset=june.dataset, prompt=old.prompt, system=old.system, key=name, text="New.")
        first = Item.objects.create(response=new, unit="sentence", position=9, text="New.")
        ratings = [NewRating(first, person(rater), SEVERE) for rater in ("ravi", "tom")]
        monkeypatch.setattr(reader, "_read_by_role", read_by_role)
        before = compute(june)
        cache.clear()
        saved = []

        def save_first(*arguments, ratings=ratings, saved=saved):
            if not saved:
                saved.append(True)
                on_second_connection(lambda: store_ratings(june, ratings))
            return read_by_role(*arguments)

        monkeypatch.setattr(reader, "_read_by_role", save_first)
        assert compute(june) == before, name
        assert saved, name


@pytest.mark.django_db(transaction=True)
def test_a_report_made_while_somebody_saves_or_of_what_was_rolled_back_is_not_shown_after(june):
    """What another connection computes before the commit is kept under the data before it."""
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        ravis(june).update(answers=SEVERE, choices=SEVERE)
        assert live.live_report(june, PLAIN).report.overall.measures["accurate"].k == 2
        raise ZeroDivisionError
    assert live.live_report(june, PLAIN).report.overall.measures["accurate"].k == 3
    with transaction.atomic():
        ravis(june, 0).update(answers=SEVERE, choices=SEVERE)
        on_second_connection(lambda: everything(june))
        on_second_connection(lambda: ravis(june, 1).update(seconds=5))  # raters do not wait for each other
    assert ravis(june, 1).get().seconds == 5
    report = live.live_report(june, PLAIN).report
    assert report == build(june, PLAIN)
    assert report.overall.measures["accurate"].k == 2


@pytest.mark.django_db(transaction=True)
def test_a_result_is_not_stored_if_the_data_changed_meanwhile(june):
    def compute() -> dict:
        report = build(june, PLAIN)
        on_second_connection(lambda: ravis(june).update(answers=SEVERE, choices=SEVERE))
        return report

    assert cached(june, "report", Report, compute).overall.measures["accurate"].k == 3
    assert find_cached(june, "report", Report) is None


def test_what_an_import_sees_of_itself_is_not_shown_after(june):
    """Inside, the ratings are there already and the tally does not know of them yet."""
    with deferred_tally():
        store_ratings(june, [NewRating(item(june, 0), person("tom"), SEVERE)])
        everything(june)
    reports = everything(june)
    cache.clear()
    assert reports == everything(june)
