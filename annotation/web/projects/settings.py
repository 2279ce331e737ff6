"""Change a project: title, hidden raters, overlap, suggestions, target, prefetching, archiving, deletion."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from tasks.jobs import enqueue

from ...access import project_for, require_admin
from ...models import Project
from ...projects.archiving import archive, unarchive
from ...projects.claim_free import set_skipping
from ...projects.deleting import contents_of_project, project_deletion
from ...projects.hidden_raters import set_hiding
from ...projects.overlap import change_overlap, overlap_effect
from ...projects.precision_target import set_target
from ...projects.suggestions import set_suggestions
from ...projects.title import set_title
from ...projects.verdict_visibility import set_verdict_visibility
from ...qualification.prefetch import set_prefetch_limit
from ...queue.errors import ProjectError
from ...queue.open_work import count_imported_ratings
from ..accounts.fields import raters_of, sentence
from ..authentication import Request
from .forms import DeleteForm, OverlapForm, PrefetchForm, TargetForm, VerdictForm
from .settings_pages import settings_context

SUGGESTIONS = {
    True: "Suggestions are on: raters see the most relevant passages of the article for each sentence.",
    False: "Suggestions are off: raters find passages themselves.",
}

VERDICTS = {
    Project.VerdictVisibility.NEVER: "Raters do not see verdicts of judges.",
    Project.VerdictVisibility.AFTER: "Raters see the verdicts of %(judge)s in responses they have finished.",
    Project.VerdictVisibility.BEFORE: (
        "Raters see the verdicts of %(judge)s before they answer, and each rating records it."
    ),
}

HIDING = {
    True: "Raters are hidden: leads see pseudonyms, and only admins change the members.",
    False: "Leads see the names of the raters again.",
}

SKIPPING = {
    True: "Raters are not asked about items marked as likely free of claims.",
    False: "Raters are asked about all items.",
}


@require_http_methods(["GET", "HEAD", "POST"])
def overlap(request: Request, slug: str) -> HttpResponse:
    """Change how many raters read each response: show the effect first, then apply it."""
    project = project_for(request.user, slug, needs="lead")
    form = OverlapForm(request.POST or None, initial={"overlap": project.overlap})
    effect = None
    if request.method == "POST" and form.is_valid():
        new_overlap = form.cleaned_data["overlap"]
        if request.POST.get("confirmed"):
            try:
                change_overlap(project, new_overlap, actor=request.user)
            except ProjectError as error:
                messages.error(request, sentence(error))
            else:
                messages.success(request, f"Each response is now annotated by {new_overlap}.")
            return redirect("settings_section", project.slug, "workload")
        effect = overlap_effect(project, new_overlap)
    context = {
        "project": project,
        "form": form,
        "effect": effect,
        "imported": count_imported_ratings(project) if effect else None,
        "new_overlap": form.cleaned_data.get("overlap") if effect else project.overlap,
        "raters": raters_of(project).count(),
        **settings_context("workload", is_below=True),
    }
    return render(request, "projects/overlap.html", context)


@require_POST
def prefetch(request: Request, slug: str) -> HttpResponse:
    """Set `ahead`, a number from 1 to 10; show an error for anything else."""
    project = project_for(request.user, slug, needs="lead")
    form = PrefetchForm(request.POST)
    if form.is_valid():
        n = form.cleaned_data["ahead"]
        set_prefetch_limit(project, n, actor=request.user)
        message = (
            "Raters’ pages now prefetch %(n)s response." if n == 1 else "Raters’ pages now prefetch %(n)s responses."
        )
        messages.success(request, message % {"n": n})
    else:
        messages.error(request, " ".join(map(str, form.errors["ahead"])))
    return redirect("settings_section", project.slug, "offline")


@require_POST
def hide_raters(request: Request, slug: str) -> HttpResponse:
    """Set `hides_raters` to `on` or `off`, for admins; ignore anything else, and show why it cannot be changed."""
    require_admin(request.user)
    project = project_for(request.user, slug, needs="lead")
    hides = {"on": True, "off": False}.get(request.POST.get("hides_raters", ""))
    if hides is not None:
        try:
            set_hiding(project, hides, actor=request.user)
        except ProjectError as error:
            messages.error(request, sentence(error))
        else:
            messages.success(request, HIDING[hides])
    return redirect("settings_section", project.slug, "general")


@require_POST
def suggestions(request: Request, slug: str) -> HttpResponse:
    """Set `suggestions` to `on` or `off`; ignore anything else."""
    project = project_for(request.user, slug, needs="lead")
    enabled = {"on": True, "off": False}.get(request.POST.get("suggestions", ""))
    if enabled is not None:
        set_suggestions(project, enabled, actor=request.user)
        messages.success(request, SUGGESTIONS[enabled])
    return redirect("settings_section", project.slug, "workload")


@require_POST
def verdict_visibility(request: Request, slug: str) -> HttpResponse:
    """Set when raters see verdicts, and of which judge; show why it is refused."""
    project = project_for(request.user, slug, needs="lead")
    form = VerdictForm(project, request.POST)
    if form.is_valid():
        visibility, judge = form.cleaned_data["visibility"], form.cleaned_data["judge"]
        try:
            set_verdict_visibility(project, visibility, judge, actor=request.user)
        except ProjectError as error:
            messages.error(request, sentence(error))
        else:
            messages.success(request, VERDICTS[visibility] % {"judge": judge})
    else:
        messages.error(request, " ".join(message for errors in form.errors.values() for message in map(str, errors)))
    return redirect("settings_section", project.slug, "workload")


@require_POST
def claim_free(request: Request, slug: str) -> HttpResponse:
    """Set `skips_claim_free` to `skip` or `rate`; ignore anything else, and show why it cannot be changed."""
    project = project_for(request.user, slug, needs="lead")
    skips = {"skip": True, "rate": False}.get(request.POST.get("claim_free", ""))
    if skips is not None:
        try:
            set_skipping(project, skips, actor=request.user)
        except ProjectError as error:
            messages.error(request, sentence(error))
        else:
            messages.success(request, SKIPPING[skips])
    return redirect("settings_section", project.slug, "workload")


@require_POST
def title(request: Request, slug: str) -> HttpResponse:
    """Set the title; show why it is refused."""
    project = project_for(request.user, slug, needs="lead")
    try:
        set_title(project, request.POST.get("title", ""), actor=request.user)
    except ProjectError as error:
        messages.error(request, sentence(error))
    else:
        messages.success(request, "The title is saved.")
    return redirect("settings_section", project.slug, "general")


@require_POST
def target(request: Request, slug: str) -> HttpResponse:
    """Set the target margin of error; an empty one removes it."""
    project = project_for(request.user, slug, needs="lead")
    form = TargetForm(request.POST)
    if form.is_valid():
        points = form.cleaned_data["target"]
        set_target(project, None if points is None else points / 100, actor=request.user)
        messages.success(request, "The target is removed." if points is None else "The target is saved.")
    else:
        messages.error(request, " ".join(map(str, form.errors["target"])))
    return redirect("settings_section", project.slug, "quality")


@require_POST
def archiving(request: Request, slug: str) -> HttpResponse:
    """Archive the project (`archived` is set), or unarchive it."""
    project = project_for(request.user, slug, needs="lead")
    if request.POST.get("archived"):
        archive(project, actor=request.user)
        messages.success(
            request,
            f"{project} is archived: its rating has ended. It can be read and exported.",
        )
    else:
        unarchive(project, actor=request.user)
        messages.success(request, f"{project} is unarchived: raters can continue.")
    return redirect("project", project.slug)


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: Request, slug: str) -> HttpResponse:
    """Show the contents to delete; a worker deletes them after the project's name is typed in. For admins."""
    require_admin(request.user)
    project = project_for(request.user, slug, needs="lead")
    form = DeleteForm(project.slug, request.POST or None)
    if request.method == "POST" and form.is_valid():
        job = project_deletion(project, actor=request.user)
        enqueue(job)
        return redirect("job", job.public_id)
    context = {"project": project, "form": form, "contents": contents_of_project(project)}
    context |= {"imported": count_imported_ratings(project), **settings_context("danger", is_below=True)}
    return render(request, "projects/delete.html", context)
