"""Responses that a lead excludes, and includes again."""

import json
from copy import deepcopy
from pathlib import Path

import pytest
from django.db import InternalError, ProgrammingError, connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation.accounts.users import set_active
from annotation.exporting import RatingsExport
from annotation.importing import load_ratings
from annotation.models import Assignment, AuditEvent, Exclusion, Rating, Sheet, Slot
from annotation.projects.archiving import archive
from annotation.projects.deleting import delete_project
from annotation.projects.guidelines import Affected, publish_guidelines, reoffer_affected
from annotation.projects.pace import project_pace
from annotation.projects.progress import slot_counts
from annotation.qualification.next_work import take_next
from annotation.qualification.sheet_purposes import set_purpose
from annotation.queue.errors import LeaseLost, NotFinished, ProjectError
from annotation.queue.exclusion import ExclusionEffect, exclude, exclusion_effect, include, inclusion_effect
from annotation.queue.reopening import reopen
from annotation.queue.reservations import Selection, reserve
from annotation.rating.bulk_storage import NewRating, store_ratings
from annotation.rating.counting import ExcludedCounts, count_excluded, left_out
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from annotation.rating.tally_check import find_tally_differences
from annotation.reporting import Choices, build
from annotation.reporting.data.project_items import unrated_parts
from annotation.reviewing.adjudication import adjudicate
from annotation.reviewing.disagreement_ranking import ReviewSelection
from annotation.reviewing.disagreements import items_needing_review
from annotation.reviewing.sentence_boundaries import split
from tests.cast import ACCURATE, SEVERE, Study, person, study
from tests.queue.assignments import take_work

pytestmark = pytest.mark.django_db
QUICK = Choices(resamples=100)
ADJUDICATED = Choices(resamples=100, answers="adjudicated")
REASON = "the prompt was cut off"


@pytest.fixture(scope="module")
def rated(module_rows) -> Study:
    prepared = study(prompts=2)
    first = take_work(prepared.project, prepared.people["ravi"])
    second = take_work(prepared.project, prepared.people["rosa"])
    assert first.sheet == second.sheet
    begun = take_work(prepared.project, prepared.people["ravi"], done=False)
    item = begun.sheet.response.items.first()
    save(begun.rater, begun.public_id, item.public_id, Submission(ACCURATE, 0))
    prepared.responses.sort(key=lambda response: response.pk != first.sheet.response_id)
    return prepared


@pytest.fixture
def june(rated: Study) -> Study:
    """Return two responses of three sentences: both raters have finished one, and Ravi has begun the other."""
    return deepcopy(rated)


def sheets(june: Study) -> list[int]:
    """Return the sheets of the finished response and of the begun one."""
    by_response = dict(Sheet.objects.values_list("response", "pk"))
    return [by_response[response.pk] for response in june.responses]


def work_of(june: Study, name: str, *, finished: bool = True) -> Assignment:
    return Assignment.objects.get(rater=june.people[name], finished_at__isnull=not finished)


