"""Ratings of whole responses: what an export wrote, an import into another project reads back to the last digit."""

import pytest

from annotation.exporting import RatingsExport
from annotation.importing import load_dataset, load_ratings
from annotation.models import Dataset, Project, ProtocolVersion
from annotation.projects.create import create_project
from annotation.projects.protocol_versions import store_protocol
from annotation.reporting import Choices, build
from tests.importing.files import lines, prompt
from tests.protocol_text import choice, protocol_text

pytestmark = pytest.mark.django_db
ANSWERS = ("good", "bad", "unknown")
FEW = Choices(resamples=100)


def about_responses() -> ProtocolVersion:
    question = choice("worth", "Is it worth reading?", {key: key.capitalize() for key in ANSWERS})
    among = {"worth": ["good", "bad"]}
    text = protocol_text("worth-reading", question, counts={"worth": ["good"]}, among=among, unit="response")
    return store_protocol(text)[0]


@pytest.fixture
def terns(tmp_path) -> Dataset:
    """Return twelve prompts with two responses each: one of two sentences, one that is a table."""
    texts = ("Terns fly far. They nest on sand.", "| tern | far |\n|---|---|\n| yes | no |")
    rows = [
        prompt(
            f"q{n:02}",
            metadata={"kind": ["old", "new"] if n % 3 else "old"},
            responses=[
                {"id": f"q{n:02}-{index}", "system": f"system {index}", "text": text}
                for index, text in enumerate(texts)
            ],
        )
        for n in range(12)
    ]
    load_dataset("jsonl", [lines(tmp_path / "terns.jsonl", rows)], "terns")
    return Dataset.objects.get(slug="terns")


def rated(terns: Dataset, tmp_path) -> Project:
    project = create_project("june", terns, about_responses())
    rows = [
        {
            "response": f"q{n:02}-{index}",
            "unit": "response",
            "item": 0,
            "rater": rater,
            "answers": {"worth": ANSWERS[(n * (index + 1) + len(rater)) % 3]},
            "comment": "=1+1" if n % 4 == 0 else "",
        }
        for n in range(12)
        for index in range(2)
        for rater in ("ravi", "rosamund")
        if (n, index, rater) != (3, 1, "ravi")
    ]
    assert load_ratings(lines(tmp_path / "given.jsonl", rows), project).new == 47
    return project


def test_a_copy_has_the_same_report_and_the_same_export(terns, tmp_path):
    june = rated(terns, tmp_path)
    report = build(june, FEW)
    assert (report.data.items, report.data.ratings) == (24, 47)
    for format in ("jsonl", "csv"):
        copy, path = create_project(f"july-{format}", terns, about_responses()), tmp_path / f"r.{format}"
        path.write_bytes(b"".join(RatingsExport(june, format)))
        assert load_ratings(path, copy).new == 47
        assert build(copy, FEW).to_json() == report.to_json()
        assert b"".join(RatingsExport(copy, format)) == path.read_bytes()
        assert load_ratings(path, copy).new == 0
