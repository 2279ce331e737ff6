"""Training, hidden gold and decisions where a study is about pairs, claims or facts, and not about an article."""

import uuid
from collections.abc import Mapping
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from annotation.access import assignments_for
from annotation.importing import load_dataset
from annotation.models import Assignment, Attempt, Dataset, Item, Project, Rating, Sheet
from annotation.projects.create import create_project
from annotation.projects.members import add_member
from annotation.qualification.attempts import begin_attempt
from annotation.qualification.gold_comparison import hidden_gold_scores
from annotation.qualification.next_work import take_next
from annotation.qualification.sheet_purposes import count_gold, gold_candidates, set_purpose
from annotation.rating.bulk_storage import NewRating, store_ratings
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from annotation.reviewing.adjudication import adjudicate
from annotation.reviewing.gold import set_gold
from annotation.reviewing.lead_ratings import current_rating, version_token
from tests.cast import dataset, newest_version, person, response, signed_in
from tests.importing.files import FIXTURES
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db
TURNED = "In this text, “A” is your answer B"
CLAIM = {
    "support": "complete",
    "informativeness": "very_relevant",
    "worthiness": "yes",
    "correctness": "unsure",
    "reliability": "reliable",
}


def project_of(slug: str, data: Dataset, protocol: str, **rules: Any) -> Project:
    """Create a project that Ravi rates and Lena leads."""
    created = create_project(slug, data, newest_version(protocol), overlap=1)
    Project.objects.filter(pk=created.pk).update(**rules)
    add_member(created, person("ravi"), "rater")
    add_member(created, person("lena"), "lead")
    return Project.objects.get(pk=created.pk)


def loaded(format: str, file: str) -> Dataset:
    load_dataset(format, [FIXTURES / format / file], "some-data")
    return Dataset.objects.get(slug="some-data")


def items_of(sheet: Sheet) -> list[Item]:
    items = Item.objects.filter(response=sheet.response_id, rate=True, unit=sheet.project.protocol.definition.unit)
    return list(items.filter(against=sheet.against_id).order_by("position"))


def sheet_for(project: Project, purpose: str, *answers: Mapping[str, Any], reason: str = "A is right.") -> Sheet:
    """Return the sheet of the project's first response, with these gold answers to its items in order."""
    sheet = Sheet.objects.select_related("project").filter(project=project).order_by("rank").first()
    assert sheet
    for item, answer in zip(items_of(sheet), answers, strict=True):
        set_gold(project, item, answer, person("lena"), reason)
    set_purpose(project, [sheet], purpose)
    return sheet


def next_work(project: Project, *, swapped: bool | None = None) -> Assignment:
    """Return Ravi's next response; a pair in the given order."""
    with transaction.atomic():
        work = take_next(project, person("ravi"))
    assert work
    if swapped is not None:
        work.public_id = uuid.UUID(int=uuid.uuid4().int & ~1 | swapped)
        work.save()
    return work


def train(project: Project) -> None:
    with transaction.atomic():
        begin_attempt(project, person("ravi"), "training")


def answer_and_finish(work: Assignment, *answers: Mapping[str, Any]) -> list[Item]:
    """Let Ravi answer each item and finish."""
    items = items_of(work.sheet)
    for item, answer in zip(items, answers, strict=True):
        save(person("ravi"), work.public_id, item.public_id, Submission(dict(answer), 0))
    finish(assignments_for(person("ravi")).get(pk=work.pk))
    return items


def page(name: str, address: str) -> str:
    client = Client()
    client.force_login(person(name))
    return text_of(client.get(address))


