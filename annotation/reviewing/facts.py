"""Manual editing of the facts of a response and of its reference answer: add, change, split, remove.

A changed fact is a new fact: the old one is retired with its ratings, the new one is appended, and all others keep
their ratings. Raters who had finished the response get it again, for the new facts only. Facts belong to the response,
not to a project, so every project that rates its facts changes.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from ..access import projects_led_by
from ..audit import record
from ..models import Assignment, AuditEvent, Item, Membership, Project, Purpose, Rating, Response, Sheet, User
from ..qualification.sheet_purposes import check_gold
from ..queue.errors import ProjectError
from ..queue.reoffers import reoffer
from ..queue.slots import add_slots, lock_project
from .sentence_boundaries import locked_slots, retire

RESPONSE, REFERENCE = KINDS = ("fact", "reference_fact")
MAX_LENGTH = 2_000
MAX_FACTS = 200
CHANGE = "change facts"
"""The action of the audit event."""


class FactChangeRefused(ValueError):
    """The facts cannot be changed like this; the message gives the reason."""


@dataclass(frozen=True)
class FactChange:
    """The effect of a change. `asked_again`: raters who get the response again; `ratings`: no longer counted."""

    retired: list[Item]
    new_items: list[Item]
    asked_again: int = 0
    ratings: int = 0


def facts_of(response: Response) -> dict[str, list[Item]]:
    facts: dict[str, list[Item]] = {kind: [] for kind in KINDS}
    for item in _facts(response).filter(retired_at=None).order_by("position"):
        facts.setdefault(item.kind, []).append(item)
    return facts


def version_token(response: Response) -> str:
    """Return a token of the current facts, to detect concurrent changes."""
    ids = _facts(response).filter(retired_at=None).order_by("pk").values_list("pk", flat=True)
    return hashlib.sha256(",".join(map(str, ids)).encode()).hexdigest()[:16]


def propose_reference_facts(response: Response) -> list[str]:
    """Return the reference answer's facts from another response to the same prompt."""
    others = Item.objects.filter(response__prompt=response.prompt_id, kind=REFERENCE, retired_at=None)
    first = others.exclude(response=response).order_by("response").values_list("response", flat=True).first()
    return list(others.filter(response=first).order_by("position").values_list("text", flat=True)) if first else []


def sheets_with_facts(project: Project, user: User, *, leads: bool) -> QuerySet[Sheet]:
    """Return the sheets whose facts the user may read, in the project's order, with `has_facts` and the number of
    `facts`, including those of the reference answer. A rater sees sheets without facts and those of their own work,
    because facts reveal the content of a response."""
    facts = Item.objects.filter(response=OuterRef("response"), unit=Item.Unit.FACT, retired_at=None)
    of_response = facts.order_by().values("response").annotate(n=Count("pk")).values("n")
    sheets = Sheet.objects.filter(project=project, against=None).annotate(
        has_facts=Exists(facts), facts=Coalesce(Subquery(of_response), 0)
    )
    if not leads:
        own_assignments = Assignment.objects.filter(sheet=OuterRef("pk"), rater=user)
        sheets = sheets.filter(Q(has_facts=False) | Exists(own_assignments))
    return sheets.select_related("response__prompt").order_by("has_facts", "rank", "pk")


def change_refusal(response: Response, user: User) -> str:
    """Return why the user may not change the facts; "" if they may. Called again under the locks.

    Leads of every project with the facts may. Others may not remove facts that other users' ratings refer to. Hidden
    gold gets the same message as facts rated by another user, so that it stays hidden.
    """
    led = set(projects_led_by(user))
    foreign = [each for each in _projects(response) if each not in led]
    if not foreign:
        return ""
    joined = Membership.objects.filter(user=user, project__in=foreign)
    if joined.filter(Membership.PAUSED).exists():
        return _("You are paused in a project with these facts, so you cannot change them.")
    current_facts = list(_facts(response).filter(retired_at=None))
    if current_facts and joined.count() < len(foreign):
        return _("Another project rates these facts too, so only leads of all its projects may change them.")
    by_people = Rating.objects.filter(item__in=current_facts).exclude(role=Rating.Role.JUDGE)
    if by_people.exclude(role=Rating.Role.RATER, rater=user).exists():
        return _("Another rater has already rated these facts, so only leads of all their projects may change them.")
    if not _are_own(response, current_facts, user):
        return _("Another person has entered these facts, so only leads of all their projects may change them.")
    return ""


