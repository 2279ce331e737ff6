"""The items with which a judge's prompt was tuned. Comparisons and hybrid estimates exclude them."""

import json
from collections.abc import Collection, Iterator

from django.db import transaction
from django.db.models import Count, Exists, Min, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from ..audit import record
from ..model_calls.errors import ModelError
from ..models import DataChange, Item, Judge, Project, Rating, TuningItem, User
from ..models.data_changes import DATASET
from .judges import create_judge


def rated_items(project: Project) -> QuerySet[Item]:
    """Return the items of the project with a rating of a person, in any role: what a prompt can be tuned on."""
    ratings = Rating.objects.filter(item=OuterRef("pk"), project=project).exclude(role=Rating.Role.JUDGE)
    return Item.objects.filter(Exists(ratings), response__dataset=project.dataset_id)


def tuning_items_of(project: Project) -> list[int]:
    """Return the items (primary keys) that tuned a prompt on this project. Raises ModelError if none is rated."""
    items = list(rated_items(project).values_list("pk", flat=True))
    if not items:
        raise ModelError(
            f"no item of project {project.slug!r} is rated: name the items that tuned the prompt in a file"
        )
    return items


@transaction.atomic
def create_tuned_judge(
    settings: Judge, items: Collection[int], *, key: str = "", actor: User | None = None
) -> tuple[Judge, bool]:
    """Return the judge of `create_judge`, for which these items (primary keys) are stored. Raises ModelError."""
    judge, is_new = create_judge(settings, key=key, actor=actor)
    record_tuning(judge, items, actor=actor)
    return judge, is_new


def with_tuned(judges: QuerySet[Judge]) -> QuerySet[Judge]:
    """Annotate the number of items that tuned a version, or an earlier one of its name, as `tuned`."""
    rows = TuningItem.objects.filter(judge__name=OuterRef("name"), judge__version__lte=OuterRef("version"))
    number = rows.order_by().values("judge__name").annotate(n=Count("item", distinct=True)).values("n")
    return judges.annotate(tuned=Coalesce(Subquery(number), 0))


def tuned_items(judge: Judge, project: Project | None = None) -> QuerySet[TuningItem]:
    """Return the items that tuned this version, those of earlier versions of its name too, each once, by response; of
    all data sets, or of the data set of a project.
    """
    rows = TuningItem.objects.filter(judge__name=judge.name, judge__version__lte=judge.version)
    if project:
        rows = rows.filter(item__response__dataset=project.dataset_id)
    first = rows.order_by().values("item").annotate(first=Min("pk")).values("first")
    return TuningItem.objects.filter(pk__in=first).order_by("item__response__dataset", "item__response", "item")


def export_tuning(judge: Judge, project: Project | None = None) -> Iterator[bytes]:
    """Yield a JSON object a line for each of `tuned_items`: `create_judge --tuned-on` reads such a file."""
    rows = tuned_items(judge, project).values_list(
        "item__response__key", "item__position", "item__unit", "item__against__key", "item__text"
    )
    for response, position, unit, against, text in rows.iterator(chunk_size=1_000):
        row = {"response": response, "item": position, "unit": unit, "text": text}
        yield (json.dumps(row | ({"against": against} if against else {}), ensure_ascii=False) + "\n").encode()


@transaction.atomic
def record_tuning(judge: Judge, items: Collection[int], *, actor: User | None = None) -> int:
    """Store that these items (primary keys) tuned the judge's prompt; return how many are new.

    New ones change the estimates with the judge, so they are recorded as a change of their data sets.
    """
    before = judge.tuning_items.count()
    rows = [TuningItem(judge=judge, item_id=item) for item in items]
    TuningItem.objects.bulk_create(rows, batch_size=1_000, ignore_conflicts=True)
    new = judge.tuning_items.count() - before
    if new:
        datasets = Item.objects.filter(pk__in=items).values_list("response__dataset_id", flat=True).distinct()
        DataChange.objects.bulk_create(DataChange(scope=f"{DATASET}{dataset}") for dataset in datasets)
        record(actor, "record tuning items", f"judge:{judge.label}", after={"items": new})
    return new
