"""Comparison of two reports, and a frozen one beside what today's data give."""

import json
from dataclasses import replace

import pytest

from annotation import jobs, reporting
from annotation.models import Rating, Report
from annotation.reporting import Choices
from annotation.reporting import report as typed
from annotation.reporting.compute.agreement import REPORTED
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
from tests.reporting.project_rows import project_of, worked_example
from tests.seeds import seeded

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]
FEW = Choices(resamples=200)


@pytest.fixture
def report() -> Report:
    return seeded("june").reports.get()


def test_built_again_from_the_same_data_a_report_is_the_same_bytes_and_the_job_says_so(report):
    rebuilt = rebuild(report)
    assert rebuilt.identical and rebuilt.differences == []
    job = jobs.create(REBUILD, project=report.project, params={"report": str(report.public_id)})
    jobs.run(job.pk, rebuild_job)
    job.refresh_from_db()
    assert (job.state, job.result) == ("done", {"identical": True, "differences": []})


@pytest.mark.parametrize(
    "choices",
    [
        Choices(seed=7, resamples=300),
        Choices(resamples=200, systems=("Birch",), without_raters=("ravi",)),
        Choices(resamples=200, metadata=(("question_type", ("opinion", "single factual")),), least_seconds=1.5),
        Choices(resamples=200, answers="adjudicated", least_gold=0.25),
    ],
)
def test_the_choices_are_read_back_from_the_report(choices):
    report = reporting.freeze(seeded("june"), choices)
    assert choices_of(stored_report(report)) == choices
    assert rebuild(report).identical


def test_when_ratings_were_added_the_data_differ(report):
    Rating.objects.filter(project=report.project).first().delete()
    rebuilt = rebuild(report)
    assert not rebuilt.identical
    named = {(line.part, line.name) for line in rebuilt.differences}
    assert {("data", "sha256"), ("data", "ratings")} <= named
    assert {part for part, _ in named} == {"data"}


def test_when_only_the_program_is_another_it_is_named(report):
    old = json.loads(report.document)
    Report.objects.all().delete()
    older = json.dumps(old | {"software": {"factuary": "0.0.1", "numpy": old["software"]["numpy"]}})
    stored = Report.objects.create(project=report.project, document=older, data_sha256=report.data_sha256)
    rebuilt = rebuild(stored)
    assert [(line.part, line.name, line.old) for line in rebuilt.differences] == [("software", "factuary", "0.0.1")]


def test_what_differs_without_a_reason_is_named_by_its_place(report):
    changed = json.loads(report.document)
    changed["systems"][1]["measures"]["accurate"]["k"] += 1
    new = typed.Report.from_dict(changed)
    assert origins(stored_report(report), new) == []
    [line] = differing_figures(stored_report(report), new)
    assert (line.part, line.name) == ("systems", "Birch / measures / accurate / k")
    assert line.new == line.old + 1


def test_every_measure_of_every_system_and_every_coefficient_is_compared(report):
    rows = [row for row in worked_example() if row.system != "Birch"]
    rows = [replace(row, answers={"accuracy": "accurate"}) for row in rows]
    other = reporting.freeze(project_of(rows, "changed"), FEW)
    changes = measures(stored_report(report), stored_report(other))
    assert [(c.measure, c.system) for c in changes] == [
        (measure, system)
        for measure in ("accurate", "inaccurate", "severely_inaccurate")
        for system in ("Alder", "Birch", None)
    ]
    alder, birch, overall = changes[:3]
    assert alder.change == pytest.approx(1 - 61 / 70) and (alder.old.k, alder.new.k) == (61, 75)
    assert (birch.new, birch.change) == (None, None)
    assert overall.change == overall.new.value - overall.old.value
    coefficients = agreement(stored_report(report), stored_report(report), REPORTED)
    assert {row.question for row in coefficients} == set(stored_report(report).agreement)
    assert all(row.change in (0, None) and row.old == row.new for row in coefficients)
