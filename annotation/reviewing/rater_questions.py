"""Raters' questions and reports about items, and the leads' answers.

A question is visible to the leads only. The asker sees the answer next to the item; when a lead publishes it, all
raters of the project see it, without the asker's name. An answer can be changed; then it is new to the asker again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID, uuid4, uuid5

from django.contrib.humanize.templatetags.humanize import intcomma
from django.db import transaction
from django.db.models import Count, F, Q, QuerySet
from django.utils.translation import gettext as _

from ..audit import record
from ..models import Notification, Project, RaterQuestion, User
from ..notifications import leads_of, notify
from ..notifications import mark_read as mark_notifications_read
from ..queue.errors import ARCHIVED, ProjectArchived
from ..rating.bookmarks import sheet_item
from ..rating.submit import KeyReused, NotAllowed
from ..site.database_clock import database_now
from .lead_ratings import assignment_id
from .sentence_boundaries import BoundaryChange, BoundaryChangeRefused, change_refusal, merge, neighbors, split

MAX_TEXT_LENGTH = 4_000  # code points of a question or an answer
MAX_OPEN = 20  # of one rater about one item
KEYS = UUID("5b0a4d0e-6f0c-4f55-9c53-8a5d4c1f7a2e")  # the namespace of questions with an idempotency key

STATES: Mapping[str, Q] = {
    "open": Q(answered_at=None),
    "answered": Q(answered_at__isnull=False),
    "splits": Q(kind=RaterQuestion.Kind.SPLIT),
    "all": Q(),
}


class NoSuchRaterQuestion(LookupError):
    """The project has no such question."""


@transaction.atomic
def ask_leads(
    rater: User, assignment: UUID, item: UUID, text: str, kind: str = RaterQuestion.Kind.QUESTION, *, key: str = ""
) -> RaterQuestion:
    """Ask the leads about an item, or report its boundaries. An equal text is the same question until it is answered;
    an equal `key` is always the same request.

    Raises KeyReused, NoSuchItem, ProjectArchived or NotAllowed, in this order.
    """
    public_id = uuid5(KEYS, f"{rater.pk} {key}") if key else uuid4()
    if earlier := RaterQuestion.objects.select_related("item").filter(public_id=public_id).first():
        if (earlier.item.public_id, earlier.kind, earlier.text) != (item, kind, text.strip()):
            raise KeyReused("This idempotency key was used for another request. Use a new key for each question.")
        return earlier
    assigned, asked_item = sheet_item(rater, assignment, item)
    if assigned.project.archived_at:
        raise ProjectArchived(ARCHIVED)
    if kind == RaterQuestion.Kind.SPLIT and (why := change_refusal(asked_item)):
        raise NotAllowed({"kind": [why]})
    text = _checked(text, "text", needed=kind == RaterQuestion.Kind.QUESTION)
    own = RaterQuestion.objects.select_for_update().filter(
        project=assigned.project, item=asked_item, asker=rater, answered_at=None
    )
    waiting = list(own)
    if same := next((question for question in waiting if (question.kind, question.text) == (kind, text)), None):
        return same
    if len(waiting) >= MAX_OPEN:
        raise NotAllowed({"text": [_("You have already asked many questions about this. Wait for an answer.")]})
    fields = {"project": assigned.project, "item": asked_item, "asker": rater, "kind": kind, "text": text}
    created, is_new = RaterQuestion.objects.get_or_create(public_id=public_id, defaults=fields)
    if not is_new:  # a concurrent request with the same key
        return created
    action = "report split" if kind == RaterQuestion.Kind.SPLIT else "ask"
    record(rater, action, f"inquiry:{created.public_id}", project=assigned.project, after={"item": str(item)})
    notify(leads_of(assigned.project, actor=rater), Notification.Kind.ASKED, project=assigned.project)
    return created


@transaction.atomic
def answer_question(
    project: Project, public_id: UUID, text: str, *, is_published: bool = False, actor: User
) -> RaterQuestion:
    """Answer a question, or change the answer. Raises NoSuchRaterQuestion or NotAllowed."""
    question = RaterQuestion.objects.select_for_update().filter(project=project, public_id=public_id).first()
    if question is None:
        raise NoSuchRaterQuestion(_("There is no such question in this project."))
    text = _checked(text, "answer", needed=True)
    before = {"answer": question.answer, "published": question.is_published} if question.answered_at else None
    if before == {"answer": text, "published": is_published}:
        return question
    if text != question.answer:
        question.answered_at, question.answered_by, question.seen_at = database_now(), actor, None
    question.answer, question.is_published = text, is_published
    question.save(update_fields=["answer", "is_published", "answered_at", "answered_by", "seen_at"])
    after = {"answer": text, "published": is_published}
    record(actor, "answer", f"inquiry:{public_id}", project=project, before=before, after=after)
    if question.seen_at is None and question.asker_id != actor.pk:
        notify([question.asker_id], Notification.Kind.ANSWERED, project=project, question=question)
    return question


def mark_read(rater: User, project: Project, public_ids: list[UUID]) -> int:
    """Mark these answers to the rater's own questions as read. Return how many were new."""
    own = RaterQuestion.objects.filter(project=project, asker=rater, public_id__in=public_ids, seen_at=None)
    answered = own.filter(answered_at__isnull=False)
    mark_notifications_read(rater, Q(question__in=answered))
    return answered.update(seen_at=database_now())


