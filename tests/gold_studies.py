"""What the tests of training, qualification and hidden gold begin with: gold answers, responses set aside, a rater who
answers as told."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from annotation.access import assignments_for
from annotation.models import Assignment, Item, Project, Sheet, User
from annotation.qualification.attempts import begin_attempt
from annotation.qualification.next_work import take_next
from annotation.qualification.sheet_purposes import set_purpose
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from annotation.reviewing.gold import set_gold

from .cast import ACCURATE, SEVERE, Study, study

REASON = "The article says 11.8 km."


def make_gold(study: Study, response: int, answers: Mapping[str, Any] = SEVERE) -> Sheet:
    """Store these answers of Lena as gold for every item of the response."""
    for item in study.items(response):
        if item.rate:
            set_gold(study.project, item, answers, study.people["lena"], REASON)
    return Sheet.objects.select_related("response").get(
        project=study.project, response=study.responses[response]
    )  # fmt: skip


def gold_sheets_for(study: Study, purpose: str, *responses: int, answers: Mapping[str, Any] = SEVERE) -> list[Sheet]:
    """Give these responses gold answers and set the purpose of their sheets."""
    sheets = [make_gold(study, response, answers) for response in responses]
    set_purpose(study.project, sheets, purpose, actor=study.people["lena"])
    return sheets


def take_work(project: Project, rater: User, *, after: Assignment | None = None) -> Assignment | None:
    with transaction.atomic():
        return take_next(project, rater, after=after and after.public_id)


def start_attempt(project: Project, rater: User, purpose: str) -> None:
    with transaction.atomic():
        begin_attempt(project, rater, purpose)


def answer_all_items(assignment: Assignment, answers: Mapping[str, Any] = ACCURATE, *, but: int = 0) -> None:
    """Answer all items of the response, the first `but` of them with other answers."""
    other = ACCURATE if answers != ACCURATE else SEVERE
    for index, item in enumerate(items(assignment)):
        item_answers = other if index < but else answers
        save(assignment.rater, assignment.public_id, item.public_id, Submission(dict(item_answers), 0))


def items(assignment: Assignment) -> list[Item]:
    return list(Item.objects.filter(response=assignment.sheet.response, rate=True).order_by("position"))


def rate_next(
    study: Study, name: str, answers: Mapping[str, Any] = ACCURATE, *, but: int = 0
) -> tuple[Assignment, str]:
    """Take the rater's next response, answer it and finish. Return it and the result of finishing."""
    work = take_work(study.project, study.people[name])
    assert work is not None
    answer_all_items(work, answers, but=but)
    return work, finish(assignments_for(study.people[name]).get(pk=work.pk))


def mixed() -> Study:
    """Create twelve responses of one sentence each, four of them hidden gold, one in three for each rater."""
    june = study(prompts=12, overlap=1, sentences=1)
    gold_sheets_for(june, "gold", 0, 1, 2, 3)
    june.project.gold_every = 3
    june.project.save()
    return june
