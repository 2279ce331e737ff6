"""The search page, and the results for the palette that opens in every page (static/js/shared/command_palette.js)."""

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ..authentication import Request
from .destinations import actions, pages
from .entries import MAX_LENGTH, Group, search_scope, words_of
from .records import people, projects, responses


@require_safe
def search(request: Request) -> HttpResponse:
    """Show the results of `?q=`; without words, where to go from the project `?project=`."""
    query = request.GET.get("q", "")[:MAX_LENGTH]
    slug = request.GET.get("project", "")
    context = {"query": query, "slug": slug, "groups": _groups(request, query, slug)}
    return render(request, "search/search.html", context)


@require_safe
def results(request: Request) -> JsonResponse:
    """Return `{"groups": [{"label", "entries": [{"label", "detail", "url"}]}]}` for the same parameters."""
    groups = _groups(request, request.GET.get("q", ""), request.GET.get("project", ""))
    fields = ("label", "detail", "url")
    return JsonResponse(
        {
            "groups": [
                {
                    "label": group.label,
                    "entries": [{name: getattr(entry, name) for name in fields} for entry in group.entries],
                }
                for group in groups
            ]
        }
    )


def _groups(request: Request, query: str, slug: str) -> list[Group]:
    """Return the groups that have entries. At most five queries."""
    words = words_of(query)
    scope = search_scope(request.user, words, slug.replace("\x00", ""))
    groups = [
        Group(_("Projects"), projects(scope, words)),
        Group(_("Pages"), pages(scope, words)),
        Group(_("Actions"), actions(scope, words)),
        Group(_("People"), people(scope, words)),
        Group(_("Responses"), responses(scope, words)),
    ]
    return [group for group in groups if group.entries]
