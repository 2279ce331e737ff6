"""The lead's review: disagreements, gold answers, adjudicated and raw proportions, and the visibility of names."""

from collections.abc import Callable
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from ...access import project_for
from ...i18n.unit_names import unit_words
from ...protocols import Option, Protocol
from ...reviewing.adjudication_replies import count_disputes
from ...reviewing.disagreements import PAGE, ContestedItem, Listing, items_needing_review, options_of
from ...reviewing.gold import gold_items
from ..authentication import Request
from .adjudicated_proportions import adjudicated_proportions
from .anonymity import Anonymity, set_visibility
from .filters import ReviewQuery, read_query


@require_safe
def review(request: Request, slug: str) -> HttpResponse:
    """List the disagreements, the strongest first. The address contains the filters."""
    project = project_for(request.user, slug, needs="lead")
    anonymity = Anonymity(request, project)
    query = read_query(request, project, anonymity)
    listing, page = _page(request, lambda offset: items_needing_review(project, query.selection, offset=offset))
    context = {
        "project": project,
        "unit": project.protocol.definition.unit,
        "anonymity": anonymity,
        "query": query,
        "state": listing.counts,
        "rows": listing.rows,
        "page": page,
        "tabs": _tabs(query, project.protocol.definition.unit),
        "disputes": count_disputes(project),
    }
    return render(request, "review/list.html", context)


@require_safe
def gold(request: Request, slug: str) -> HttpResponse:
    """List the items with a gold answer, with the raters' answers."""
    project = project_for(request.user, slug, needs="lead")
    listing, page = _page(request, lambda offset: gold_items(project, offset=offset))
    context = {
        "project": project,
        "unit": project.protocol.definition.unit,
        "anonymity": Anonymity(request, project),
        "rows": [(row, *_gold_of(project.protocol.translated, row)) for row in listing.rows],
        "page": page,
    }
    return render(request, "review/gold.html", context)


@require_safe
def comparison(request: Request, slug: str) -> HttpResponse:
    """Compare raw and adjudicated proportions by system. For htmx render the table alone, which takes two reports."""
    project = project_for(request.user, slug, needs="lead")
    context = {"project": project, **adjudicated_proportions(project)}
    if request.htmx:
        return render(request, "review/_adjudicated_proportions.html", context)
    return render(request, "review/adjudicated_proportions.html", context)


@require_POST
def change_visibility(request: Request, slug: str) -> HttpResponse:
    """Show or hide the names of `raters` or `systems`, and go back to the page `next`."""
    project = project_for(request.user, slug, needs="lead")
    set_visibility(request, request.POST.get("kind", ""), bool(request.POST.get("shown")))
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}, require_https=request.is_secure()):
        back = reverse("review", args=[project.slug])
    return redirect(back)


def _page(request: Request, fetch: Callable[[int], Listing]) -> tuple[Listing, Any]:
    """Return the part of a list that `?page=` selects, the first where there is no such page."""
    text = request.GET.get("page", "1")
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 1
    listing = fetch(max(0, number - 1) * PAGE)
    if not listing.rows and number > 1:
        number, listing = 1, fetch(0)
    return listing, Paginator(range(listing.total), PAGE).get_page(number)


def _tabs(query: ReviewQuery, unit: str) -> list[tuple[str, str, str]]:
    words = {
        "open": "Pending",
        "disputed": "All disagreements",
        "adjudicated": "Adjudicated",
        "commented": "With a comment",
        "all": f"Every {unit_words(unit)}",
    }
    return [(show, word, query.querystring_for(show)) for show, word in words.items()]


def _gold_of(protocol: Protocol, row: ContestedItem) -> tuple[tuple[Option, ...], int]:
    """Return the options of the gold answer, and how many raters gave it to the checked question."""
    answers = row.gold.answers if row.gold else {}
    right = protocol.checked_answer(answers)
    return options_of(protocol, answers), sum(v.n for v in row.votes if protocol.checked_answer(v.choices) == right)
