"""What a project has to rate: its size, for plans, and the parts without ratings."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import Count, Exists, OuterRef, Q

from ...models import Item, Membership, Project, Prompt, Response, Sheet, System
from ...models.rated_items import is_rated
from ...rating.counting import counted_tallies
from ...reviewing.lead_ratings import items_for_review
from ...stats.nested_correlations import squared_variation
from ..choices import AUTO, DOCUMENT
from .responses import RatedPrompt, count_documents, sampling_unit


@dataclass(frozen=True)
class ProjectSize:
    """The number of `documents`, `prompts`, `systems` and active `raters`, the sampling `unit` of all prompts, and
    planning `figures` by name: lengths, overlap and prompts per document, None without responses.
    """

    documents: int
    prompts: int
    systems: int
    raters: int
    unit: str
    figures: Mapping[str, float | None]


def read_project_size(project: Project) -> ProjectSize:
    """Return the size, from the items that raters are asked about (drawn, if there is a sample) and the members."""
    items = items_for_review(project).filter(is_rated(project))
    members = Membership.objects.filter(project=project, role=Membership.Role.RATER, user__is_active=True).count()
    systems = {pk for pair in items.values_list("response__system", "against__system").distinct() for pk in pair if pk}
    prompts = [
        RatedPrompt(str(prompt), {}, None if document is None else str(document))
        for prompt, document in items.order_by()
        .values_list("response__prompt", "response__prompt__document")
        .distinct()
    ]
    # A prompt without a document is a unit of its own.
    names = [prompt.key if prompt.document is None else f"document {prompt.document}" for prompt in prompts]
    prompts_by_document = np.unique(names, return_counts=True)[1]
    responses = list(
        items.order_by()
        .values("response", "against")
        .annotate(n=Count("pk"))
        .values_list("n", "response__prompt__document", "response__system", "against__system")
    )
    lengths, unit = [n for n, *_ in responses], sampling_unit(prompts, AUTO)
    figures = {
        "sentences": sum(lengths) / len(lengths) if lengths else None,
        "variation": squared_variation(lengths),
        "overlap": float(project.overlap),
        "prompts_per_document": float(prompts_by_document.mean()) if prompts else None,
        "document_variation": squared_variation(prompts_by_document),
        "unit_variation": _unit_variation(responses) if unit == DOCUMENT else None,
    }
    return ProjectSize(count_documents(prompts), len(prompts), len(systems), members, unit, figures)


def _unit_variation(responses: Sequence[tuple[int, int | None, int, int | None]]) -> float | None:
    """Return the variation of the items per document, a mean over systems; rows are length, document, system and the
    one against. A response without a document is a unit of its own.
    """
    sizes: dict[tuple[object, ...], Counter[object]] = defaultdict(Counter)
    for number, (length, document, *systems) in enumerate(responses):
        sizes[tuple(systems)][f"response {number}" if document is None else document] += length
    variations = [squared_variation(list(units.values())) for units in sizes.values()]
    defined = [variation for variation in variations if variation is not None]
    return sum(defined) / len(defined) if defined else None


@dataclass(frozen=True)
class Unrated:
    """The parts of a data set without ratings that count: names of systems, numbers of responses and prompts.

    Responses that leads excluded are not among the responses.
    """

    systems: list[str]
    responses: int
    prompts: int


def unrated_parts(project: Project) -> Unrated:
    """Return the unrated parts of the data set. Three queries.

    They are not in a report, which describes the ratings and is the same wherever these ratings are.
    """
    counted = counted_tallies(project)
    others = counted.filter(against__isnull=False)
    rated = Response.objects.filter(Q(pk__in=counted.values("response")) | Q(pk__in=others.values("against")))
    unrated_systems = System.objects.filter(dataset=project.dataset_id).exclude(pk__in=rated.values("system"))
    on_sheet = Q(response=OuterRef("pk")) | Q(against=OuterRef("pk"))
    sheets = Sheet.objects.filter(on_sheet, project=project)
    is_excluded = Exists(sheets) & ~Exists(sheets.filter(exclusion=None))
    return Unrated(
        systems=list(unrated_systems.order_by("name").values_list("name", flat=True)),
        responses=Response.objects.filter(~is_excluded, dataset=project.dataset_id).exclude(pk__in=rated).count(),
        prompts=Prompt.objects.filter(dataset=project.dataset_id).exclude(pk__in=rated.values("prompt")).count(),
    )


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
