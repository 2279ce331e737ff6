"""The items with which a judge's prompt was tuned. Comparisons and hybrid estimates exclude them."""

from collections.abc import Collection

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from ..audit import record
from ..models import DataChange, Item, Judge, Project, Rating, TuningItem, User
from ..models.data_changes import DATASET


def rated_items(project: Project) -> QuerySet[Item]:
    """Return the items of the project with a rating of a person, in any role: what a prompt can be tuned on."""
    ratings = Rating.objects.filter(item=OuterRef("pk"), project=project).exclude(role=Rating.Role.JUDGE)
    return Item.objects.filter(Exists(ratings), response__dataset=project.dataset_id)


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
