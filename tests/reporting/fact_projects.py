"""The sample of SyllabusQA as a project whose raters are asked about facts."""

import json
from hashlib import sha256

import numpy as np

from annotation.importing import load_dataset, load_ratings, load_responses
from annotation.models import Dataset, Project
from annotation.projects.create import create_project
from tests.cast import newest_version
from tests.fact_qa_studies import fact_qa_study, prompt, texts
from tests.importing.files import FIXTURES
from tests.judging.fake_endpoint import count_facts

HERE = FIXTURES / "syllabusqa"


def courses_data(slug: str = "courses") -> Dataset:
    load_dataset("syllabusqa", [HERE / "test.json", HERE / "text"], slug)
    return Dataset.objects.get(slug=slug)


def facts_project(slug: str = "facts") -> Project:
    """Create the sample project with facts that nobody has judged."""
    courses = courses_data()
    load_responses(HERE / "facts.jsonl", courses)
    return create_project(slug, courses, newest_version("fact-support"))


VALUES = {"none": 0.0, "part": 0.5, "all": 1.0}


def drawn(key: str) -> bytes:
    return sha256(key.encode()).digest()


def rate(project, path) -> dict[str, tuple[float, float]]:
    """Let Ravi score two of three responses; return precision and recall by response."""
    scores, rows = {}, []
    for response in project.dataset.responses.order_by("key"):
        if drawn(response.key)[0] % 3 == 0:
            continue
        precision, recall = (list(VALUES)[drawn(response.key)[n] % 3] for n in (1, 2))
        scores[response.key] = (VALUES[precision], VALUES[recall])
        for item, (question, more) in enumerate(
            [("in_reference", {}), ("in_response", {"precision": precision, "recall": recall})]
        ):
            answers = {question: "supported", **more}
            rows.append({"response": response.key, "unit": "fact", "item": item, "rater": "ravi", "answers": answers})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    load_ratings(path, project)
    return scores


def scored_study(tmp_path, mode, count=42):
    """Return a project of invented responses, with Fact-QA, Ravi's scores, and what is expected."""
    lines = [prompt(number) for number in range(count)]
    for line in lines:
        line["responses"][0]["items"] = [{"kind": "sentence", "text": line["responses"][0]["text"]}]
    project = fact_qa_study(tmp_path, lines)
    with_facts = [
        {"id": f"r{n:03}", "prompt": f"q{n:03}", "system": f"system-{n % 2}", "text": texts(n)[1],
         "facts": ["A fact."], "reference_facts": ["A fact."]}
        for n in range(count)
    ]  # fmt: skip
    path = tmp_path / "facts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in with_facts))
    load_responses(path, project.dataset)
    human = rate(project, tmp_path / "ratings.jsonl")
    expected = {}
    for line in lines:
        response, reference = line["responses"][0]["text"], line["reference"]
        (supported, facts), (contained, wanted) = count_facts(response, reference), count_facts(reference, response)
        question_type = line["metadata"]["question_type"].replace("-", " ")
        expected[line["responses"][0]["id"]] = (question_type, np.array([supported / facts, contained / wanted]))
    return project, expected, human
