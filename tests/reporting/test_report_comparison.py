"""Comparison of two reports, and a frozen one beside what today's data give."""

import json

import pytest

from annotation import jobs, reporting
from annotation.models import Rating, Report
from annotation.reporting import Choices
from annotation.reporting import report as typed
from annotation.reporting.frozen_reports import stored_report
from annotation.reporting.report_comparison import (
    REBUILD,
    agreement,
    choices_of,
    differing_figures,
    measures,
    origins,
    rebuild,
    rebuild_job,
)
from annotation.reporting.sections.agreement.figures import REPORTED
from tests.seeds import seeded

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]


@pytest.fixture
def report() -> Report:
    return seeded("june").reports.get()


def test_built_again_from_the_same_data_a_report_is_the_same_bytes_and_the_job_says_so(report):
    job = jobs.create(REBUILD, project=report.project, params={"report": str(report.public_id)})
    jobs.run(job.pk, rebuild_job)
    job.refresh_from_db()
    assert (job.state, job.result) == ("done", {"identical": True, "differences": []})


@pytest.mark.parametrize(
    "choices",
    [
        Choices(seed=7, resamples=300),
        Choices(resamples=200, metadata=(("question_type", ("opinion", "single factual")),), least_seconds=1.5),
        Choices(resamples=200, answers="adjudicated", least_gold=0.25, systems=("Birch",), without_raters=("ravi",)),
    ],
)
def test_the_choices_are_read_back_from_the_report(choices):
    report = reporting.build(seeded("june"), choices)
    assert choices_of(typed.Report.from_json(report.to_json())) == choices


def test_a_report_with_choices_is_built_again_with_them():
    built = reporting.build(seeded("june"), Choices(resamples=100, systems=("Birch",)), agreement_intervals=True)
    stored = Report(project=seeded("june"), document=built.to_json().decode(), data_sha256=built.data.sha256)
    assert rebuild(stored).identical


def test_when_ratings_were_added_the_data_differ(report):
    Rating.objects.filter(project=report.project).first().delete()
    rebuilt = rebuild(report)
    assert not rebuilt.identical
    named = {(line.part, line.name) for line in rebuilt.differences}
    assert {("data", "sha256"), ("data", "ratings")} <= named
    assert {part for part, _ in named} == {"data"}


def test_when_only_the_program_is_another_it_is_named(report):
    old = json.loads(report.document)
    older = json.dumps(old | {"software": {"factuary": "0.0.1", "numpy": old["software"]["numpy"]}})
    rebuilt = rebuild(Report(project=report.project, document=older, data_sha256=report.data_sha256))
    assert [(line.part, line.name, line.old) for line in rebuilt.differences] == [("software", "factuary", "0.0.1")]


def test_what_differs_without_a_reason_is_named_by_its_place(report):
    changed = json.loads(report.document)
    changed["systems"][1]["measures"]["accurate"]["k"] += 1
    new = typed.Report.from_dict(changed)
    assert origins(stored_report(report), new) == []
    [line] = differing_figures(stored_report(report), new)
    assert (line.part, line.name, line.new) == ("systems", "Birch / measures / accurate / k", line.old + 1)


def test_every_measure_of_every_system_and_every_coefficient_is_compared(report):
    old = stored_report(report)
    Rating.objects.filter(item__response__system__name="Alder").update(
        answers={"accuracy": "accurate"}, choices={"accuracy": "accurate"}
    )
    new = reporting.build(report.project, Choices(resamples=100, systems=("Alder",)))
    changes = measures(old, new)
    assert [(c.measure, c.system) for c in changes] == [
        (measure, system)
        for measure in ("accurate", "inaccurate", "severely_inaccurate")
        for system in ("Alder", "Birch", None)
    ]
    alder, birch, overall = changes[:3]
    assert alder.change == pytest.approx(1 - 61 / 70) and (alder.old.k, alder.new.k) == (61, 75)
    assert (birch.new, birch.change) == (None, None)
    assert overall.change == overall.new.value - overall.old.value
    coefficients = agreement(old, old, REPORTED)
    assert {row.question for row in coefficients} == set(old.agreement)
    assert all(row.change in (0, None) and row.old == row.new for row in coefficients)
