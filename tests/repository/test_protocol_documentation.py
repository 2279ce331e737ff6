import re
from dataclasses import fields
from pathlib import Path

from annotation.protocols import builtin, load, problems, schema

TEXT = (Path(__file__).parents[2] / "docs" / "protocols.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)


def test_the_examples_in_the_documents_load_and_fit_together() -> None:
    of_protocol, of_score, for_raters = EXAMPLES[:3]
    protocol = load(of_protocol)
    assert list(problems(protocol, {"verdict": "false"})) == ["reason"]
    assert protocol.left_out("verdict") == ("no_claim",)
    example = load(f"{of_protocol}\n{for_raters}").example
    assert example is not None
    assert example.practice is not None
    assert [item.answers for item in example.items] == [(("verdict", "true"),), (("verdict", "no_claim"),)]
    assert dict(example.practice.answers)["verdict"] == "false"
    [score] = load(f"{builtin()['article-accuracy'].source}\n{of_score}").scores
    answers = [("inaccurate", "severe"), ("inaccurate", "not_severe"), ("disputed", "severe"), ("accurate", "")]
    points = [score.points({"accuracy": accuracy, "severity": severity}) for accuracy, severity in answers]
    assert points == [300, 100, 50, 0]


def test_every_field_is_explained() -> None:
    computed = {"source", "sha256"}
    explained = set(re.findall(r"`(\w+)`", "\n".join(line for line in TEXT.splitlines() if line.startswith("| `"))))
    for name in ("Protocol", "Question", "Option", "Measure", "Score", "Weight", "Example", "ExampleItem"):
        assert {field.name for field in fields(getattr(schema, name))} - computed <= explained, name
