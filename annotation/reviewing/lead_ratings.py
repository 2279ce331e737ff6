"""Leads' verdicts on an item, adjudications or gold answers: validated like every answer, stored as ratings.

Two leads may review the same item. A verdict is sent with the token of the one that its author saw; if another lead has
changed it meanwhile, nothing is stored, and the page shows the newer verdict. The item is locked during the change
against other verdicts, not against raters.
"""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from .. import protocols
from ..audit import record
from ..i18n.english import localized
from ..i18n.protocol_translation import validate_answers
from ..models import Assignment, Item, Project, Rating, Sheet, User
from ..models.rated_items import is_rateable
from ..projects.archiving import require_not_archived
from ..rating.bulk_storage import NewRating, store_ratings
from ..rating.evidence import Passage, evidence_problems_in
from ..rating.submit import COMMENT_LENGTH, NotAllowed
from ..rating.whole_response_questions import protocol_for_item
from ..site.database_clock import database_now

NOTHING = "none"
"""The token of no verdict."""


class ReviewedMeanwhile(ValueError):
    """Another lead has changed the verdict. `.current` is the newest verdict, None if it was deleted."""

    def __init__(self, current: Rating | None):
        super().__init__("Another person has reviewed this in the meantime.")
        self.current = current


def current_ratings(project: Project, role: str) -> QuerySet[Rating]:
    """Return the newest rating in a role (adjudicator or gold) of each item."""
    return (
        Rating.objects.filter(project=project, role=role)
        .order_by("item_id", "-rated_at", "-pk")
        .distinct("item_id")
        .select_related("rater")
    )


def current_rating(project: Project, item: Item, role: str) -> Rating | None:
    return current_ratings(project, role).filter(item=item).first()


def version_token(verdict: Rating | None) -> str:
    """Return a token of the current verdict, which differs after every change and for every newer verdict."""
    return f"{verdict.pk}.{verdict.version}" if verdict else NOTHING


def lock_item(project: Project, item: Item) -> None:
    """Lock the item against other verdicts until the transaction ends. Raises NoSuchItem or ProjectArchived."""
    require_not_archived(project, "This project is archived. Unarchive it to review it.")
    if items_for_review(project).select_for_update(no_key=True).filter(pk=item.pk).first() is None:
        raise NoSuchItem("There is no such rated item in this project.")


def check_version(verdict: Rating | None, expected_version: str | None) -> None:
    """Raise ReviewedMeanwhile unless `expected_version` is the token of the current `verdict`, or None (no check)."""
    if expected_version is not None and expected_version != version_token(verdict):
        raise ReviewedMeanwhile(verdict)


def validate_review(
    project: Project,
    item: Item,
    answers: protocols.SentAnswers,
    words: str,
    *,
    field: str,
    needed: bool,
    evidence: Sequence[Passage] = (),
) -> protocols.Answers:
    """Return the answers without those to hidden questions. Raises NotAllowed with all problems, including those of the
    reason or note `words`, under the name of its `field`."""
    protocol = review_questions(project, item)
    pruned, errors = validate_answers(protocol, answers)
    if wrong := text_problem(words, needed=needed):
        errors[field] = [wrong]
    if evidence and (problems := evidence_problems_in(item.response.prompt.document, evidence)):
        errors["evidence"] = problems
    if errors:
        raise NotAllowed(errors)
    if not pruned:
        raise NotAllowed({"answers": ["Answer at least one question."]})
    return pruned


def review_questions(project: Project, item: Item) -> protocols.Protocol:
    """Return the protocol of a verdict on the item, with questions about the whole response if a rater or a verdict
    answered them with this item."""
    ratings = Rating.objects.filter(project=project).exclude(role=Rating.Role.JUDGE)
    return protocol_for_item(project, project.protocol.translated, item.pk, ratings)


def text_problem(words: str, *, needed: bool, longest: int = COMMENT_LENGTH) -> str:
    """Return the problems of a reason or a note; empty if it can be stored."""
    if needed and not words.strip():
        return "Enter a reason: it is stored with the adjudication, and others can read it."
    if len(words) > longest:
        return f"Use at most {localized(f'{longest:,}')} characters; this has {localized(f'{len(words):,}')}."
    if "\0" in words or any("\ud800" <= character <= "\udfff" for character in words):
        return "The text contains a character that cannot be stored (NUL, or half of a surrogate pair)."
    return ""


def save_verdict(
    project: Project,
    item: Item,
    role: str,
    answers: protocols.Answers,
    words: str,
    actor: User,
    evidence: Sequence[Passage] = (),
) -> Rating:
    """Store a validated verdict: it replaces the actor's own, and its version increases."""
    rating = NewRating(
        item, actor, answers, role, comment=words.strip(), evidence=list(evidence), rated_at=database_now()
    )
    store_ratings(project, [rating], replace=True)
    return Rating.objects.select_related("rater").get(project=project, item=item, rater=actor, role=role)


def record_change(
    actor: User, action: str, item: Item, project: Project, before: Rating | None, after: Rating | None
) -> None:
    old, new = (
        {"by": verdict.rater.username, "answers": verdict.answers, "comment": verdict.comment} if verdict else None
        for verdict in (before, after)
    )
    record(actor, action, f"item:{item.public_id}", project=project, before=old, after=new)


class NoSuchItem(LookupError):
    """The project has no such rated item."""


def items_for_review(project: Project) -> QuerySet[Item]:
    """Return the items on the project's sheets that can be rated, drawn or not, without retired ones."""
    sheets = Sheet.objects.filter(project=project, response=OuterRef("response"))
    single = Exists(sheets.filter(against=None))
    paired = Exists(sheets.filter(against=OuterRef("against")))
    on_a_sheet = (Q(against=None) & single) | (Q(against__isnull=False) & paired)
    return Item.objects.filter(on_a_sheet, is_rateable(project), unit=project.protocol.definition.unit)


def item_for_review(project: Project, public_id: UUID) -> Item:
    """Return one of them, with its response, prompt, document and system. Raises NoSuchItem."""
    related = ("response__prompt__document", "response__system", "against__system")
    item = items_for_review(project).select_related(*related).filter(public_id=public_id).first()
    if item is None:
        raise NoSuchItem("There is no such rated item in this project.")
    return item


def assignment_id(rater: str, item: str = "item") -> Subquery:
    """Return an annotation for rows with a `project`: the public id of the assignment that `rater` has or had on the
    response, or pair, of `item`; both are names of fields. Null if the rater never had it.
    """
    is_same_pair = Q(sheet__against=OuterRef(f"{item}__against")) | Q(sheet__against=None)
    assignments = Assignment.objects.filter(
        is_same_pair,
        project=OuterRef("project"),
        rater=OuterRef(rater),
        sheet__response=OuterRef(f"{item}__response"),
    )
    return Subquery(assignments.order_by("-taken_at").values("public_id")[:1])
