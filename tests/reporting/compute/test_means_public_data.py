"""Fact support over the public test split of SyllabusQA, where it is beside the checkout. It has no facts, so these are
made up by rule; the figures are worked out a second time, by another way."""

import json
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from annotation.importing import load_dataset, load_ratings, load_responses
from annotation.models import Dataset, Prompt
from annotation.projects.create import create_project
from annotation.reporting.build import build
from annotation.reporting.choices import Choices
from annotation.stats.correlation import fact_scores
from tests.cast import newest_version
from tests.importing.files import SHARED

PUBLIC = SHARED / "syllabusqa"
TYPES = {
    "multi factual", "multi reasoning", "no answer", "single factual", "single reasoning", "summarization", "yes/no",
}  # fmt: skip
SCORES = {"none": 0.0, "part": 0.5, "all": 1.0}


def counts_of(key: str) -> list[int]:
    """Return supported and all facts of a response, then of its reference: at most three of each, by prompt id."""
    drawn = sha256(key.encode()).digest()
    own, reference = 1 + drawn[0] % 3, 1 + drawn[1] % 2
    return [drawn[2] % (own + 1), own, drawn[3] % (reference + 1), reference]


def write(folder: Path, prompts: list[Prompt]) -> dict[str, tuple[list[int], str]]:
    """Write the files of responses with facts, and of ratings, whose two scores are equal. Return counts and score by
    response."""
    counts_by_response = {}
    with (folder / "responses.jsonl").open("w") as responses, (folder / "ratings.jsonl").open("w") as ratings:
        for prompt in prompts:
            counts = counts_of(prompt.key)
            score = list(SCORES)[sha256(f"score {prompt.key}".encode()).digest()[0] % 3]
            counts_by_response[f"r-{prompt.key}"] = (counts, score)
            facts = [f"Fact {n}." for n in range(counts[1])]
            reference = [f"Fact {n}." for n in range(counts[3])]
            row = {"id": f"r-{prompt.key}", "prompt": prompt.key, "system": "rule", "text": prompt.reference}
            responses.write(json.dumps({**row, "facts": facts, "reference_facts": reference}) + "\n")
            answered = [("in_reference", n < counts[0]) for n in range(counts[1])]
            answered += [("in_response", n < counts[2]) for n in range(counts[3])]
            for n, (question, is_supported) in enumerate(answered):
                answers = {question: "supported" if is_supported else "not_supported"}
                answers |= {"precision": score, "recall": score} if n == len(answered) - 1 else {}
                rating = {"response": row["id"], "unit": "fact", "item": n, "rater": "ravi", "answers": answers}
                ratings.write(json.dumps(rating) + "\n")
    return counts_by_response


if PUBLIC.is_dir():

    @pytest.mark.django_db
    def test_the_figures_of_the_public_prompts_are_those_of_another_way(tmp_path: Path) -> None:
        from scipy import stats

        load_dataset("syllabusqa", [PUBLIC / "dataset_split" / "test.json", PUBLIC / "text"], "public")
        public = Dataset.objects.get(slug="public")
        counts_by_response = write(tmp_path, list(public.prompts.order_by("key")))
        load_responses(tmp_path / "responses.jsonl", public)
        project = create_project("public", public, newest_version("fact-support"))
        load_ratings(tmp_path / "ratings.jsonl", project)
        report = build(project, Choices(resamples=500, cluster="prompt"), agreement_intervals=True).to_dict()

        assert len(report["responses"]) == len(counts_by_response) == 1_103
        expected = fact_scores([counts for counts, _ in counts_by_response.values()])
        means = report["overall"]["means"]
        assert means["fact_precision"]["value"] == pytest.approx(expected.precision)
        assert means["fact_recall"]["value"] == pytest.approx(expected.recall)
        assert means["fact_f1"]["value"] == pytest.approx(expected.f1_mean_of_items)
        assert means["fact_f1"]["method"] == "bca"
        assert means["fact_f1"]["low"] < means["fact_f1"]["value"] < means["fact_f1"]["high"]
        types = {cell["value"]: cell["means"]["fact_f1"]["n"] for cell in report["by"]["question_type"]}
        assert set(types) == TYPES and sum(types.values()) == 1_103

        scores = np.array([SCORES[score] for _, score in counts_by_response.values()])
        (correlation, _) = (row for row in report["correlations"] if row["key"] == "fact_and_human_f1")
        assert correlation["n"] == 1_103
        f1 = np.array(expected.item_f1, dtype=float)
        assert correlation["pearson"]["value"] == pytest.approx(stats.pearsonr(f1, scores)[0])
        assert correlation["spearman"]["value"] == pytest.approx(stats.spearmanr(f1, scores)[0])
        assert correlation["kendall_tau_b"]["value"] == pytest.approx(stats.kendalltau(f1, scores)[0])
        assert all(correlation[name]["method"] == "bca" for name in ("pearson", "spearman", "kendall_tau_b"))
