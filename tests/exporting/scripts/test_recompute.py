"""recompute.py finds the figures of a report that a paper quotes, and notices a change of any of them."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from annotation.models import Project
from annotation.projects.protocol_versions import store_protocol
from annotation.reporting import Choices
from tests.cast import SEVERE
from tests.exporting import bundles
from tests.importing.lfqa_files import experts
from tests.protocols.scored import source
from tests.reporting.project_rows import MILD, documents_of_prompts, project_of

pytestmark = pytest.mark.django_db

Path_ = tuple[str | int, ...]
PROMPTS, DOCUMENTS = 68, 52  # enough documents for a bootstrap, fewer than four fifths of the prompts


@pytest.fixture(scope="module")
def bundle(tmp_path_factory, module_rows) -> Path:
    """Return the folder of a bundle with documents as units, and scores; heron makes no severe mistake."""
    is_severe = lambda row: row.system == "=heron" and row.answers == SEVERE  # noqa: E731
    rows = [replace(row, answers=MILD) if is_severe(row) else row for row in bundles.many_prompts(PROMPTS)]
    project = project_of(rows, "documents")
    project.protocol, _ = store_protocol(source())
    project.save()
    documents_of_prompts(project, {f"q{n:02}": f"d{n % DOCUMENTS:02}" for n in range(PROMPTS)})
    return unpacked(project, tmp_path_factory.mktemp("bundle"))


def unpacked(project: Project, folder: Path, choices: Choices = bundles.FEW) -> Path:
    return bundles.unpacked(bundles.frozen(project, choices), folder, tables=False)


def figures(part: object, path: Path_ = ()) -> Iterator[tuple[Path_, float]]:
    """Yield (path, value) of every number in a part of a report."""
    if isinstance(part, dict | list):
        for key, value in part.items() if isinstance(part, dict) else enumerate(part):
            yield from figures(value, (*path, key))
    elif isinstance(part, int | float) and not isinstance(part, bool):
        yield path, part


def test_a_change_of_one_figure_of_each_kind_is_noticed(bundle):
    program = bundles.program(bundle)
    study = program.Bundle(bundle)
    own, report, unnoticed, kinds = dict(program.computed(study)), study.reported, [], set()
    assert report["method"]["cluster"] == "document"
    assert {row["method"] for row in report["comparisons"]} == {"bca", "mover"}
    for path, before in figures({part: report[part] for part in own if part in report}):
        kind = tuple(step for step in path if isinstance(step, str))
        if kind in kinds or {"icc", "scores", "rater_pairs", "left_out"} & set(kind):
            continue
        kinds.add(kind)
        place = report
        for step in path[:-1]:
            place = place[step]
        comparison = program.Comparison()
        place[path[-1]] += 1 if isinstance(before, int) else 1e-6
        comparison.compare(path[:1], own[path[0]], report[path[0]])
        place[path[-1]] = before
        unnoticed += [] if comparison.differing else [path]
    assert len(kinds) > 150 and unnoticed == []


def test_it_runs_without_the_project_and_names_what_it_does_not_compute(bundle):
    done = subprocess.run(
        [sys.executable, "-IB", "recompute.py"], cwd=bundle, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    rest = done.stdout.splitlines()[2]
    assert rest.startswith("Not computed here: ") and "ranks (" in rest and "crossed_models (" in rest


@pytest.mark.parametrize(
    ("path", "change"),
    [
        ("ratings.csv", (',"accurate","",', ',"disputed","severe",')),
        ("measures.csv", ('"counts","accuracy","accurate"', '"counts","accuracy","disputed"')),
        ("report.json", ('"level": 0.95', '"level": 0.96')),
    ],
)
def test_it_says_what_differs(bundle, tmp_path, path, change):
    folder = shutil.copytree(bundle, tmp_path / "bundle")
    text = (folder / path).read_text(encoding="utf-8")
    (folder / path).write_text(text.replace(*change, 1), encoding="utf-8")
    done = bundles.run(folder)
    assert done.returncode == 1 and " in the report" in done.stdout
    assert ("report.json differs from its checksum" in done.stdout) == (path == "report.json")


def test_a_cell_that_the_report_lacks_is_named(bundle):
    report = bundles.read_report(bundle)
    del report["systems"][1]
    assert "systems / tern is not in the report" in bundles.run_with(bundle, report)


@pytest.mark.parametrize("rows", [bundles.many_prompts, bundles.named_like_tables])
def test_it_finds_the_figures_in_the_ratings(tmp_path, rows):
    printed = bundles.assert_nothing_differs(unpacked(project_of(rows()), tmp_path))
    assert all(f"{part} (" in printed for part in ("overall", "systems", "by", "comparisons", "agreement"))


@pytest.mark.parametrize(
    "choices",
    [
        Choices(resamples=100, systems=("tern",), without_raters=("ravi",)),
        Choices(resamples=100, metadata=(("kind", ("hard",)),), least_seconds=3.0, answers="adjudicated"),
        Choices(resamples=100, least_gold=0.6, answers="adjudicated", cluster="document"),
    ],
)
def test_it_takes_the_ratings_that_the_choices_of_the_report_took(tmp_path, choices):
    project = project_of(bundles.many_prompts(28))
    bundles.decide(project)
    bundles.assert_nothing_differs(unpacked(project, tmp_path, choices))


def test_it_turns_pairs_and_leaves_means_to_the_others(tmp_path):
    bundles.assert_nothing_differs(unpacked(experts(), tmp_path / "pairs"))
    folder = bundles.unpacked(bundles.facts_report(), tmp_path / "facts", tables=False)
    assert "overall / means (" in bundles.assert_nothing_differs(folder)
