"""A project's own guidelines: published in numbered versions that never change.

Each rating stores the version under which it was given. After a change a lead can reoffer finished responses with
ratings under earlier versions: their items are bookmarked for the raters, who confirm or change each answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib.humanize.templatetags.humanize import intcomma
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from ..audit import record
from ..models import Bookmark, GuidelineVersion, Project, Rating, Slot, User
from ..protocols import Protocol
from ..queue.reoffers import reoffer
from ..queue.slots import lock_open_project, lock_project

MAX_LENGTH = 100_000  # code points of the text and of all examples
MAX_NOTE_LENGTH = 300

Examples = dict[str, dict[str, str]]
"""`{question: {option: Markdown}}`"""


class NotPublishable(ValueError):
    """The guidelines cannot be published as they are. `.errors` is `{field: message}`."""

    def __init__(self, errors: dict[str, str]):
        super().__init__(" ".join(errors.values()))
        self.errors = errors


def guideline_versions(project: Project) -> QuerySet[GuidelineVersion]:
    """Return the published versions, newest first."""
    return GuidelineVersion.objects.filter(project=project).order_by("-number")


def current_guidelines(project: Project) -> GuidelineVersion | None:
    """Return the newest version, or None without project guidelines."""
    return guideline_versions(project).first()


@transaction.atomic
def publish_guidelines(
    project: Project,
    text: str,
    examples: Mapping[str, Mapping[str, str]] | None = None,
    note: str = "",
    *,
    actor: User | None = None,
) -> GuidelineVersion:
    """Publish a version, or return the newest if it is equal. `note` is one line about the change. Raises
    NotPublishable.
    """
    lock_project(project)
    text, note = text.strip(), note.strip()
    used_examples = _used_examples(examples or {}, project.protocol.definition)
    if errors := _validate(text, used_examples, note):
        raise NotPublishable(errors)
    newest = current_guidelines(project)
    if newest and (newest.text, newest.examples) == (text, used_examples):
        return newest
    number = newest.number + 1 if newest else 1
    version = GuidelineVersion.objects.create(
        project=project, number=number, text=text, examples=used_examples, note=note, made_by=actor
    )
    record(
        actor, "publish guidelines", f"project:{project.slug}", project=project, after={"number": number, "note": note}
    )
    return version


def _used_examples(examples: Mapping[str, Mapping[str, str]], protocol: Protocol) -> Examples:
    """Return the non-empty examples of options that the protocol has, in its order."""
    used: Examples = {}
    for question in protocol.questions:
        texts = {key: text.strip() for key, text in examples.get(question.key, {}).items()}
        if options := {option.key: texts[option.key] for option in question.options if texts.get(option.key)}:
            used[question.key] = options
    return used


def _validate(text: str, examples: Examples, note: str) -> dict[str, str]:
    errors = {}
    texts = [text, note, *(words for options in examples.values() for words in options.values())]
    if not text and not examples:
        errors["text"] = "Enter the guidelines: they cannot be empty."
    if sum(map(len, texts)) > MAX_LENGTH:
        errors["text"] = f"Use at most {intcomma(MAX_LENGTH)} characters, including all examples."
    if len(note) > MAX_NOTE_LENGTH:
        errors["note"] = f"Use at most {MAX_NOTE_LENGTH} characters."
    if any("\0" in words for words in texts):
        errors["text"] = "The text contains a character that cannot be stored (NUL)."
    return errors


@dataclass(frozen=True)
class Affected:
    """Ratings under earlier guidelines or none: all, or those with the answer `option` to `question` (keys)."""

    question: str = ""
    option: str = ""

    def ratings(self, project: Project, number: int) -> QuerySet[Rating]:
        """Return raters' ratings in finished responses that were given before version `number`."""
        earlier = Q(guidelines__lt=number) | Q(guidelines=None)
        slot = Slot.objects.filter(holder=OuterRef("assignment"), finished_at__isnull=False)
        ratings = Rating.objects.filter(
            earlier, Exists(slot), project=project, role=Rating.Role.RATER, counted=True, item__retired_at=None
        )
        return ratings.filter(choices__contains={self.question: self.option}) if self.option else ratings


@transaction.atomic
def reoffer_affected(project: Project, affected: Affected, *, actor: User | None = None) -> tuple[int, int]:
    """Reoffer the finished responses of affected ratings, with their items bookmarked for the raters.

    Returns the numbers of responses and items. Raises ProjectError, or NotPublishable without guidelines.
    """
    newest = current_guidelines(project)
    lock_open_project(project)
    if newest is None:
        raise NotPublishable({"text": "There are no guidelines yet."})
    ratings = affected.ratings(project, newest.number)
    slots = Slot.objects.filter(holder__in=ratings.values("assignment"), finished_at__isnull=False)
    locked = list(slots.select_for_update(of=("self",)).order_by("pk"))
    holders = {slot.holder_id for slot in locked}
    rated = list(ratings.filter(assignment__in=holders).values_list("assignment", "item"))
    reoffered = {slot.holder_id for slot in reoffer(locked)}
    reason = Bookmark.Reason.GUIDELINES
    bookmarks = [Bookmark(assignment_id=a, item_id=item, reason=reason) for a, item in rated if a in reoffered]
    Bookmark.objects.bulk_create(
        bookmarks,
        update_conflicts=True,
        unique_fields=["assignment", "item"],
        update_fields=["reason", "created_at"],
        batch_size=2_000,
    )
    after = {"number": newest.number, "option": affected.option, "responses": len(reoffered), "items": len(bookmarks)}
    record(actor, "offer again", f"project:{project.slug}", project=project, after=after)
    return len(reoffered), len(bookmarks)
