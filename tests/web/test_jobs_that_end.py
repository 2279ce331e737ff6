"""A job that ends while its page is being made: the page has read it as open, follows it, and is loaded again."""

import importlib

import pytest
from django.utils import timezone

from annotation import jobs, reporting
from annotation.exporting import export_jobs
from annotation.judging.judges import create_judge
from annotation.judging.run import RUN_JUDGE
from annotation.metrics.compute import COMPUTE_METRICS
from annotation.models import Job, Judge
from annotation.reporting.report_comparison import REBUILD
from tests.cast import person, signed_in
from tests.seeds import seeded
from tests.web.pages import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]


def end_before(monkeypatch, module: str, name: str, **fields: object) -> None:
    """Let all jobs end just before the function is called."""
    found = importlib.import_module(f"annotation.web.{module}")
    original = getattr(found, name)

    def ended(*arguments: object) -> object:
        Job.objects.update(state=Job.State.DONE, ended_at=timezone.now(), **fields)
        return original(*arguments)

    monkeypatch.setattr(found, name, ended)


@pytest.mark.parametrize(
    ("path", "kind", "module", "reads"),
    [
        ("judges/", RUN_JUDGE, "judging.project_judges", "project_judges"),
        ("exports/", export_jobs.EXPORT, "exports", "published_format"),
        ("report/", reporting.FREEZE, "reports.views", "shown_in_list"),
        ("agreement/", reporting.FREEZE, "reports.agreement", "live_figures"),
        ("metrics/", COMPUTE_METRICS, "reports.metrics", "figures"),
    ],
)
def test_a_page_follows_a_job_that_ends_before_its_results_are_read(monkeypatch, path, kind, module, reads):
    judge, _ = create_judge(Judge(name="numbers", rule="numbers"))
    jobs.create(kind, project=seeded("june"), params={"judge": judge.pk}, actor=person("lena"))
    end_before(monkeypatch, module, reads)
    text = signed_in("lena").get(f"/projects/june/{path}").content.decode()
    assert Job.objects.get().state == Job.State.DONE
    assert f'data-job hx-get="/jobs/{Job.objects.get().public_id}/"' in text


def test_a_check_that_ends_meanwhile_is_shown(monkeypatch):
    report = seeded("june").reports.get()
    jobs.create(REBUILD, project=report.project, params={"report": str(report.public_id)}, actor=person("lena"))
    end_before(monkeypatch, "reports.shared", "open_job", result={"differences": [], "identical": True})
    address = f"/reports/{report.public_id}/rebuild/"
    before = text_of(signed_in("lena").get(address))
    assert text_of(signed_in("lena").get(address)) == before, "the second page has read the job as ended"
