"""recompute.py notices a change of any figure of a report."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from annotation.models import Project
from annotation.projects.protocol_versions import store_protocol
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE
from tests.exporting import bundles
from tests.protocols.scored import source
from tests.reporting.compute.crossed_rows import rows_of_accurate_raters
from tests.reporting.project_rows import MILD, Row, documents_of_prompts, project_of

pytestmark = pytest.mark.django_db

Path_ = tuple[str | int, ...]
PROMPTS, DOCUMENTS = 68, 52  # enough documents for a bootstrap, fewer than four fifths of the prompts


def ratings() -> Iterator[Row]:
    """Yield ratings of three systems by four raters, one of whom is careless.

    Nothing of heron is severely inaccurate: the crossed model of that measure is of the other two.
    """
    answers = [ACCURATE, ACCURATE, ACCURATE, MILD, SEVERE, CANNOT_ASSESS]
    for n in range(PROMPTS):
        for number, system in enumerate(("heron", "plover", "tern")):
            for item in range(1 + (n + number) % 3):
                for rater, name in enumerate(("ravi", "rosa", "tom", "uma")):
                    code = n * 7 + number * 5 + item * 3 + (n * item) % 5
                    careless = name == "uma" and n % 3
                    noise = (n * 31 + rater * 17 + item) % 11 == 0
                    kind = "hard" if n % 4 else "easy"
                    answer = answers[(code + (rater if careless else noise)) % (3 + number if n % 2 else 6)]
                    answer = MILD if system == "heron" and answer == SEVERE else answer
                    yield Row(f"q{n:03}", system, name, answer, item, metadata={"kind": kind})


@pytest.fixture(scope="module")
def bundle(tmp_path_factory, module_rows) -> Path:
    """Return the folder of a bundle whose report has every part."""
    project = project_of(ratings())
    project.protocol, _ = store_protocol(source())
    project.save()
    documents_of_prompts(project, {f"q{n:03}": f"d{n % DOCUMENTS:02}" for n in range(PROMPTS)})
    return unpacked(project, tmp_path_factory.mktemp("bundle"))


def unpacked(project: Project, folder: Path) -> Path:
    """Freeze a report, and return the folder of its bundle."""
    return bundles.unpacked(bundles.frozen(project), folder, tables=False)


@pytest.fixture(scope="module")
def program(bundle: Path):
    """Return recompute.py of the bundle as a module."""
    return bundles.program(bundle)


@pytest.fixture(scope="module")
def recomputed(program, bundle: Path) -> dict:
    return dict(program.recompute(program.Study(bundle)))


def recomputed_part(program, study, part: str):
    return next(figures for name, figures in program.recompute(study) if name == part)


def figures(part: object, path: Path_ = ()) -> Iterator[tuple[Path_, float]]:
    """Yield (path, value) of every number in a part of a report."""
    if isinstance(part, dict | list):
        for key, value in part.items() if isinstance(part, dict) else enumerate(part):
            yield from figures(value, (*path, key))
    elif isinstance(part, int | float) and not isinstance(part, bool):
        yield path, part


def first_of_each_kind(report: dict) -> dict[Path_, Path_]:
    """Return the path of the first figure of each kind, by the path without positions."""
    first: dict[Path_, Path_] = {}
    for path, _ in figures(report):
        first.setdefault(tuple(step for step in path if isinstance(step, str)), path)
    return first


def differing(program, recomputed: dict, report: dict, part: str) -> list[str]:
    comparison = program.Comparison()
    comparison.compare((part,), recomputed[part], report[part])
    return comparison.differing


def is_noticed(program, recomputed: dict, report: dict, path: Path_) -> bool:
    """Return whether the program notices one figure that is changed in its sixth decimal, or by 1 where it is whole.

    Crossed models have six significant digits, of which the fifth is changed; sums of weights have two decimals.
    """
    *way, last = path
    part = report
    for step in way:
        part = part[step]
    before = part[last]
    smallest = 1e-4 * max(1, abs(before)) if path[0] == "crossed_models" else 1e-6
    smallest = 0.01 if last == "points" else smallest
    part[last] += 1 if isinstance(before, int) else smallest
    try:
        return bool(differing(program, recomputed, report, path[0]))
    finally:
        part[last] = before


def unnoticed(program, recomputed: dict, report: dict, paths: dict[Path_, Path_]) -> list[Path_]:
    """Return the kinds of figures of which a change is not noticed."""
    return [kind for kind, path in paths.items() if not is_noticed(program, recomputed, report, path)]


def test_a_change_of_one_figure_of_each_kind_is_noticed(program, recomputed, bundle):
    report = program.Study(bundle).report
    assert report["method"]["cluster"] == "document" and report["sensitivity"] and report["comparisons"][0]["by_prompt"]
    parts = {part: report[part] for part in recomputed if part in report}
    assert [line for part in parts for line in differing(program, recomputed, report, part)] == []
    first = first_of_each_kind(parts)
    assert report["score_comparisons"][0]["by_prompt"] and report["overall"]["scores"]["weighted"]["by_prompt"]
    assert len(first) > 270
    assert unnoticed(program, recomputed, report, first) == []
    separated = [model.get("separated") for model in recomputed["crossed_models"]]
    assert separated == [None, None, ["heron"]], "the model without a separated system is fitted again"


@pytest.mark.parametrize("others", [2, 1])
def test_the_share_of_one_large_document_is_recomputed(program, tmp_path, others):
    """Of heron's 24 ratings, 8 are about one document of two prompts; tern: 2 of 18. `others`: prompts of others."""
    rows = [
        Row(f"q{n:02}", system, "ravi", ACCURATE if n % 3 else MILD, item)
        for n in range(18)
        for system in ("heron", "tern")
        for item in range(4 if n < 2 and system == "heron" else 1)
    ]
    documents = {f"q{n:02}": "large" if n < 2 else f"d{n // others}" for n in range(18)}
    study = program.Study(unpacked(documents_of_prompts(project_of(rows, "large"), documents), tmp_path))
    assert study.report["concentration"] == recomputed_part(program, study, "concentration") == {"heron": 8 / 24}


def test_a_change_of_a_model_of_majorities_is_noticed(program, tmp_path):
    study = program.Study(unpacked(project_of(rows_of_accurate_raters(), "july"), tmp_path))
    report = {"crossed_models": study.report["crossed_models"]}
    assert [model.get("fitted_to") for model in report["crossed_models"]] == ["majorities"] * 3
    recomputed = {"crossed_models": recomputed_part(program, study, "crossed_models")}
    assert differing(program, recomputed, report, "crossed_models") == []
    first = first_of_each_kind(report)
    assert ("crossed_models", "undecided") in first
    assert unnoticed(program, recomputed, report, first) == []


def test_the_checksum_notices_a_change_of_a_last_digit(program, bundle):
    assert not program.checksum_differs(bundle)
    path = bundle / "report.json"
    text = path.read_text()
    path.write_text(text.replace('"level": 0.95', '"level": 0.96', 1))
    assert program.checksum_differs(bundle)
    path.write_text(text)
