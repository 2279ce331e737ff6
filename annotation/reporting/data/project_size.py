"""The size of a project before its first rating, for plans."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import Count, QuerySet

from ...models import Item, Membership, Project
from ...models.rated_items import is_rated
from ...reviewing.reviewable_items import items_for_review
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
    prompts = _prompts(items)
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
        **_document_figures(prompts),
        "unit_variation": _unit_variation(responses) if unit == DOCUMENT else None,
    }
    return ProjectSize(count_documents(prompts), len(prompts), len(systems), members, unit, figures)


def _prompts(items: QuerySet[Item]) -> list[RatedPrompt]:
    rows = items.order_by().values_list("response__prompt", "response__prompt__document").distinct()
    return [RatedPrompt(str(prompt), {}, None if document is None else str(document)) for prompt, document in rows]


def _document_figures(prompts: list[RatedPrompt]) -> Mapping[str, float | None]:
    """Return the mean and the variation of the prompts per document; a prompt without one is a unit of its own."""
    if not prompts:
        return {}
    names = [prompt.key if prompt.document is None else f"document {prompt.document}" for prompt in prompts]
    counts = np.unique(names, return_counts=True)[1]
    return {"prompts_per_document": float(counts.mean()), "document_variation": squared_variation(counts)}


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
