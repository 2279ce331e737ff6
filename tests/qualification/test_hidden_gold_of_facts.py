"""Training, qualification and hidden gold with facts of two answers: both kinds are checked, each by its question."""

import pytest

from annotation.access import assignments_for
from annotation.models import Assignment, Item, Project, Purpose, Rating, Response, Sheet
from annotation.qualification.gates import qualification_status
from annotation.qualification.gold_comparison import Score, compare_answers, hidden_gold_scores
from annotation.qualification.sheet_purposes import set_purpose
from annotation.queue.errors import ProjectError
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from annotation.reviewing.facts import FactChangeRefused
from annotation.reviewing.gold import remove_gold, set_gold
from tests.cast import person
from tests.fact_projects import OWN, SCORES, fact_texts, first_response, without_facts, write_facts
from tests.gold_studies import start_attempt, take_work

pytestmark = pytest.mark.django_db
GOLD = [{"in_reference": "supported"}, {"in_reference": "not_supported"}, {"in_response": "supported", **SCORES}]
GIVEN = [GOLD[0], GOLD[1], {"in_response": "not_supported", **SCORES}]  # wrong about the fact of the reference answer


@pytest.fixture(scope="module")
def made(module_rows: None) -> Sheet:
    """Return a sheet with gold answers to its two facts and the one of the reference answer."""
    project = without_facts()
    response = first_response(project)
    write_facts(project, response, OWN)
    for item, answers in zip(facts(response), GOLD, strict=True):
        set_gold(project, item, answers, person("lena"), "The syllabus says so.")
    return Sheet.objects.get(project=project, response=response)


@pytest.fixture
def sheet(made: Sheet) -> Sheet:
    return Sheet.objects.select_related("project", "response").get(pk=made.pk)


def facts(response: Response) -> list[Item]:
    return list(Item.objects.filter(response=response, unit="fact", retired_at=None).order_by("position"))


def rated(project: Project) -> Assignment:
    """Return Ravi's next response after finishing it."""
    ravi = person("ravi")
    work = take_work(project, ravi)
    assert work
    for item, answers in zip(facts(work.sheet.response), GIVEN, strict=True):
        save(ravi, work.public_id, item.public_id, Submission(answers, 0))
    finish(assignments_for(ravi).get(pk=work.pk))
    return work


@pytest.mark.parametrize("purpose", [Purpose.TRAINING, Purpose.QUALIFICATION])
def test_raters_are_tried_with_facts_of_both_kinds(sheet: Sheet, purpose: str):
    project = sheet.project
    set_purpose(project, [sheet], purpose, actor=person("lena"))
    start_attempt(project, person("ravi"), purpose)
    assert rated(project).purpose == purpose
    comparison = compare_answers(project, person("ravi"), Item.objects.filter(response=sheet.response, unit="fact"))
    assert sorted(each.verdict for each in comparison) == ["right", "right", "wrong"]
    status = qualification_status(project, person("ravi"))
    assert status
    assert [(attempt.right, attempt.items) for attempt in status.attempts_for(purpose)] == [(2, 3)]
    assert not Rating.objects.filter(counted=True).exists()


def test_hidden_gold_counts_facts_of_both_kinds(sheet: Sheet):
    project = sheet.project
    set_purpose(project, [sheet], Purpose.GOLD, actor=person("lena"))
    for response in project.dataset.responses.exclude(pk=sheet.response_id):
        write_facts(project, response, OWN)
    Project.objects.update(gold_every=2)
    project.refresh_from_db()
    assert sorted(rated(project).purpose for _ in range(2)) == [Purpose.GOLD, Purpose.WORK]
    assert hidden_gold_scores(project) == {person("ravi").pk: Score(2, 3)}


def test_every_fact_needs_a_gold_answer(sheet: Sheet):
    remove_gold(sheet.project, facts(sheet.response)[2], person("lena"))
    with pytest.raises(ProjectError, match="1 of 3 facts of the response have no gold answer"):
        set_purpose(sheet.project, [sheet], Purpose.TRAINING)


@pytest.mark.parametrize(("purpose", "remaining"), [(Purpose.TRAINING, [OWN[0]]), (Purpose.GOLD, [])])
def test_nobody_leaves_a_response_that_is_set_aside_without_its_gold(sheet: Sheet, purpose: str, remaining: list[str]):
    set_purpose(sheet.project, [sheet], purpose, actor=person("lena"))
    before = fact_texts(sheet.response)
    with pytest.raises(FactChangeRefused, match="gold answer"):
        write_facts(sheet.project, sheet.response, [*remaining, "Another."], ["One more."])
    assert fact_texts(sheet.response) == before
    set_purpose(sheet.project, [sheet], Purpose.WORK, actor=person("lena"))
    assert write_facts(sheet.project, sheet.response, [*remaining, "Another."], ["One more."]).new_items
