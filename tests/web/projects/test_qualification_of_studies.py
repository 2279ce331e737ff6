"""Training, hidden gold and decisions where a study is about pairs, claims or facts, and not about an article."""

import uuid
from collections.abc import Mapping
from typing import Any

import pytest

from annotation.access import assignments_for
from annotation.models import Assignment, Attempt, Item, Project, Rating, Sheet
from annotation.projects.create import create_project
from annotation.projects.members import add_member
from annotation.qualification.gold_comparison import hidden_gold_scores
from annotation.qualification.sheet_purposes import count_gold, gold_candidates, set_purpose
from annotation.rating.bulk_storage import NewRating, store_ratings
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from annotation.reviewing.adjudication import adjudicate
from annotation.reviewing.gold import set_gold
from annotation.reviewing.lead_ratings import current_rating, version_token
from tests.cast import dataset, newest_version, person, response, signed_in, study_from_files
from tests.gold_studies import start_attempt, take_work
from tests.importing.files import FIXTURES
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db
TURNED = "In this text, “A” is your answer B"


def first_sheet(project: Project) -> Sheet:
    return Sheet.objects.select_related("project").filter(project=project).order_by("rank")[0]


def items_of(sheet: Sheet) -> list[Item]:
    items = Item.objects.filter(response=sheet.response_id, rate=True, unit=sheet.project.protocol.definition.unit)
    return list(items.filter(against=sheet.against_id).order_by("position"))


def sheet_for(project: Project, purpose: str, *answers: Mapping[str, Any]) -> Sheet:
    """Return the sheet of the project's first response, with these gold answers to its items in order."""
    sheet = first_sheet(project)
    for item, answer in zip(items_of(sheet), answers, strict=True):
        set_gold(project, item, answer, person("lena"), "A is right.")
    set_purpose(project, [sheet], purpose)
    return sheet


def next_work(project: Project, *, swapped: bool = False) -> Assignment:
    """Return Ravi's next response; a pair in the given order."""
    work = take_work(project, person("ravi"))
    work.public_id = uuid.UUID(int=uuid.uuid4().int & ~1 | swapped)
    work.save()
    return work


def answer_and_finish(work: Assignment, *answers: Mapping[str, Any]) -> Item:
    """Let Ravi answer each item and finish. Return the last item."""
    for item, answer in zip(items_of(work.sheet), answers, strict=True):
        save(work.rater, work.public_id, item.public_id, Submission(dict(answer), 0))
    finish(assignments_for(work.rater).get(pk=work.pk))
    return item


def page(name: str, address: str) -> str:
    return text_of(signed_in(name).get(address))


@pytest.fixture
def pairs(db):
    file = FIXTURES / "lfqa_eval" / "preferences.jsonl"
    project = study_from_files("pairs", "lfqa_eval", [file], "pairwise-preference")
    add_member(project, person("lena"), "lead")
    return project


@pytest.mark.parametrize("swapped", [False, True])
def test_feedback_is_about_the_two_as_the_rater_has_them(pairs, swapped):
    sheet_for(pairs, "training", {"preference": "a"})
    start_attempt(pairs, person("ravi"), "training")
    work = next_work(pairs, swapped=swapped)
    pair = answer_and_finish(work, {"preference": "tie"})
    feedback = f"items/{pair.public_id}/feedback/"
    for address in (f"/assignments/{work.public_id}/{feedback}", "/projects/pairs/training/"):
        text = page("ravi", address)
        assert f"You: = Tie · Gold answer: {'B' if swapped else 'A'} is better" in text
        assert "A is right." in text and (TURNED in text) == swapped
    start_attempt(pairs, person("ravi"), "training")
    work = next_work(pairs, swapped=swapped)
    answer_and_finish(work, {"preference": "b" if swapped else "a", "difficult": "yes"})  # more than was agreed on
    assert "Pair 1: correct." in page("ravi", f"/assignments/{work.public_id}/{feedback}")
    assert Attempt.objects.latest("pk").right == 1


@pytest.mark.parametrize("swapped", [False, True])
def test_a_decision_is_shown_as_the_rater_has_the_two_and_leads_are_told(pairs, swapped):
    Project.objects.update(shows_decisions=True)
    pair = answer_and_finish(next_work(pairs, swapped=swapped), {"preference": "tie"})
    adjudicate(pairs, pair, {"preference": "a"}, "A cites a study.", person("lena"))
    text = page("ravi", "/projects/pairs/adjudications/")
    assert f"Adjudicated: {'B' if swapped else 'A'} is better" in text
    assert "A cites a study." in text and (TURNED in text) == swapped
    token = version_token(current_rating(pairs, pair, Rating.Role.ADJUDICATOR))
    posted = {"reply": "dispute", "comment": "So does B.", "seen": token}
    signed_in("ravi").post(f"/projects/pairs/adjudications/{pair.public_id}/", posted)
    replies = page("lena", "/projects/pairs/review/replies/")
    assert "So does B." in replies and ("saw the answers in reverse order" in replies) == swapped


def test_a_pair_has_the_gold_answer_and_no_other_pair_of_the_same_response(pairs):
    sheet = first_sheet(pairs)
    other = Sheet.objects.filter(project=pairs).exclude(response=sheet.response_id)[0]
    Sheet.objects.filter(pk=other.pk).update(response=sheet.response_id)
    [pair] = items_of(sheet)
    set_gold(pairs, pair, {"preference": "tie"}, person("lena"), "")
    assert [candidate.pk for candidate in gold_candidates(pairs)] == [sheet.pk]


def test_published_gold_with_a_gap_where_raters_are_checked_checks_nobody():
    file = FIXTURES / "expertqa" / "answers.jsonl"
    claims = study_from_files("claims", "expertqa", [file], "claim-attribution")
    sheet = first_sheet(claims)
    gold = [NewRating(item, person("lena"), {"worthiness": "yes"}, "gold") for item in items_of(sheet)]
    store_ratings(claims, gold)
    assert not gold_candidates(claims)
    assert count_gold(claims, [sheet])[0].gold == 0


@pytest.mark.parametrize("purpose", ["training", "gold"])
def test_it_is_the_accuracy_of_a_fact_that_counts_and_that_there_is_nothing_to_judge(purpose):
    yes, no = {"factual": "yes", "accuracy": "accurate"}, {"factual": "no"}
    data = dataset("web-data")
    for n in range(2):
        response(data.prompts.create(key=f"q{n}", text="And?"), "heron", 3)
    web = create_project("web", data, newest_version("web-factuality"), overlap=1)
    Project.objects.update(gold_every=2)
    web.refresh_from_db()
    add_member(web, person("ravi"), "rater")
    sheet = sheet_for(web, purpose, yes, yes | {"accuracy": "inaccurate", "severity": "severe"}, no)
    if purpose == "training":
        start_attempt(web, person("ravi"), "training")
    while (work := next_work(web)).sheet_id != sheet.pk:
        answer_and_finish(work, yes, yes, yes)
    answer_and_finish(work, yes, yes, no)
    score = Attempt.objects.get() if purpose == "training" else hidden_gold_scores(web)[person("ravi").pk]
    assert (score.right, score.items) == (2, 3)
    assert purpose == "gold" or "Incorrect" in page("ravi", "/projects/web/training/")
