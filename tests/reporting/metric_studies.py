"""Projects whose responses get metrics: rated sentences, and pairs of answers."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from annotation.importing import load_dataset, load_ratings
from annotation.models import Dataset, Project
from annotation.projects.create import create_project
from tests.cast import article_accuracy, newest_version
from tests.importing.files import lines, prompt

SYSTEMS = ("heron", "plover", "wren", "tern")


def rated_study(folder: Path) -> Project:
    """Create a project of 15 prompts of two fields with four systems, whose sentences two raters rated."""
    generator = np.random.default_rng(1)
    rows, ratings = [], []
    for number in range(15):
        responses = []
        for position, system in enumerate(SYSTEMS):
            sentences = [f"Bird {n} of {system} flies {n} km." for n in range(1 + generator.integers(1, 5))]
            key = f"q{number:02}-{system}"
            responses.append({"id": key, "system": system, "text": " ".join(sentences)})
            for item in range(len(sentences)):
                for rater in ("ravi", "rosa"):
                    accuracy = "accurate" if generator.random() < 0.2 + 0.2 * position else "inaccurate"
                    severity = {} if accuracy == "accurate" else {"severity": "not_severe"}
                    answers = {"accuracy": accuracy, **severity}
                    ratings.append({"response": key, "item": item, "rater": rater, "answers": answers})
        field = ("sea", "land")[number % 2]
        rows.append(
            prompt(f"q{number:02}", reference="Bird 1 flies 1 km.", metadata={"field": field}, responses=responses)
        )
    load_dataset("jsonl", [lines(folder / "birds.jsonl", rows)], "birds")
    project = create_project("birds", Dataset.objects.get(), article_accuracy())
    load_ratings(lines(folder / "ratings.jsonl", ratings), project)
    return project


def pair_study(lists: Sequence[Path], tables: Sequence[Path] = (), slug: str = "experts") -> Project:
    """Create a project over pairs of answers of lfqa_eval, with the preferences of its experts."""
    load_dataset("lfqa_eval", [*lists, *tables], slug)
    project = create_project(slug, Dataset.objects.get(slug=slug), newest_version("pairwise-preference"))
    for path in lists:
        load_ratings(path, project, format="lfqa_eval")
    return project
