"""The judges of the site, for admins: versions with their configuration, and the form for a new one."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from ...access import require_admin
from ...audit import record
from ...judging.judges import find_judge, repeat_judge
from ...judging.tuning import create_tuned_judge, export_tuning, tuned_items
from ...model_calls.errors import ModelError
from ...models import Judge, Project
from ..authentication import Request
from .forms import KINDS, MODEL, REPETITION, JudgeForm, initial_of, kind_of

ITEMS_SHOWN = 20
"""Of those that tuned a judge."""


@require_safe
def judges(request: Request) -> HttpResponse:
    """List all versions of all judges."""
    require_admin(request.user)
    versions = Judge.objects.select_related("created_by").order_by("name", "-version")
    return render(request, "judging/site_judges.html", {"judges": versions})


@require_safe
def judge(request: Request, name: str, version: int) -> HttpResponse:
    """Show a version: configuration, prompt, and the projects in which it has verdicts or scores."""
    require_admin(request.user)
    selected = get_object_or_404(Judge.objects.select_related("created_by"), name=name, version=version)
    results = "fact_scores" if selected.fact_qa else "verdicts"
    projects = Project.objects.filter(**{f"{results}__judge": selected}).annotate(n=Count(results)).order_by("title")
    context = {
        "judge": selected,
        "projects": projects,
        "tuned": Paginator(tuned_items(selected).select_related("item__response"), ITEMS_SHOWN).get_page(
            request.GET.get("page")
        ),
        "versions": Judge.objects.filter(name=name).order_by("-version"),
    }
    return render(request, "judging/site_judge.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: Request) -> HttpResponse:
    """Create a judge. `?kind=` says of which kind; `?from=`: with the configuration of which version it begins."""
    require_admin(request.user)
    source = None
    if "from" in request.GET:
        try:
            source = find_judge(request.GET["from"])
        except ModelError as error:
            raise Http404(str(error)) from None
    kind = request.GET.get("kind", kind_of(source) if source else MODEL)
    if kind not in KINDS:
        raise Http404("There is no such kind of judge.")
    initial = initial_of(source) if source else None
    form = JudgeForm(request.POST or None, request.FILES or None, kind=kind, initial=initial)
    if request.method == "POST" and form.is_valid():
        key = form.cleaned_data.get("key", "")
        try:
            if kind == REPETITION:
                created, is_new = repeat_judge(form.cleaned_data["repeated"], actor=request.user), True
            else:
                items = form.tuning_items()
                created, is_new = create_tuned_judge(form.instance, items, key=key, actor=request.user)
        except ModelError as error:
            form.add_model_error(error)
        else:
            if is_new:
                message = f"Judge {created.label} is created."
            elif key:
                message = f"Judge {created.label} has this configuration already. Its key is replaced."
            else:
                message = f"Judge {created.label} has this configuration already; nothing is changed."
            messages.success(request, message)
            return redirect("judge", created.name, created.version)
    form.note_lost_key()
    return render(request, "judging/new_judge.html", {"form": form, "kinds": KINDS, "kind": kind})


@require_safe
def tuning_file(request: Request, name: str, version: int) -> StreamingHttpResponse:
    """Stream the items that tuned a version, as `create_judge --tuned-on` reads them."""
    require_admin(request.user)
    judge = get_object_or_404(Judge, name=name, version=version)
    filename = f"tuned-{judge.label}.jsonl"
    record(request.user, "download file", f"judge:{judge.label}", after={"name": filename, "with_names": False})
    response = StreamingHttpResponse(export_tuning(judge), content_type="application/jsonl")
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response
