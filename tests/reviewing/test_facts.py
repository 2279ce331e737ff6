"""Facts written by people: what is new, what goes with its ratings, what stays, who may, and who is asked again."""

import pytest

from annotation.assigning.projects import add_member, create_project
from annotation.assigning.protocols import newest_protocol
from annotation.assigning.queue import take_next
from annotation.importing import load_dataset, load_responses
from annotation.models import AuditEvent, Dataset, Item, Project, Rating, Response
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from annotation.reviewing.facts import CannotChange, facts_of, proposed, save_facts, token
from tests.cast import person
from tests.importing.given import FIXTURES

HERE = FIXTURES / "syllabusqa"
pytestmark = pytest.mark.django_db
OWN = ["It counts 30%.", "It may be long."]
SUPPORTED = {"in_reference": "supported"}


@pytest.fixture
def project(db: None) -> Project:
    """Responses without facts. Lena leads, Ravi and Rosa rate."""
    load_dataset("syllabusqa", [HERE / "test.json", HERE / "text"], "courses")
    courses = Dataset.objects.get(slug="courses")
    load_responses(HERE / "responses.jsonl", courses)
    version = newest_protocol("fact-support")
    assert version
    made = create_project("facts", courses, version)
    for name, role in (("lena", "lead"), ("ravi", "rater"), ("rosa", "rater")):
        add_member(made, person(name), role)
    return made


@pytest.fixture
def response(project: Project) -> Response:
    return project.dataset.responses.get(prompt__key="aaaaBBBBccccDD01", system__name="heron")


def write(project: Project, response: Response, own: list[str], reference: list[str] | None = None, by: str = "lena"):
    lines = {"fact": own, "reference_fact": reference or ["It is worth 30%."]}
    return save_facts(project, response, lines, token(response), actor=person(by))


def texts(response: Response) -> list[str]:
    return [item.text for items in facts_of(response).values() for item in items]


def rate_all(project: Project, rater: str) -> None:
    assignment = take_next(project, person(rater))
    assert assignment
    items = list(Item.objects.filter(response=assignment.sheet.response, unit="fact", retired_at=None))
    last = max(items, key=lambda item: (item.kind, item.position))
    for item in items:
        question = "in_reference" if item.kind == "fact" else "in_response"
        answers = {question: "supported"} | ({"score": "right"} if item == last else {})
        save(person(rater), assignment.public_id, item.public_id, Submission(answers, 0))
    finish(assignment)


def test_a_response_with_facts_can_be_rated(project: Project, response: Response):
    assert take_next(project, person("ravi")) is None
    done = write(project, response, ["", "  It  counts 30%. ", "It may be long.", "It may be long."], by="ravi")
    assert (len(done.made), done.retired) == (3, [])
    assert texts(response) == [*OWN, "It is worth 30%."]
    rate_all(project, "ravi")
    assert Rating.objects.filter(counted=True).count() == 3
    assert AuditEvent.objects.filter(action="change facts").count() == 1


def test_a_changed_line_is_a_new_fact_and_the_others_keep_their_ratings(project: Project, response: Response):
    write(project, response, OWN)
    rate_all(project, "ravi")
    done = write(project, response, ["It counts 30%.", "It may have 2,000 words.", "It is a paper."])
    assert ([item.text for item in done.retired], done.ratings, done.asked_again) == (["It may be long."], 1, 1)
    assert sorted(Rating.objects.filter(counted=True).values_list("item__text", flat=True)) == [
        "It counts 30%.",
        "It is worth 30%.",
    ]
    again = take_next(project, person("ravi"))
    assert again and again.sheet.response == response
    positions = Item.objects.filter(response=response, unit="fact").order_by("position")
    assert [item.position for item in positions] == [0, 1, 2, 3, 4]


def test_the_same_lines_change_nothing(project: Project, response: Response):
    write(project, response, OWN)
    done = write(project, response, list(reversed(OWN)))
    assert (done.made, done.retired) == ([], [])


def test_a_rater_may_change_facts_until_somebody_else_has_rated_them(project: Project, response: Response):
    write(project, response, OWN, by="ravi")
    rate_all(project, "ravi")
    write(project, response, [*OWN, "It is due in May."], by="ravi")
    with pytest.raises(CannotChange, match="only leads"):
        write(project, response, OWN, by="rosa")


def test_nobody_writes_over_what_came_meanwhile(project: Project, response: Response):
    seen = token(response)
    write(project, response, OWN)
    with pytest.raises(CannotChange, match="meanwhile"):
        save_facts(project, response, {"fact": ["Else."]}, seen, actor=person("lena"))
    assert texts(response) == [*OWN, "It is worth 30%."]


def test_the_reference_answers_facts_are_proposed_to_other_responses(project: Project, response: Response):
    write(project, response, OWN)
    other = response.prompt.responses.exclude(pk=response.pk).get()
    assert proposed(other) == ["It is worth 30%."]
    assert proposed(response) == []


@pytest.mark.parametrize("bad", [["x" * 2_001], ["a\x00b"], [f"fact {n}" for n in range(201)]])
def test_what_cannot_be_a_fact_is_refused(project: Project, response: Response, bad: list[str]):
    with pytest.raises(CannotChange, match="at most"):
        write(project, response, bad)


def test_an_archived_project_keeps_its_facts(project: Project, response: Response):
    Project.objects.update(archived_at="2026-01-01T00:00:00Z")
    with pytest.raises(CannotChange, match="archived"):
        write(project, response, OWN)
