"""A project's own guidelines: published in numbered versions, none of which ever changes.

Each rating says under which version it was given. When guidelines have changed, a lead can have finished responses
offered again whose ratings were given under earlier ones: the raters find the items in their pile, and confirm or
change each answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib.humanize.templatetags.humanize import intcomma
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from ..audit import record
from ..models import Bookmark, GuidelineVersion, Project, Rating, Slot, User
from ..protocols import Protocol
from ..queue.errors import ARCHIVED, ProjectArchived
from ..queue.reoffers import reoffer
from ..queue.slots import lock_project

LONGEST = 100_000  # code points of the text and of all examples
LONGEST_NOTE = 300

Examples = dict[str, dict[str, str]]
"""`{question: {option: Markdown}}`"""


class NotPublishable(ValueError):
    """The guidelines cannot be published as they are. `.errors` is `{field: what is wrong}`."""

    def __init__(self, errors: dict[str, str]):
        super().__init__(" ".join(errors.values()))
        self.errors = errors


def guideline_versions(project: Project) -> QuerySet[GuidelineVersion]:
    """All that were published, the newest first."""
    return GuidelineVersion.objects.filter(project=project).order_by("-number")


def current_guidelines(project: Project) -> GuidelineVersion | None:
    """The newest version; None where the project has no guidelines of its own."""
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
    """Publish a version; the same as the newest again is that one. `note` says in a line what is new.

    Raises NotPublishable.
    """
    lock_project(project)
    text, note, kept = text.strip(), note.strip(), _kept(examples or {}, project.protocol.definition)
    if errors := _wrong(text, kept, note):
        raise NotPublishable(errors)
    newest = current_guidelines(project)
    if newest and (newest.text, newest.examples) == (text, kept):
        return newest
    number = newest.number + 1 if newest else 1
    made = GuidelineVersion.objects.create(
        project=project, number=number, text=text, examples=kept, note=note, made_by=actor
    )
    record(
        actor, "publish guidelines", f"project:{project.slug}", project=project, after={"number": number, "note": note}
    )
    return made


def _kept(examples: Mapping[str, Mapping[str, str]], protocol: Protocol) -> Examples:
    """The examples of options that the protocol has, in its order, without empty ones."""
    found: Examples = {}
    for question in protocol.questions:
        given = examples.get(question.key, {})
        kept = {o.key: given[o.key].strip() for o in question.options if given.get(o.key, "").strip()}
        if kept:
            found[question.key] = kept
    return found


def _wrong(text: str, examples: Examples, note: str) -> dict[str, str]:
    errors = {}
    written = [text, note, *(words for options in examples.values() for words in options.values())]
    if not text and not examples:
        errors["text"] = _("Write something: guidelines without words help nobody.")
    if sum(map(len, written)) > LONGEST:
        errors["text"] = _("At most %(longest)s characters with all examples.") % {"longest": intcomma(LONGEST)}
    if len(note) > LONGEST_NOTE:
        errors["note"] = _("At most %(longest_note)s characters.") % {"longest_note": LONGEST_NOTE}
    if any("\0" in words for words in written):
        errors["text"] = _("The text holds a character that cannot be stored (NUL).")
    return errors


@dataclass(frozen=True)
class Affected:
    """Which ratings changed guidelines bear on: all that were given under earlier ones (or under none), or those of
    them with one answer, a question's key and an option's."""

    question: str = ""
    option: str = ""

    def ratings(self, project: Project, number: int) -> QuerySet[Rating]:
        """Raters' ratings in finished responses that were given before version `number`."""
        earlier = Q(guidelines__lt=number) | Q(guidelines=None)
        slot = Slot.objects.filter(holder=OuterRef("assignment"), finished_at__isnull=False)
        found = Rating.objects.filter(
            earlier, Exists(slot), project=project, role=Rating.Role.RATER, counted=True, item__retired_at=None
        )
        return found.filter(choices__contains={self.question: self.option}) if self.option else found


@transaction.atomic
def reoffer_affected(project: Project, affected: Affected, *, actor: User | None = None) -> tuple[int, int]:
    """Offer the finished responses of affected ratings again, the items in the raters' piles.

    Returns how many responses and how many items. Raises ProjectArchived, or NotPublishable without guidelines.
    """
    newest = current_guidelines(project)
    if lock_project(project).archived_at:
        raise ProjectArchived(ARCHIVED)
    if newest is None:
        raise NotPublishable({"text": _("There are no guidelines yet.")})
    ratings = affected.ratings(project, newest.number)
    slots = Slot.objects.filter(holder__in=ratings.values("assignment"), finished_at__isnull=False)
    locked = list(slots.select_for_update(of=("self",)).order_by("pk"))
    holders = {slot.holder_id for slot in locked}
    wanted = list(ratings.filter(assignment__in=holders).values_list("assignment", "item"))
    back = {slot.holder_id for slot in reoffer(locked)}
    marks = [
        Bookmark(assignment_id=a, item_id=item, reason=Bookmark.Reason.GUIDELINES) for a, item in wanted if a in back
    ]
    Bookmark.objects.bulk_create(
        marks,
        update_conflicts=True,
        unique_fields=["assignment", "item"],
        update_fields=["reason", "created_at"],
        batch_size=2_000,
    )
    after = {"number": newest.number, "option": affected.option, "responses": len(back), "items": len(marks)}
    record(actor, "offer again", f"project:{project.slug}", project=project, after=after)
    return len(back), len(marks)
