"""Ratings of whole responses: what an export wrote, an import into another project reads back to the last digit."""

import pytest

from annotation.importing import load_ratings
from annotation.models import Project
from annotation.projects.create import create_project
from annotation.reporting import Choices, build
from tests.cast import study, which_is_better
from tests.exporting.odd_ratings import exported
from tests.importing.files import lines

pytestmark = pytest.mark.django_db


def test_a_copy_has_the_same_report_and_the_same_export(tmp_path):
    """Twelve prompts with two responses each; a rater gave a comment like a formula to some, and no answer to one."""
    data = study("sentences", prompts=12, systems=("heron", "tern"), sentences=2).project.dataset
    data.prompts.filter(key__gt="q3").update(metadata={"kind": ["old", "new"]})

    def project_of(slug: str) -> Project:
        return create_project(slug, data, which_is_better("response"))

    rows = [
        {
            "response": response.key, "unit": "response", "item": 0, "rater": rater,
            "answers": {"better": ("first", "second")[(n + len(rater)) % 2]}, "comment": "=1+1" if n % 4 == 0 else "",
        }
        for n, response in enumerate(data.responses.order_by("key"))
        for rater in ("ravi", "rosamund")
    ]  # fmt: skip
    june = project_of("june")
    assert load_ratings(lines(tmp_path / "given.jsonl", rows[1:]), june).new == 47
    report = build(june, Choices(resamples=100))
    assert (report.data.items, report.data.ratings) == (24, 47)
    for format in ("jsonl", "csv"):
        copy, path = project_of(f"july-{format}"), tmp_path / f"r.{format}"
        path.write_bytes(exported(june, format))
        assert load_ratings(path, copy).new == 47
        assert build(copy, Choices(resamples=100)).to_json() == report.to_json()
        assert exported(copy, format) == path.read_bytes()
        assert load_ratings(path, copy).new == 0