class TestPairs:
    @pytest.fixture
    def pairs(self):
        return project_of("pairs", loaded("lfqa_eval", "preferences.jsonl"), "pairwise-preference")

    @pytest.mark.parametrize("swapped", [False, True])
    def test_feedback_is_about_the_two_as_the_rater_has_them(self, pairs, swapped):
        sheet_for(pairs, "training", {"preference": "a"})
        train(pairs)
        work = next_work(pairs, swapped=swapped)
        (pair,) = answer_and_finish(work, {"preference": "tie"})
        for address in (f"/assignments/{work.public_id}/items/{pair.public_id}/feedback/", "/projects/pairs/training/"):
            html = page("ravi", address)
            assert f"You: = Tie · Gold answer: {'B' if swapped else 'A'} is better" in html
            assert "A is right." in html and (TURNED in html) == swapped

    @pytest.mark.parametrize("swapped", [False, True])
    def test_the_right_one_is_right_from_either_side_and_more_than_was_agreed_on_takes_nothing_away(
        self, pairs, swapped
    ):
        sheet_for(pairs, "training", {"preference": "a"})
        train(pairs)
        work = next_work(pairs, swapped=swapped)
        (pair,) = answer_and_finish(work, {"preference": "b" if swapped else "a", "difficult": "yes"})
        assert "Pair 1: correct." in page("ravi", f"/assignments/{work.public_id}/items/{pair.public_id}/feedback/")
        assert Attempt.objects.get().right == 1

    @pytest.mark.parametrize("swapped", [False, True])
    def test_a_decision_is_shown_as_the_rater_has_the_two_and_leads_are_told(self, pairs, swapped):
        Project.objects.update(shows_decisions=True)
        work = next_work(pairs, swapped=swapped)
        (pair,) = answer_and_finish(work, {"preference": "tie"})
        adjudicate(pairs, pair, {"preference": "a"}, "A cites a study.", person("lena"))
        html = page("ravi", "/projects/pairs/adjudications/")
        assert f"Adjudicated: {'B' if swapped else 'A'} is better" in html
        assert "A cites a study." in html and (TURNED in html) == swapped
        ravi = signed_in("ravi")
        token = version_token(current_rating(pairs, pair, Rating.Role.ADJUDICATOR))
        posted = {"reply": "dispute", "comment": "So does B.", "seen": token}
        ravi.post(f"/projects/pairs/adjudications/{pair.public_id}/", posted)
        replies = page("lena", "/projects/pairs/review/replies/")
        assert "So does B." in replies and ("saw the answers in reverse order" in replies) == swapped

    def test_a_pair_has_the_gold_answer_and_no_other_pair_of_the_same_response(self, pairs):
        sheet = Sheet.objects.select_related("project").filter(project=pairs).order_by("rank")[0]
        other = Sheet.objects.filter(project=pairs).exclude(response=sheet.response_id)[0]
        Sheet.objects.filter(pk=other.pk).update(response=sheet.response_id)
        (pair,) = items_of(sheet)
        set_gold(pairs, pair, {"preference": "tie"}, person("lena"), "")
        assert [candidate.pk for candidate in gold_candidates(pairs)] == [sheet.pk]


class TestClaims:
    @pytest.fixture
    def claims(self):
        return project_of("claims", loaded("expertqa", "answers.jsonl"), "claim-attribution")

    def test_training_asks_about_the_whole_with_the_last_claim_and_says_what_was_agreed_on(self, claims):
        sheet = Sheet.objects.select_related("project").filter(project=claims).order_by("rank")[0]
        whole = [CLAIM] * (len(items_of(sheet)) - 1) + [CLAIM | {"usefulness": "useful"}]
        sheet_for(claims, "training", *whole)
        train(claims)
        work = next_work(claims)
        last = answer_and_finish(work, *whole[:-1], CLAIM | {"usefulness": "partially_useful"})[-1]
        feedback = page("ravi", f"/assignments/{work.public_id}/items/{last.public_id}/feedback/")
        assert "correct, but not in every question." in feedback and "~ Partially useful" in feedback

    def test_published_gold_with_a_gap_where_raters_are_checked_checks_nobody(self, claims):
        sheet = Sheet.objects.select_related("project").filter(project=claims).order_by("rank")[0]
        store_ratings(
            claims, [NewRating(item, person("lena"), {"worthiness": "yes"}, "gold") for item in items_of(sheet)]
        )
        assert not gold_candidates(claims)
        assert count_gold(claims, [sheet])[0].gold == 0


class TestFacts:
    YES, NO = {"factual": "yes", "accuracy": "accurate"}, {"factual": "no"}
    WRONG = {"factual": "yes", "accuracy": "inaccurate", "severity": "severe"}

    @pytest.fixture
    def web(self):
        data = dataset("web-data")
        for n in range(4):
            response(data.prompts.create(key=f"q{n}", text="And?"), "heron", 3)
        return project_of("web", data, "web-factuality", gold_every=2)

    def test_it_is_the_accuracy_that_counts_and_that_there_is_nothing_to_judge(self, web):
        sheet_for(web, "training", self.YES, self.WRONG, self.NO)
        train(web)
        answer_and_finish(next_work(web), self.YES, self.YES, self.NO)
        assert (Attempt.objects.get().right, Attempt.objects.get().items) == (2, 3)
        assert "Incorrect" in page("ravi", "/projects/web/training/")

    def test_hidden_gold_is_measured_alike(self, web):
        sheet = sheet_for(web, "gold", self.YES, self.WRONG, self.NO)
        for _ in range(2):  # one of two
            work = next_work(web)
            is_gold = work.sheet_id == sheet.pk
            answer_and_finish(work, *([self.YES, self.YES, self.NO] if is_gold else [self.YES] * 3))
            if is_gold:
                break
        score = hidden_gold_scores(web)[person("ravi").pk]
        assert (score.right, score.items) == (2, 3)
