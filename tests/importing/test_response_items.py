"""Imported items with the reason why they probably claim nothing."""

from pathlib import Path

import pytest

from annotation.importing import load_dataset, load_responses
from annotation.models import Dataset, Item
from tests.importing.files import lines, prompt

pytestmark = pytest.mark.django_db
TEXT = (
    "Great question! Terns dive. Why do they? The depth is\n\n$$d = 2$$\n\nwhere $d$ is in meters. "
    "How far do terns fly?"
)


def marks(unit: str = "sentence") -> list[tuple[str, str]]:
    return list(Item.objects.filter(unit=unit).order_by("pk").values_list("text", "claim_free"))


def load(folder: Path, **response: object) -> None:
    responses = [{"id": "r1", "system": "a", "text": TEXT, **response}]
    row = prompt("q1", text="How far do terns fly?", document=None, responses=responses)
    load_dataset("jsonl", [lines(folder / "data.jsonl", [row])], "terns")


def test_sentences_are_marked_in_the_light_of_the_prompt_and_stored_items_never_change(tmp_path: Path) -> None:
    load(tmp_path)
    whole = "The depth is\n\n$$d = 2$$\n\nwhere $d$ is in meters."
    assert marks() == [
        ("Great question!", "courtesy"), ("Terns dive.", ""), ("Why do they?", "question"), (whole, ""),
        ("How far do terns fly?", "echo"),
    ]  # fmt: skip
    Item.objects.update(claim_free="", splitter="1")
    before = list(Item.objects.order_by("pk").values())
    load(tmp_path)
    assert list(Item.objects.order_by("pk").values()) == before


def test_responses_that_come_later_are_marked_too(tmp_path: Path) -> None:
    load(tmp_path, text="They fly 17 km.")
    row = {"prompt": "q1", "system": "b", "text": "They fly 9 km. I hope this helps!"}
    load_responses(lines(tmp_path / "more.jsonl", [row]), Dataset.objects.get())
    assert marks() == [("They fly 17 km.", ""), ("They fly 9 km.", ""), ("I hope this helps!", "courtesy")]


@pytest.mark.parametrize(("unit", "reason"), [("sentence", "courtesy"), ("claim", "courtesy"), ("fact", "")])
def test_given_sentences_and_claims_are_marked(tmp_path: Path, unit: str, reason: str) -> None:
    load(tmp_path, items=[{"unit": unit, "text": "Great question!"}, {"unit": unit, "text": "Terns dive."}])
    assert marks(unit) == [("Great question!", reason), ("Terns dive.", "")]
