"""The same data, protocol, seed and resamples give the same bytes, wherever they are."""

import hashlib
import json
from dataclasses import replace

import pytest

from annotation.models import User
from annotation.reporting import Choices, build
from tests.reporting.project_rows import Row, project_of, worked_example

pytestmark = pytest.mark.django_db


def frozen_bytes(project, seed: int = 1) -> bytes:
    return build(project, Choices(seed=seed, resamples=300), agreement_intervals=True).to_json()


def test_another_project_with_other_ids_stored_in_another_order_gives_the_same_bytes():
    rows = worked_example()
    here = frozen_bytes(project_of(rows, "here"))
    elsewhere = frozen_bytes(project_of(rows, "elsewhere", backwards=True))
    assert here == elsewhere
    assert here.endswith(b"}\n")


def test_the_bytes_hold_neither_time_nor_project_nor_database_ids():
    project = project_of(worked_example(), "a-slug-of-its-own")
    text = frozen_bytes(project).decode()
    assert project.slug not in text
    report = json.loads(text)
    assert list(report) == [
        "schema", "protocol", "software", "data", "method", "inference", "filters", "overall", "systems", "by",
        "multi_valued", "without_value", "comparisons", "ranks", "aggregations", "agreement", "disagreements", "raters",
        "sensitivity", "crossed_models",
    ]  # fmt: skip
    assert list(report["protocol"]) == ["slug", "version", "sha256"]


def test_the_seed_changes_intervals_that_are_drawn_and_nothing_else():
    project = project_of(worked_example())
    first, two = json.loads(frozen_bytes(project, 1)), json.loads(frozen_bytes(project, 2))
    assert first["agreement"]["accuracy"]["intervals"] != two["agreement"]["accuracy"]["intervals"]
    for report in (first, two):
        del report["method"]
        for figures in report["agreement"].values():
            del figures["intervals"]
    assert first == two


def sha256(rows: list[Row], slug: str) -> str:
    return build(project_of(rows, slug), Choices(resamples=100)).to_dict()["data"]["sha256"]


def test_the_hash_of_the_data_follows_from_its_description_alone():
    """Two ratings of one sentence, hashed as docs/report.md says."""
    kind = {"kind": ["b", "a"]}
    rows = [
        Row("q1", "heron", "rosa", {"accuracy": "inaccurate", "severity": "severe"}, metadata=kind),
        Row("q1", "heron", "ravi", {"accuracy": "accurate"}, metadata=kind),
    ]
    lines = [
        '["q1.heron", null, "heron", "sentence", 0, "ravi", {"accuracy": "accurate"}]',
        '["q1.heron", null, "heron", "sentence", 0, "rosa", {"accuracy": "inaccurate", "severity": "severe"}]',
    ]
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    prompt = f'["q1",{{"kind":["b","a"]}},"{digest}"]\n'
    assert sha256(rows, "june") == hashlib.sha256(prompt.encode()).hexdigest()


@pytest.mark.parametrize("change", ["answers", "rater", "item", "system", "metadata"])
def test_another_answer_rater_sentence_system_or_metadata_is_another_hash(change):
    rows = worked_example()
    changed = {
        "answers": {"accuracy": "disputed", "severity": "severe"},
        "rater": "ines",
        "item": 7,
        "system": "Cedar",
        "metadata": {"question_type": "other"},
    }
    other = [replace(rows[0], **{change: changed[change]}, response="another" if change == "system" else "x")]
    same = [replace(rows[0], response="another" if change == "system" else "x")]
    assert sha256(rows[1:] + other, "other") != sha256(rows[1:] + same, "same")


def test_a_name_in_any_script_is_written_as_it_is():
    rows = [Row("q1", "Häron 鷺", "ravi", {"accuracy": "accurate"}, metadata={"Thema": "Gezeiten & Küste"})]
    text = frozen_bytes(project_of(rows)).decode()
    assert '"system": "Häron 鷺"' in text
    assert "Gezeiten & Küste" in text


def test_the_name_of_the_project_and_its_people_are_read_by_few_queries(django_assert_max_num_queries):
    """Answers, tally, responses, prompts; ratings, items, users; what is left out; gold and adjudications; and the
    transaction around them.
    """
    few, many = project_of(worked_example()[:20], "few"), project_of(worked_example(), "many")
    assert User.objects.count() >= 3
    for project in (few, many):
        assert project.protocol.definition  # read before
        with django_assert_max_num_queries(14):
            build(project, Choices(resamples=100)).to_dict()
