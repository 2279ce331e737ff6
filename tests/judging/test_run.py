"""Runs of rule judges: one verdict and one rating an item, only what is missing, and nothing that counts."""

from contextlib import contextmanager

import pytest
from django.db import connection

from annotation.judging.run import result_json, run_judge
from annotation.judging.workload import lock_name
from annotation.model_calls.errors import ModelError
from annotation.model_calls.runs import RunLimits
from annotation.models import AuditEvent, Item, JudgeRun, Rating, Verdict
from annotation.projects.archiving import archive
from annotation.projects.deleting import delete_project
from annotation.queue.errors import ProjectArchived
from annotation.queue.exclusion import exclude
from annotation.rating.counting import left_out
from annotation.reporting.build import build_from_tally
from tests.judging.judges import rule_judge
from tests.web.pages import rates

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=2, sentences=3, heading=True)]


@contextmanager
def other_connection():
    """Yield a cursor of a second connection, as another process has one."""
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            yield cursor
    finally:
        other.close()


def test_a_rule_rates_each_rated_item_once(june):
    judge = rule_judge()
    result = run_judge(judge, june.project)
    figures = dict.fromkeys(("failed", "missing", "requests", "cached", "unanswered", "tokens"), 0)
    expected = {"judge": "rule@1", "items": 6, "new": 6, "ended": "done", "cost_usd": None, **figures}
    assert result_json(result) == expected
    ratings = Rating.objects.filter(project=june.project)
    assert {(row.rater.username, row.role, row.counted) for row in ratings} == {("rule@1", "judge", False)}
    assert ratings.filter(answers={"accuracy": "accurate"}).count() == 6
    assert Verdict.objects.filter(state="rated", confidence=None, rating__isnull=False).count() == 6
    assert run_judge(judge, june.project).new == 0
    assert ratings.count() == 6
    assert list(JudgeRun.objects.order_by("id").values_list("ended", flat=True)) == ["done", "done"]
    assert AuditEvent.objects.filter(action="run judge", target="judge:rule@1", project=june.project).count() == 2


@pytest.mark.study(prompts=2, sentences=3, sample=2)
def test_a_limit_leaves_the_rest_to_the_next_run_which_rates_also_what_was_not_drawn(june):
    judge = rule_judge()
    first = run_judge(judge, june.project, RunLimits(limit=4))
    assert (first.new, first.missing, first.run.ended) == (4, 2, "limit")
    assert run_judge(judge, june.project).new == 2


def test_evidence_and_reason_are_stored(june):
    item = june.items()[1]
    Item.objects.filter(pk=item.pk).update(text="Terns fly further on turbid days")
    run_judge(rule_judge("lexical-overlap"), june.project)
    rating = Rating.objects.get(item=item)
    assert rating.answers == {"accuracy": "accurate"}
    assert rating.comment.endswith("content words are in the best passage.")
    (passage,) = rating.evidence
    assert (passage["text"], passage["stance"]) == ("Terns fly further on turbid days.", "supports")
    assert rating.verdict.quote_found is True


def test_without_a_document_a_comparing_rule_fails_and_says_why(june):
    for response in june.responses:
        response.prompt.document = None
        response.prompt.save()
    result = run_judge(rule_judge("numbers"), june.project)
    assert (result.new, result.failed, result.missing) == (0, 6, 0)
    assert set(Verdict.objects.values_list("state", "problem")) == {("failed", "The prompt has no document.")}
    assert run_judge(rule_judge("numbers"), june.project).failed == 0
    assert run_judge(rule_judge("numbers"), june.project, RunLimits(retry_failed=True)).failed == 6
    assert Verdict.objects.count() == 6


def test_excluded_responses_are_not_judged_and_judges_change_no_count_and_no_report(june):
    rates(june.people["ravi"], june.project)
    sheet = june.project.sheets.exclude(slots__finished_at__isnull=False).get()
    exclude(june.project, [sheet.pk], "broken")
    before = build_from_tally(june.project)
    assert run_judge(rule_judge(), june.project).total == 3
    assert left_out(june.project).get("judge", 0) == 3
    assert build_from_tally(june.project).overall == before.overall


def test_two_runs_of_a_judge_in_a_project_exclude_each_other(june):
    judge = rule_judge()
    with other_connection() as cursor:
        cursor.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", [lock_name(judge, june.project)])
        with pytest.raises(ModelError, match="is rating this project now"):
            run_judge(judge, june.project)
        cursor.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", [lock_name(judge, june.project)])
    assert run_judge(judge, june.project).new == 6


def test_deleting_the_project_deletes_what_judges_said_and_an_archived_one_is_refused(june):
    run_judge(rule_judge(), june.project)
    archive(june.project)
    with pytest.raises(ProjectArchived):
        run_judge(rule_judge(), june.project)
    delete_project(june.project)
    assert not Verdict.objects.exists() and not JudgeRun.objects.exists()
