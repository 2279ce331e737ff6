import pytest

from annotation.models import Job
from annotation.reporting import Choices, live
from tasks import live_reports
from tasks.live_reports import TooManyReportsError, start_live_report
from tests.cast import person

pytestmark = pytest.mark.django_db

WITHOUT_QUICK = Choices(least_seconds=2.0)


def test_the_same_report_has_one_job_for_all_who_start_it(june):
    job = start_live_report(june.project, Choices(), actor=june.people["lena"])
    assert start_live_report(june.project, Choices(), actor=person("ada", admin=True)) == job
    assert Job.objects.get().params == {}


def test_a_person_has_one_report_computed_at_a_time_and_the_site_few(june, monkeypatch):
    lena, ada = person("lena"), person("ada", admin=True)
    job = start_live_report(june.project, Choices(), actor=lena)
    with pytest.raises(TooManyReportsError, match="Your last live report is still being computed"):
        start_live_report(june.project, WITHOUT_QUICK, actor=lena)
    monkeypatch.setattr(live_reports, "MAX_OPEN", 1)
    with pytest.raises(TooManyReportsError, match="Many live reports are being computed"):
        start_live_report(june.project, WITHOUT_QUICK, actor=ada)
    assert Job.objects.count() == 1
    Job.objects.filter(pk=job.pk).update(state=Job.State.DONE, ended_at=job.created_at)
    assert start_live_report(june.project, WITHOUT_QUICK, actor=lena).kind == live.REPORT_JOB
