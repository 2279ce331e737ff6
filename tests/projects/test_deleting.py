"""A project or a data set deleted, with all that goes with it and all that stays."""

import pytest

from annotation import models
from annotation.jobs import Progress
from annotation.judging.judges import create_judge
from annotation.judging.run import run_judge
from annotation.models import (
    AuditEvent,
    Item,
    Job,
    Judge,
    JudgeCall,
    JudgeRun,
    Project,
    Rating,
    RatingEvent,
    Report,
    Verdict,
)
from annotation.projects.analysis_plans import set_plan
from annotation.projects.deleting import InUse, contents_of_project, delete_dataset, delete_project, delete_project_job
from annotation.rating.shown_verdicts import record_shown
from annotation.rating.tally_check import find_tally_differences
from tests.cast import study
from tests.judging.fake_endpoint import fake_endpoint
from tests.queue.assignments import take_work

pytestmark = pytest.mark.django_db


def test_a_project_goes_with_all_under_it_and_its_history_and_the_audit_stay():
    june, july = study("june", sentences=1, overlap=1), study("july", sentences=1, overlap=1)
    for project in (june, july):
        take_work(project.project, project.people["ravi"])
        Report.objects.create(project=project.project, document="{}", data_sha256="0" * 64)
    set_plan(june.project, 'measures = ["accurate"]')
    contents = contents_of_project(june.project)
    assert contents.plans == 1
    assert (contents.responses, contents.finished, contents.people, contents.reports) == (1, 1, 1, 1)
    assert contents.ratings == {"rater": 1}
    events = RatingEvent.objects.count()
    delete_project(june.project, actor=june.people["lena"])
    assert list(Project.objects.all()) == [july.project]
    for model in (Rating, models.Slot, models.Sheet, Report):
        assert model.objects.count() == 1
    assert set(models.Tally.objects.values_list("project", flat=True)) == {july.project.pk}
    assert RatingEvent.objects.count() == events + 1
    assert AuditEvent.objects.get(action="delete project").before["ratings"] == {"rater": 1}
    noted = set(models.DataChange.objects.values_list("scope", flat=True))
    assert f"project {july.project.pk}" in noted and f"project {june.project.pk}" not in noted
    assert not find_tally_differences()


def test_runs_requests_and_verdicts_go_with_the_project_and_judges_stay():
    june, july = study("june", sentences=2), study("july", systems=("plover",), sentences=2)
    with fake_endpoint() as endpoint:
        judge, _is_new = create_judge(Judge(name="small", base_url=endpoint.url, model="tiny"))
        for project in (june, july):
            run_judge(judge, project.project)
    delete_project(june.project)
    assert (JudgeRun.objects.get().project, JudgeCall.objects.count()) == (july.project, 2)
    assert set(Verdict.objects.values_list("project", flat=True)) == {july.project.pk}
    assert set(Rating.objects.values_list("project", "rater")) == {(july.project.pk, judge.user.pk)}
    delete_project(july.project)
    assert not any(model.objects.exists() for model in (JudgeRun, JudgeCall, Verdict, Rating))
    assert models.Judge.objects.get() == judge


def test_the_job_of_a_project_that_is_gone_is_done(june):
    job = Job.objects.create(kind="delete_project", params={"slug": "june", "id": june.project.pk})
    assert delete_project_job(job, Progress())["responses"] == 1
    assert delete_project_job(job, Progress()) == {}


def test_a_data_set_in_use_stays_and_says_who_needs_it_and_later_takes_the_records_of_shown_verdicts_along(june):
    data = june.project.dataset
    with pytest.raises(InUse, match="still used by Study june"):
        delete_dataset(data)
    record_shown(june.people["ravi"], [(june.responses[0].pk, None)])
    delete_project(june.project)
    assert models.VerdictsShown.objects.count() == 1
    delete_dataset(data)
    for model in (models.Dataset, models.Response, Item, models.VerdictsShown):
        assert not model.objects.exists()