class TestExcluding:
    def test_its_ratings_stay_and_do_not_count_in_the_report_the_export_or_the_review(self, june):
        save(june.people["rosa"], work_of(june, "rosa").public_id, june.items()[0].public_id, Submission(SEVERE, 1))
        assert items_needing_review(june.project).total == 1
        adjudicate(june.project, june.items()[0], SEVERE, "It says so.", june.people["lena"])
        assert build(june.project, ADJUDICATED).data.ratings == 5
        assert exclude(june.project, sheets(june)[:1], REASON, actor=june.people["lena"]) == 1
        assert Rating.objects.filter(item__response=june.responses[0], counted=False).count() == 7
        assert find_tally_differences() == []
        expected = {"adjudicator": 1, "excluded": 6, "unfinished": 1}
        assert left_out(june.project) == expected
        report, adjudicated = build(june.project, QUICK), build(june.project, ADJUDICATED)
        for data in (report.data, adjudicated.data):
            assert (data.ratings, data.responses, data.left_out) == (0, 0, expected)
        assert report.to_dict()["data"]["excluded"] == [{"reason": REASON, "responses": 1, "ratings": 6}]
        export = RatingsExport(june.project, "jsonl")
        assert (list(export), export.left_out) == ([], {"excluded": 7, "unfinished": 1})
        for show in ("open", "all"):
            listed = items_needing_review(june.project, ReviewSelection(show=show))
            assert {row.item.response_id for row in listed.rows} <= {june.responses[1].pk}

    def test_a_changed_answer_of_finished_work_does_not_count_and_the_database_refuses_one_that_does(self, june):
        exclude(june.project, sheets(june)[:1], REASON)
        save(june.people["ravi"], work_of(june, "ravi").public_id, june.items()[0].public_id, Submission(SEVERE, 1))
        assert not Rating.objects.filter(counted=True).exists()
        with pytest.raises((InternalError, ProgrammingError), match="of an excluded response"), transaction.atomic():
            Rating.objects.filter(item=june.items()[0]).update(counted=True)

    def test_nobody_gets_it_any_more_and_who_rates_it_is_told_so(self, june):
        begun = work_of(june, "ravi", finished=False)
        exclude(june.project, sheets(june), REASON)
        assert take_next(june.project, june.people["ravi"]) is take_next(june.project, june.people["rosa"]) is None
        item = begun.sheet.response.items.last()
        with pytest.raises(LeaseLost, match="A lead has excluded this response"):
            save(begun.rater, begun.public_id, item.public_id, Submission(ACCURATE, 0))
        with pytest.raises(LeaseLost, match="A lead has excluded"):
            finish(begun)
        assert Rating.objects.filter(assignment=begun).count() == 1

    def test_the_effect_is_known_beforehand_and_progress_counts_it_apart(self, june):
        before = slot_counts(june.project)
        assert (before.slots, before.done, before.leased, before.excluded) == (4, 2, 1, 0)
        assert exclusion_effect(june.project, sheets(june)) == ExclusionEffect(2, 2, 1, 6)
        exclude(june.project, sheets(june)[:1], REASON)
        assert exclusion_effect(june.project, sheets(june)) == ExclusionEffect(1, 0, 1, 0)
        assert inclusion_effect(june.project, sheets(june)) == ExclusionEffect(1, 2, 0, 6)
        after = slot_counts(june.project)
        assert (after.slots, after.done, after.leased) == (2, 0, 1)
        assert (after.responses, after.excluded, after.nothing_to_rate, after.with_slots) == (2, 1, 0, 1)
        pace = project_pace(june.project, 2)
        assert (pace.ratings, pace.unfinished) == (1, 1)
        assert unrated_parts(june.project).responses == 1

    def test_who_when_and_why_is_recorded_and_counted_by_reason(self, june):
        for reason in ("", "x" * 201):
            with pytest.raises(ProjectError, match="enter a reason"):
                exclude(june.project, sheets(june), reason)
        assert not Exclusion.objects.exists()
        exclude(june.project, sheets(june)[:1], REASON, actor=june.people["lena"])
        excluded = Exclusion.objects.get()
        assert (excluded.reason, excluded.excluded_by) == (REASON, june.people["lena"])
        event = AuditEvent.objects.get(action="exclude response")
        assert (event.actor, event.after) == (june.people["lena"], REASON)
        assert event.target == f"response:{june.responses[0].key}"
        assert exclude(june.project, sheets(june)[:1], "another reason") == 0
        exclude(june.project, sheets(june)[1:], "a duplicate")
        assert count_excluded(june.project) == [ExcludedCounts("a duplicate", 1, 1), ExcludedCounts(REASON, 1, 6)]
        delete_project(june.project)
        assert not Exclusion.objects.exists()

    def test_imported_ratings_are_stored_and_count_once_it_is_included(self, june, tmp_path: Path):
        exclude(june.project, sheets(june), REASON)
        row = {"response": june.responses[0].key, "item": 0, "rater": "tom", "answers": ACCURATE}
        (tmp_path / "ratings.jsonl").write_text(json.dumps(row))
        assert load_ratings(tmp_path / "ratings.jsonl", june.project).new == 1
        assert not Rating.objects.get(rater__username="tom").counted
        assert left_out(june.project) == {"excluded": 8}
        include(june.project, sheets(june)[:1])
        assert Rating.objects.get(rater__username="tom").counted

    def test_several_take_as_many_queries_as_one(self, june, django_assert_num_queries):
        with CaptureQueriesContext(connection) as excluding:
            exclude(june.project, sheets(june)[:1], REASON)
        with CaptureQueriesContext(connection) as including:
            include(june.project, sheets(june))
        with django_assert_num_queries(len(excluding)):
            exclude(june.project, sheets(june), REASON)
        with django_assert_num_queries(len(including)):
            include(june.project, sheets(june))
        assert AuditEvent.objects.filter(action="include response").count() == 3

    def test_what_needs_it_in_the_work_is_refused(self, june):
        exclude(june.project, sheets(june)[:1], REASON)
        with pytest.raises(NotFinished, match="excluded"):
            reopen(work_of(june, "ravi"))
        sheet = Sheet.objects.get(pk=sheets(june)[0])
        store_ratings(june.project, [NewRating(item, june.people["lena"], ACCURATE, "gold") for item in june.items()])
        with pytest.raises(ProjectError, match="is excluded: include it again first"):
            set_purpose(june.project, [sheet], "training")
        with pytest.raises(ProjectError, match="no unfinished response"):
            reserve(june.project, [june.people["rosa"]], Selection("document", value=sheet.document.key))

    def test_only_work_is_excluded_and_nothing_in_an_archived_project(self, june):
        Sheet.objects.filter(pk=sheets(june)[0]).update(purpose="gold")
        assert exclusion_effect(june.project, sheets(june)[:1]).responses == 0
        assert exclude(june.project, sheets(june)[:1], REASON) == 0
        archive(june.project)
        for change in (lambda: exclude(june.project, sheets(june)[1:], REASON), lambda: include(june.project, [])):
            with pytest.raises(ProjectError, match="archived"):
                change()


