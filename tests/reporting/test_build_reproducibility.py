"""The same data, protocol, seed and resamples give the same bytes, wherever they are."""

import hashlib
import json
from dataclasses import replace

import pytest

from annotation.exporting.rater_names import rename_raters
from annotation.models import User
from annotation.reporting import Choices, build
from annotation.reporting.data.study import read_study
from tests.cast import ACCURATE, SEVERE
from tests.reporting.crossed_rows import rows_of_accurate_raters
from tests.reporting.project_rows import DISPUTED, Row, project_of, worked_example

pytestmark = pytest.mark.django_db


def frozen_bytes(project, seed: int = 1) -> bytes:
    return build(project, Choices(seed=seed, resamples=200), agreement_intervals=True).to_json()


@pytest.fixture(scope="module")
def example(module_rows):
    """Return the project of the worked example, and its bytes."""
    project = project_of(worked_example(), "a-slug-of-its-own")
    return project, frozen_bytes(project)


def test_another_project_with_other_ids_stored_in_another_order_gives_the_same_bytes_without_time_or_project(example):
    here = example[1]
    assert here == frozen_bytes(project_of(worked_example(), "elsewhere", backwards=True))
    assert here.endswith(b"}\n") and b"a-slug-of-its-own" not in here
    report = json.loads(here)
    assert list(report) == [
        "schema", "protocol", "software", "data", "method", "inference", "filters", "overall", "systems", "by",
        "multi_valued", "without_value", "comparisons", "ranks", "aggregations", "agreement", "disagreements", "raters",
        "sensitivity", "crossed_models",
    ]  # fmt: skip
    assert list(report["protocol"]) == ["slug", "version", "sha256"]


def test_other_names_of_raters_give_the_same_figures():
    rows = rows_of_accurate_raters()
    names = {"rater0": "rater2", "rater1": "rater0", "rater2": "rater1"}
    renamed = project_of([replace(row, rater=names[row.rater]) for row in rows], "renamed")
    choices = Choices(resamples=200)
    one, two = (build(project, choices, agreement_intervals=True) for project in (project_of(rows), renamed))
    assert one.aggregations[0].measures["accurate"].dawid_skene.low is not None and one.crossed_models
    two = rename_raters(two, {new: old for old, new in names.items()}.__getitem__).to_dict()
    assert one.to_dict() | {"data": {}} == two | {"data": {}}


def test_the_seed_changes_intervals_that_are_drawn_and_nothing_else(example):
    first, two = json.loads(example[1]), json.loads(frozen_bytes(example[0], seed=2))
    assert first["agreement"]["accuracy"]["intervals"] != two["agreement"]["accuracy"]["intervals"]
    for report in (first, two):
        del report["method"]
        for figures in report["agreement"].values():
            del figures["intervals"]
    assert first == two


def sha256(rows: list[Row], slug: str) -> str:
    return read_study(project_of(rows, slug)).sha256


def test_the_hash_of_the_data_follows_from_its_description_alone():
    """Two ratings of one sentence, hashed as docs/report.md says."""
    kind = {"kind": ["b", "a"]}
    rows = [Row("q1", "heron", "rosa", SEVERE, metadata=kind), Row("q1", "heron", "ravi", ACCURATE, metadata=kind)]
    lines = [
        '["q1.heron", null, "heron", "sentence", 0, "ravi", {"accuracy": "accurate"}]',
        '["q1.heron", null, "heron", "sentence", 0, "rosa", {"accuracy": "inaccurate", "severity": "severe"}]',
    ]
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    prompt = f'["q1",{{"kind":["b","a"]}},"{digest}"]\n'
    assert sha256(rows, "june") == hashlib.sha256(prompt.encode()).hexdigest()


@pytest.mark.parametrize(
    "change",
    [
        {"answers": DISPUTED},
        {"rater": "ines"},
        {"item": 7},
        {"system": "Cedar"},
        {"metadata": {"question_type": "other"}},
    ],
    ids=lambda change: next(iter(change)),
)
def test_another_answer_rater_sentence_system_or_metadata_is_another_hash(change):
    first, *rest = (row for row in worked_example() if row.prompt < "tide-03")
    same, other = replace(first, response="another"), replace(first, response="another", **change)
    assert sha256([*rest, other], "other") != sha256([*rest, same], "same")


def test_a_name_in_any_script_is_written_as_it_is():
    rows = [Row("q1", "Häron 鷺", "ravi", ACCURATE, metadata={"Thema": "Gezeiten & Küste"})]
    text = build(project_of(rows), Choices(resamples=100)).to_json().decode()
    assert '"system": "Häron 鷺"' in text and "Gezeiten & Küste" in text


def test_the_name_of_the_project_and_its_people_are_read_by_few_queries(example, django_assert_max_num_queries):
    """Answers, tally, responses, prompts; ratings, items, users; what is left out; gold and adjudications; and the
    transaction around them.
    """
    assert User.objects.count() >= 3
    for project in (project_of(worked_example()[:20], "few"), example[0]):
        assert project.protocol.definition  # read before
        with django_assert_max_num_queries(14):
            build(project, Choices(resamples=100)).to_dict()
