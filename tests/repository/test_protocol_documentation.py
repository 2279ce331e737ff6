"""What docs/protocols.md promises: its example loads, and every field the loader knows is explained."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from annotation.protocols import (
    Example,
    ExampleItem,
    Measure,
    Option,
    Protocol,
    Question,
    Score,
    builtin,
    load,
    problems,
)
from annotation.protocols.schema import Weight

TEXT = (Path(__file__).parents[2] / "docs" / "protocols.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)


def test_the_example_in_the_documents_loads_and_works() -> None:
    protocol = load(EXAMPLES[0])
    assert list(problems(protocol, {"verdict": "false"})) == ["reason"]
    assert protocol.left_out("verdict") == ("no_claim",)


def test_the_example_for_raters_fits_the_example_of_a_protocol() -> None:
    example = load(EXAMPLES[0] + "\n" + EXAMPLES[2]).example
    assert example is not None
    assert example.practice is not None
    assert [item.answers for item in example.items] == [(("verdict", "true"),), (("verdict", "no_claim"),)]
    assert dict(example.practice.answers)["verdict"] == "false"


def test_the_example_of_a_score_fits_the_built_in_protocol() -> None:
    example = EXAMPLES[1]
    [score] = load(builtin()["article-accuracy"].source + "\n" + example).scores
    answers = [("inaccurate", "severe"), ("inaccurate", "not_severe"), ("disputed", "severe"), ("accurate", "")]
    points = [score.points({"accuracy": accuracy, "severity": severity}) for accuracy, severity in answers]
    assert points == [300, 100, 50, 0]


@pytest.mark.parametrize("part", [Protocol, Question, Option, Measure, Score, Weight, Example, ExampleItem])
def test_every_field_is_explained(part: type) -> None:
    computed = {"source", "sha256"}
    explained = set(re.findall(r"`(\w+)`", "\n".join(line for line in TEXT.splitlines() if line.startswith("| `"))))
    assert {field.name for field in fields(part)} - computed <= explained