class TestIncluding:
    def test_everything_is_as_before(self, june):
        before, progress = build(june.project, QUICK).to_json(), slot_counts(june.project)
        exclude(june.project, sheets(june), REASON)
        assert include(june.project, sheets(june), actor=june.people["lena"]) == 2
        assert build(june.project, QUICK).to_json() == before
        assert slot_counts(june.project).done == progress.done
        assert find_tally_differences() == []
        event = AuditEvent.objects.filter(action="include response").first()
        assert (event.actor, event.before) == (june.people["lena"], REASON)
        work = take_next(june.project, june.people["ravi"])
        assert work.sheet.response == june.responses[1]
        assert work.ratings.count() == 1

    def test_slots_follow_an_overlap_that_was_changed_meanwhile_and_reservations_made_before(self, june):
        reserve(june.project, [june.people["rosa"]], Selection("system", value="heron"))
        exclude(june.project, sheets(june), REASON)
        june.project.overlap = 3
        june.project.save()
        include(june.project, sheets(june))
        slots = Slot.objects.filter(project=june.project)
        assert (slots.count(), slots.filter(finished_at__isnull=False).count()) == (6, 2)
        assert {(slot.sheet_id, slot.rank < 0) for slot in slots} == set(zip(sheets(june), [False, True], strict=True))

    def test_work_offered_again_is_finished_as_before(self, june):
        publish_guidelines(june.project, "New words.")
        assert reoffer_affected(june.project, Affected()) == (2, 6)
        exclude(june.project, sheets(june)[:1], REASON)
        assert (work_of(june, "rosa").slot.was_finished_at, Rating.objects.filter(counted=True).count()) == (None, 0)
        include(june.project, sheets(june)[:1])
        assert Rating.objects.filter(counted=True).count() == 6

    def test_raters_get_it_again_for_items_that_they_have_not_answered(self, june):
        exclude(june.project, sheets(june)[:1], REASON)
        first = june.items()[0]
        split(june.project, first, ["Sentence number", "1 of heron."], actor=june.people["lena"])
        include(june.project, sheets(june)[:1])
        assert Rating.objects.filter(counted=True).count() == 4
        assert left_out(june.project) == {"retired": 2, "unfinished": 1}
        slots = Slot.objects.filter(sheet=sheets(june)[0])
        assert [slot.was_finished_at is not None for slot in slots] == [True, True]

    def test_a_rater_who_has_left_keeps_the_finished_work(self, june):
        exclude(june.project, sheets(june)[:1], REASON)
        set_active(june.people["ravi"], False)
        include(june.project, sheets(june)[:1])
        assert Rating.objects.filter(rater=person("ravi"), counted=True).count() == 3