def _are_own(response: Response, facts: Sequence[Item], user: User) -> bool:
    """Return whether no other user has entered any of the facts. Facts from a file have no author."""
    typed = {(item.kind, item.text) for item in facts if item.splitter == Item.BY_HAND}
    changes = AuditEvent.objects.filter(
        project__in=_projects(response), action=CHANGE, target=_name(response)
    ).order_by("-pk")
    for actor, after in changes.values_list("actor", "after"):
        own_facts = {(fact["kind"], fact["text"]) for fact in after or ()}
        if typed & own_facts and actor != user.pk:
            return False
        typed -= own_facts
    return not typed


@transaction.atomic
def save_facts(
    project: Project, response: Response, lines: Mapping[str, Sequence[str]], expected_version: str, *, actor: User
) -> FactChange:
    """Store these facts of the response, by kind; unchanged facts stay. Raises FactChangeRefused.

    Lock order: projects before the response, slots, items and ratings, each in the order of their ids.
    """
    new_lines = {kind: _checked(lines.get(kind, ())) for kind in KINDS}
    projects = [lock_project(each) for each in _projects(response)]
    Response.objects.select_for_update(no_key=True).get(pk=response.pk)
    slots = locked_slots(projects, response.pk)
    if project not in projects:
        raise FactChangeRefused(_("The facts of this response are not rated in this project."))
    if archived := next((each for each in projects if each.archived_at), None):
        raise FactChangeRefused(
            _("%(project)s is archived and has these facts too, so they cannot change.") % {"project": archived.title}
        )
    if expected_version != version_token(response):
        raise FactChangeRefused(_("Another person has changed these facts in the meantime. Compare, and save again."))
    if reason := change_refusal(response, actor):
        raise FactChangeRefused(reason)
    current_facts = facts_of(response)
    old = [item for kind in KINDS for item in current_facts[kind] if item.text not in new_lines[kind]]
    new = [
        (kind, text) for kind in KINDS for text in new_lines[kind] if text not in {i.text for i in current_facts[kind]}
    ]
    if not old and not new:
        return FactChange([], [])
    last = _facts(response).aggregate(last=Max("position"))["last"]  # of retired ones, too
    first = 0 if last is None else last + 1
    new_items = Item.objects.bulk_create(
        Item(response=response, unit=Item.Unit.FACT, position=first + n, kind=kind, text=text, splitter=Item.BY_HAND)
        for n, (kind, text) in enumerate(new)
    )
    ratings = retire(old)
    done = FactChange(old, new_items, len(reoffer(slots)), ratings)
    for each in projects:
        add_slots(each)
        # A response for training or checks must not lose gold answers that its purpose needs.
        for sheet in Sheet.objects.filter(project=each, response=response, against=None).exclude(purpose=Purpose.WORK):
            try:
                check_gold(each, [sheet], sheet.purpose)
            except ProjectError as error:
                raise FactChangeRefused(str(error)) from None
    before, after = ([{"kind": item.kind, "text": item.text} for item in items] for items in (old, new_items))
    record(actor, CHANGE, _name(response), project=project, before=before, after=after)
    return done


def _facts(response: Response) -> QuerySet[Item]:
    return Item.objects.filter(response=response, against=None, unit=Item.Unit.FACT)


def _projects(response: Response) -> list[Project]:
    projects = Project.objects.filter(sheets__response=response, sheets__against=None).select_related("protocol")
    return [each for each in projects.distinct().order_by("pk") if each.protocol.definition.unit == Item.Unit.FACT]


def _checked(lines: Sequence[str]) -> list[str]:
    facts = [" ".join(line.split()) for line in lines]
    facts = list(dict.fromkeys(fact for fact in facts if fact))
    if len(facts) > MAX_FACTS:
        raise FactChangeRefused(_("Enter at most %(most)s facts per answer.") % {"most": MAX_FACTS})
    for fact in facts:
        if len(fact) > MAX_LENGTH or "\x00" in fact:
            raise FactChangeRefused(_("Use at most %(most)s characters in a fact, without NUL.") % {"most": MAX_LENGTH})
    return facts


def _name(response: Response) -> str:
    """Return the target of the audit event."""
    return f"response:{response.public_id}"