def _checked(text: str, field: str, *, needed: bool) -> str:
    text = text.strip()
    if needed and not text:
        raise NotAllowed({field: [_("Enter a text.")]})
    if len(text) > MAX_TEXT_LENGTH:
        values = {"longest": intcomma(MAX_TEXT_LENGTH), "text": intcomma(len(text))}
        raise NotAllowed({field: [_("Use at most %(longest)s characters; this has %(text)s.") % values]})
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise NotAllowed({field: [_("The text contains a character that cannot be stored.")]})
    return text


def inbox(project: Project, state: str = "open") -> QuerySet[RaterQuestion]:
    """Return the project's questions in one of STATES: open ones oldest first, others newest first. `assignment` is the
    public id of the asker's assignment."""
    order = ("asked_at", "id") if state == "open" else ("-asked_at", "-id")
    related = ("asker", "answered_by", "item__response__prompt")
    questions = RaterQuestion.objects.filter(STATES[state], project=project).select_related(*related)
    return questions.annotate(assignment=assignment_id("asker")).order_by(*order)


def question_for(project: Project, public_id: UUID) -> RaterQuestion:
    """Return one question with everything that its page shows. Raises NoSuchRaterQuestion."""
    related = ("asker", "answered_by", "item__response__prompt__document")
    questions = RaterQuestion.objects.select_related(*related).annotate(assignment=assignment_id("asker"))
    question = questions.filter(project=project, public_id=public_id).first()
    if question is None:
        raise NoSuchRaterQuestion(_("There is no such question in this project."))
    return question


@dataclass(frozen=True)
class QuestionCounts:
    """The number of unanswered questions in a project, and of all."""

    open: int = 0
    all: int = 0


def count_questions(projects: list[Project]) -> dict[int, QuestionCounts]:
    """Return the counts by project id, without projects that have no questions. One query."""
    rows = RaterQuestion.objects.filter(project__in=projects).order_by().values_list("project")
    counts = rows.annotate(open=Count("pk", filter=Q(answered_at=None)), all=Count("pk"))
    return {project: QuestionCounts(n, whole) for project, n, whole in counts}


def published_answers(project: Project) -> QuerySet[RaterQuestion]:
    """Return the published answers, newest first."""
    return (
        RaterQuestion.objects.filter(project=project, is_published=True).select_related("item").order_by("-answered_at")
    )


def questions_of(rater: User, project: Project) -> QuerySet[RaterQuestion]:
    """Return the rater's questions, last answered first."""
    own = RaterQuestion.objects.filter(project=project, asker=rater).select_related("item")
    return own.order_by(F("answered_at").desc(nulls_last=True), "-asked_at")


def count_new_answers(rater: User, projects: list[Project]) -> dict[int, int]:
    """Return by project id the number of answers that the rater has not read. One query."""
    own = RaterQuestion.objects.filter(project__in=projects, asker=rater, answered_at__isnull=False, seen_at=None)
    return dict(own.order_by().values_list("project").annotate(n=Count("pk")))


class How(StrEnum):
    """Split the item, or merge it with the item before or after it."""

    SPLIT = "split"
    BEFORE = "before"
    AFTER = "after"


@transaction.atomic
def change_question_boundaries(
    project: Project, question: RaterQuestion, how: str, parts: Sequence[str] = (), *, actor: User
) -> BoundaryChange:
    """Change the boundaries of the question's item; a report of a wrong split without an answer is answered with the
    new text. `how` is a value of How; `parts` are the lines of a split. Raises BoundaryChangeRefused.
    """
    item = question.item
    if item.retired_at:
        raise BoundaryChangeRefused("The boundaries were edited already.")
    if why := change_refusal(item):
        raise BoundaryChangeRefused(why)
    if how == How.SPLIT:
        done = split(project, item, parts, actor=actor)
    else:
        before, after = neighbors(item)
        other = {How.BEFORE: before, How.AFTER: after}.get(How(how)) if how in list(How) else None
        if other is None:
            raise BoundaryChangeRefused("There is nothing to merge with.")
        done = merge(project, item, other, actor=actor)
    if question.kind == RaterQuestion.Kind.SPLIT and not question.answered_at:
        new_text = " | ".join(" ".join(new.text.split()) for new in done.new_items)
        answer = f"The boundaries are edited. {new_text}"[:MAX_TEXT_LENGTH]
        answer_question(project, question.public_id, answer, actor=actor)
    return done
