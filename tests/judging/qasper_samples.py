"""Qasper files with answers of two systems: one of our own, and the public one where it is there."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from annotation import importing
from annotation.models import Dataset, Project
from annotation.projects.create import create_project
from tests.cast import article_accuracy
from tests.importing.files import SHARED, paper, qasper, question

PUBLIC = SHARED / "qasper" / "qasper-train-first10.v0.3-shape.json"


def own_papers(path: Path) -> Path:
    """Write 40 papers with a question each."""
    text = [{"section_name": "One", "paragraphs": [f"Terns fly further on day {n}. Gulls do not." for n in range(5)]}]
    return qasper(path, {f"p{n}": paper(full_text=text, qas=[question(f"q{n}")]) for n in range(40)})


def public_papers(_path: Path) -> Path:
    return PUBLIC


SAMPLES: dict[str, Callable[[Path], Path]] = {"own": own_papers}
if PUBLIC.exists():
    SAMPLES["public"] = public_papers
NAMES = [pytest.param(name, marks=[pytest.mark.exhaustive] * (name == "public")) for name in SAMPLES]


def write_answers(papers: Path, path: Path) -> None:
    """Write the answers of two systems: sentences of the article, and invented ones."""
    chance, lines = random.Random(1), []
    for each in json.loads(papers.read_text(encoding="utf-8")).values():
        paragraphs = [text for section in each["full_text"] for text in section["paragraphs"] if text]
        for prompt in each["qas"]:
            for system in ("heron", "tern"):
                first = chance.choice(paragraphs)[:120].strip().rstrip(".")
                text = (
                    f"{first}. The moon orbits {chance.randint(100, 999)} zebras. Nobody has measured the third lake."
                )
                lines.append({"prompt": prompt["question_id"], "system": system, "text": text})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def qasper_project(sample: str, folder: Path) -> Project:
    """Import a sample with answers and return a project with it; the files are written into `folder`."""
    papers, answers = SAMPLES[sample](folder / "papers.json"), folder / "answers.jsonl"
    write_answers(papers, answers)
    importing.load_dataset("qasper", [papers], "qasper")
    dataset = Dataset.objects.get()
    importing.load_responses(answers, dataset)
    return create_project("july", dataset, article_accuracy())
