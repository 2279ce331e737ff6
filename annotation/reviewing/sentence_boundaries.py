"""Splitting and merging sentences by hand, where the splitter was wrong. Claims, facts and pairs cannot be changed.

The text of a finished rating never changes. So a wrong item is retired and new items are appended; the ratings of all
other items still count, those of retired ones do not (they are counted as `retired`). Raters who had finished the
response get it again, for the new items only. If the response is reserved for training, qualification or hidden gold,
the new items inherit the gold answer of the old ones, so that each has one until a lead has reviewed it. Items belong
to the response, not to a project, so every project that rates the response in this unit changes, and the lead must lead
them all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Max, QuerySet

from ..access import projects_led_by
from ..audit import record
from ..i18n.unit_names import unit_words
from ..models import Bookmark, Item, Project, Purpose, Rating, Response, Sheet, Slot, User
from ..models.rated_items import rated_among
from ..queue.reoffers import reoffer
from ..queue.sampling import replace_in_samples
from ..queue.slots import lock_project
from ..site.database_clock import database_now
from ..splitting.manual_boundaries import NotTheText, line_spans
from .gold import set_gold
from .lead_ratings import current_rating


class BoundaryChangeRefused(ValueError):
    """The item cannot be split or merged like this; the message gives the reason."""


@dataclass(frozen=True)
class BoundaryChange:
    """The effect of a change. `asked_again`: raters who get the response again; `ratings`: those that no longer count;
    `gold`: new items that inherited a gold answer, in all projects."""

    retired: list[Item]
    new_items: list[Item]
    asked_again: int
    ratings: int
    gold: int

    @property
    def retired_ids(self) -> list[UUID]:
        """The public ids of the retired items."""
        return [item.public_id for item in self.retired]


def change_refusal(item: Item) -> str:
    """Return why an item cannot be split or merged; "" for a sentence in the text of one response."""
    if item.unit != Item.Unit.SENTENCE:
        return f"Only sentences can be edited: a {unit_words(item.unit)} stays as the data set has it."
    return "" if item.start is not None else "It has no position in the text, so it cannot be split."


def neighbors(item: Item) -> tuple[Item | None, Item | None]:
    """Return the items before and after it in the response."""
    if item.start is None:
        return None, None
    others = _alike(item).filter(start__isnull=False)
    before = others.filter(end__lte=item.start).order_by("-start").first()
    return before, others.filter(start__gte=item.end).order_by("start").first()


def replacement_items(item: Item) -> list[Item]:
    """Return the items that replace a retired item: those that share characters with it."""
    if item.start is None or item.end is None:
        return []
    return list(_alike(item).filter(start__lt=item.end, end__gt=item.start).order_by("start"))


@transaction.atomic
def split(project: Project, item: Item, lines: Sequence[str], *, actor: User) -> BoundaryChange:
    """Split the item into the given lines, each a new item. Raises BoundaryChangeRefused."""
    start = _start(item)
    try:
        spans = line_spans(item.text, lines)
    except NotTheText as error:
        raise BoundaryChangeRefused((error.words) % error.values) from None
    if len(spans) < 2:
        raise BoundaryChangeRefused("Put each part on its own line: there is only one line.")
    return _change_boundaries(project, [item], [(start + a, start + b) for a, b in spans], actor)


@transaction.atomic
def merge(project: Project, first: Item, second: Item, *, actor: User) -> BoundaryChange:
    """Merge two neighboring items. Raises BoundaryChangeRefused."""
    first, second = sorted((first, second), key=_start)
    if neighbors(first)[1] != second:
        raise BoundaryChangeRefused("These two are no longer adjacent. Check again.")
    assert first.start is not None and second.end is not None
    return _change_boundaries(project, [first, second], [(first.start, second.end)], actor)


def _start(item: Item) -> int:
    if item.start is None or item.unit != Item.Unit.SENTENCE:
        raise BoundaryChangeRefused(change_refusal(item))
    return item.start


def _alike(item: Item) -> QuerySet[Item]:
    """Return the items of the same response and unit that are not retired."""
    return Item.objects.filter(response=item.response_id, against=None, unit=item.unit, retired_at=None)


def _change_boundaries(
    project: Project, old: Sequence[Item], spans: Sequence[tuple[int, int]], actor: User
) -> BoundaryChange:
    """Replace items by new ones. Lock order, which prevents deadlocks: projects before the response, slots, items and
    ratings, each in the order of their ids."""
    projects = _locked_projects(old[0], actor)
    if project not in projects:
        raise BoundaryChangeRefused("This response is not rated in this project.")
    text = Response.objects.select_for_update(no_key=True).get(pk=old[0].response_id).text
    locked = locked_slots(projects, old[0].response_id)
    locked_items = list(_alike(old[0]).select_for_update().filter(pk__in=[item.pk for item in old]).order_by("pk"))
    if len(locked_items) < len(old):
        raise BoundaryChangeRefused("Another person has edited these boundaries in the meantime. Check again.")
    first = locked_items[0]
    everything = Item.objects.filter(response=first.response_id, against=None, unit=first.unit)
    last = everything.aggregate(last=Max("position"))["last"]  # of retired ones, too
    kind = next((item.kind for item in locked_items if item.rate), first.kind)
    new_items = Item.objects.bulk_create(
        Item(
            response_id=first.response_id,
            unit=first.unit,
            position=last + n,
            kind=kind,
            start=start,
            end=end,
            text=text[start:end],
            splitter=Item.BY_HAND,
        )
        for n, (start, end) in enumerate(spans, start=1)
    )
    replace_in_samples(locked_items, new_items)
    ratings = retire(locked_items)
    gold = sum(_keep_gold(each, locked_items, new_items, actor) for each in projects)
    asking = {each.pk for each in projects if rated_among(each, new_items)}
    reoffered = reoffer([slot for slot in locked if slot.project_id in asking])
    done = BoundaryChange(locked_items, new_items, len(reoffered), ratings, gold)
    action = "merge" if len(old) > 1 else "split"
    before, after = (
        [{"position": item.position, "start": item.start, "end": item.end} for item in items]
        for items in (locked_items, new_items)
    )
    for each in projects:
        record(actor, action, f"item:{first.public_id}", project=each, before=before, after=after)
    return done


def locked_slots(projects: Sequence[Project], response: int) -> list[Slot]:
    """Return the slots of a single response in these projects, locked in the order of their ids."""
    slots = Slot.objects.filter(project__in=projects, sheet__response=response, sheet__against=None)
    return list(slots.select_for_update(of=("self",)).order_by("pk"))


def retire(items: Sequence[Item]) -> int:
    """Retire items: their ratings stay and no longer count. Return how many did."""
    Item.objects.filter(pk__in=[item.pk for item in items]).update(retired_at=database_now())
    Bookmark.objects.filter(item__in=items).delete()
    return Rating.objects.filter(item__in=items, counted=True).update(counted=False)


def _locked_projects(item: Item, actor: User) -> list[Project]:
    """Lock the projects that rate the response in the item's unit. Raise BoundaryChangeRefused if one prevents it."""
    queryset = Project.objects.filter(sheets__response=item.response_id, sheets__against=None).select_related(
        "protocol"
    )
    projects = [each for each in queryset.distinct().order_by("pk") if each.protocol.definition.unit == item.unit]
    led = set(projects_led_by(actor))
    if foreign := [each for each in projects if each not in led]:
        rate = "project that you do not lead rates" if len(foreign) == 1 else "projects that you do not lead rate"
        raise BoundaryChangeRefused(f"{len(foreign)} {rate} this response too. Ask an admin to edit its boundaries.")
    locked = [lock_project(each) for each in projects]
    if archived := [each.title for each in locked if each.archived_at]:
        raise BoundaryChangeRefused(f"{archived[0]} is archived and has this response too, so its items cannot change.")
    return locked


def _keep_gold(project: Project, old: Sequence[Item], new_items: Sequence[Item], actor: User) -> int:
    """Give the new items the gold answer of the old ones if the response is reserved; return how many. Raises
    BoundaryChangeRefused if two gold answers differ."""
    sheets = Sheet.objects.filter(project=project, response=old[0].response_id, against=None)
    if not sheets.exclude(purpose=Purpose.WORK).exists():
        return 0
    gold_ratings = [gold for item in old if (gold := current_rating(project, item, Rating.Role.GOLD))]
    if len(gold_ratings) < len(old):
        return 0
    if any(gold.choices != gold_ratings[0].choices for gold in gold_ratings):
        raise BoundaryChangeRefused(
            f"Their gold answers differ, and {project.title} checks raters with this response. Give both the "
            "same gold answer first."
        )
    reasons = "\n".join(dict.fromkeys(gold.comment for gold in gold_ratings if gold.comment))
    for item in new_items:
        set_gold(project, item, gold_ratings[0].answers, actor, reasons)
    return len(new_items)
