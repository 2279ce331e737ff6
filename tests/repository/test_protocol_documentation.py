"""What docs/protocols.md promises: its example loads, and every field the loader knows is explained."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from annotation.protocols import Measure, Option, Protocol, Question, load, problems

TEXT = (Path(__file__).parents[2] / "docs" / "protocols.md").read_text(encoding="utf-8")


def test_the_example_in_the_documents_loads_and_works() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)
    protocol = load(example)
    assert list(problems(protocol, {"verdict": "false"})) == ["reason"]
    assert protocol.left_out("verdict") == ("no_claim",)


@pytest.mark.parametrize("part", [Protocol, Question, Option, Measure])
def test_every_field_is_explained(part: type) -> None:
    computed = {"source", "sha256"}
    explained = set(re.findall(r"`(\w+)`", "\n".join(line for line in TEXT.splitlines() if line.startswith("| `"))))
    assert {field.name for field in fields(part)} - computed <= explained
