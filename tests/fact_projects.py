"""Responses whose facts people write and rate. Lena leads, Ravi and Rosa rate."""

from annotation.importing import load_dataset, load_responses
from annotation.models import Dataset, Item, Project, Response
from annotation.projects.create import create_project
from annotation.projects.members import add_member
from annotation.qualification.next_work import take_next
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from annotation.reviewing.facts import facts_of, save_facts, version_token
from tests.cast import newest_version, person
from tests.importing.files import FIXTURES

HERE = FIXTURES / "syllabusqa"
SCORES = {"precision": "all", "recall": "all"}
OWN = ["It counts 30%.", "It may be long."]


def without_facts() -> Project:
    """Create a project of responses without facts."""
    load_dataset("syllabusqa", [HERE / "test.json", HERE / "text"], "courses")
    courses = Dataset.objects.get(slug="courses")
    load_responses(HERE / "responses.jsonl", courses)
    project = create_project("facts", courses, newest_version("fact-support"))
    for name, role in (("lena", "lead"), ("ravi", "rater"), ("rosa", "rater")):
        add_member(project, person(name), role)
    return project


def first_response(project: Project) -> Response:
    return project.dataset.responses.get(prompt__key="aaaaBBBBccccDD01", system__name="heron")


def write_facts(
    project: Project, response: Response, own: list[str], reference: list[str] | None = None, by: str = "lena"
):
    lines = {"fact": own, "reference_fact": reference or ["It is worth 30%."]}
    return save_facts(project, response, lines, version_token(response), actor=person(by))


def fact_texts(response: Response) -> list[str]:
    return [item.text for items in facts_of(response).values() for item in items]


def rate_all(project: Project, rater: str) -> None:
    assignment = take_next(project, person(rater))
    assert assignment
    items = list(Item.objects.filter(response=assignment.sheet.response, unit="fact", retired_at=None))
    last = max(items, key=lambda item: (item.kind, item.position))
    for item in items:
        question = "in_reference" if item.kind == "fact" else "in_response"
        answers = {question: "supported"} | (SCORES if item == last else {})
        save(person(rater), assignment.public_id, item.public_id, Submission(answers, 0))
    finish(assignment)
