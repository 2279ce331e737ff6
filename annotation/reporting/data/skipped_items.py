"""The items of the rated responses that a project skips."""

from collections.abc import Collection

from django.db.models import Count

from ...models import Item, Project


def skipped_items(project: Project, responses: Collection[str]) -> dict[str, int] | None:
    """Return how many items of `responses` (imported ids) raters are not asked about because they are marked as likely
    free of claims, by reason in the order of `Item.ClaimFree`. None if the project rates all.
    """
    if not project.skips_claim_free:
        return None
    items = Item.objects.filter(
        response__dataset=project.dataset_id,
        response__key__in=responses,
        unit=project.protocol.definition.unit,
        rate=True,
        retired_at=None,
    )
    counts = dict(items.order_by().values_list("claim_free").annotate(n=Count("pk")))
    return {reason: counts[reason] for reason in Item.ClaimFree.values if reason in counts}
