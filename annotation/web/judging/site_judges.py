"""The judges of the site, for admins: versions with their configuration, and the form for a new one."""

from django.contrib import messages
from django.db.models import Count
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from ...access import require_admin
from ...judging.errors import JudgeError
from ...judging.judges import create_judge, find_judge
from ...models import Judge, Project
from ..accounts.fields import sentence
from ..authentication import Request
from .forms import JudgeForm, initial_of


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
        "versions": Judge.objects.filter(name=name).order_by("-version"),
    }
    return render(request, "judging/site_judge.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: Request) -> HttpResponse:
    """Create a judge. `?from=` names the version whose configuration the form begins with."""
    require_admin(request.user)
    form = JudgeForm(request.POST or None, initial=_initial(request))
    if request.method == "POST" and form.is_valid():
        try:
            created, is_new = create_judge(
                form.cleaned_data["name"],
                form.configuration(),
                key=form.cleaned_data["key"],
                actor=request.user,
            )
        except JudgeError as error:
            form.add_error(None, sentence(error))
        else:
            messages.success(request, _message(created, is_new, bool(form.cleaned_data["key"])))
            return redirect("judge", created.name, created.version)
    return render(request, "judging/new_judge.html", {"form": form})


def _initial(request: Request) -> dict[str, object]:
    if "from" not in request.GET:
        return {}
    try:
        return initial_of(find_judge(request.GET["from"]))
    except JudgeError as error:
        raise Http404(str(error)) from None


def _message(judge: Judge, is_new: bool, has_key: bool) -> str:
    if is_new:
        return _("Judge %(name)s is created.") % {"name": judge.label}
    if has_key:
        return _("Judge %(name)s has this configuration already. Its key is replaced.") % {"name": judge.label}
    return _("Judge %(name)s has this configuration already; nothing is changed.") % {"name": judge.label}
