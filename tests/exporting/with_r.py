"""The R program of a bundle finds the report's figures in its ratings. Run by `make test-r`: R is not everywhere."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from annotation.judging.judges import find_judge
from annotation.judging.tuning import record_tuning
from annotation.models import Rating, SampledItem
from annotation.reporting import Choices
from annotation.reporting.frozen_reports import stored_report
from tests.exporting.bundles import decide, facts_report, frozen, many_prompts, named_like_tables, unpacked
from tests.reporting.project_rows import project_of, rows_of_accurate_raters, worked_example
from tests.reporting.sampled_studies import random_study

pytestmark = pytest.mark.django_db


def run(folder: Path) -> subprocess.CompletedProcess:
    program = shutil.which("Rscript")
    assert program, "there is no Rscript on this machine: install R (Debian: r-base-core)"
    return subprocess.run(
        [program, "--vanilla", "recompute.R"], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.mark.parametrize("rows", [worked_example, many_prompts, named_like_tables, rows_of_accurate_raters])
@pytest.mark.parametrize("with_names", [False, True])
def test_the_program_finds_every_figure_of_the_report_in_its_ratings(tmp_path, rows, with_names):
    done = run(unpacked(frozen(project_of(rows())), tmp_path, with_names=with_names))
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[0]) > 200


def test_a_model_of_majorities_is_fitted_again(tmp_path):
    folder = unpacked(frozen(project_of(rows_of_accurate_raters())), tmp_path)
    path = folder / "tables" / "report.csv"
    (odds,) = re.findall(
        '^"odds_ratios",.*,"accurate",.*laplace of majorities.*$', path.read_text("utf-8"), re.MULTILINE
    )
    columns = odds.split(",")
    columns[7] = f'"{1.05 * float(columns[7].strip(chr(34)))}"'
    path.write_text(path.read_text("utf-8").replace(odds, ",".join(columns)), "utf-8")
    assert "accurate: heron plover is" in run(folder).stdout


def test_the_means_over_responses_are_found_too(tmp_path):
    folder = unpacked(facts_report(), tmp_path)
    done = run(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    path = folder / "means.csv"
    path.write_text(path.read_text(encoding="utf-8").replace(',"recall","part","0.5', ',"recall","part","0.75'))
    assert "overall /  /  / means / human_f1: estimate is" in run(folder).stdout


@pytest.mark.parametrize(
    "choices",
    [{"systems": ("tern",), "without_raters": ("ravi",)}, {"answers": "adjudicated", "cluster": "document"}],
)
def test_a_report_with_choices_is_found_in_the_ratings_that_it_took(tmp_path, choices):
    project = project_of(many_prompts())
    decide(project)
    done = run(unpacked(frozen(project, Choices(resamples=200, **choices)), tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("path", "change"),
    [
        ("ratings.csv", (',"accurate","",', ',"disputed","severe",')),
        ("measures.csv", ('"counts","accuracy","accurate"', '"counts","accuracy","disputed"')),
    ],
)
def test_the_program_says_what_differs(tmp_path, path, change):
    folder = unpacked(frozen(project_of(worked_example())), tmp_path)
    text = (folder / path).read_text()
    (folder / path).write_text(text.replace(*change, 1))
    done = run(folder)
    assert done.returncode == 1
    assert " in the report" in done.stdout


@pytest.mark.parametrize(("seed", "overlap"), [(11, 2), (13, 1)])
def test_the_estimates_with_a_judge_are_found_too(tmp_path, seed, overlap):
    project = random_study(seed, overlap=overlap)
    rated = list(Rating.objects.filter(project=project, role="rater").order_by("pk"))
    Rating.objects.filter(pk__in=[rating.pk for rating in rated[:9]]).update(verdict_shown=True)
    record_tuning(find_judge("j"), [rating.item_id for rating in rated[-5:]])
    report = frozen(project, Choices(resamples=200, judge="j"))
    assert (stored_report(report).hybrid.verdict_shown, stored_report(report).hybrid.overlap) == (9, overlap)
    folder = unpacked(report, tmp_path)
    done = run(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    without = folder / "hybrid_items.csv"
    text = without.read_text(encoding="utf-8")
    without.unlink()
    # Three cells with three measures of 11 figures, three differences of three.
    assert int(done.stdout.split()[0]) - int(run(folder).stdout.split()[0]) == 3 * 3 * 11 + 3 * 3
    drawn = SampledItem.objects.filter(is_drawn=True, item=rated[20].item_id).get()
    without.write_text(text.replace(repr(drawn.probability), repr(drawn.probability / 2)), encoding="utf-8")
    assert "people and judge / accurate: estimate is" in run(folder).stdout
