"""A project's guidelines: raters read them; leads write and publish them, and offer earlier ratings again."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import activate
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ...access import project_for
from ...i18n.english import ENGLISH
from ...i18n.unit_names import unit_words
from ...models import GuidelineVersion, Membership, Project
from ...projects.guidelines import (
    NotPublishable,
    current_guidelines,
    guideline_versions,
    publish_guidelines,
    reoffer_affected,
)
from ...queue.errors import ProjectError
from ...reviewing.rater_questions import published_answers
from ..accounts.fields import sentence
from ..authentication import Request
from ..language import for_raters
from ..rating.worked_examples import worked_items
from ..rendering.responses import render_response
from .guidelines_form import GuidelinesForm, ReofferForm

MAX_PUBLISHED = 50


@for_raters
@require_http_methods(["GET", "HEAD", "POST"])
def guidelines(request: Request, slug: str) -> HttpResponse:
    """Show the text; leads also see the form. A post shows a preview, or publishes."""
    project = project_for(request.user, slug, needs="lead" if request.method == "POST" else "member")
    newest = current_guidelines(project)
    if project.role != Membership.Role.LEAD:
        return render(request, "projects/guidelines.html", {"project": project, **guidelines_context(project, newest)})
    activate(ENGLISH)
    form = GuidelinesForm(project.protocol.translated, newest, request.POST or None)
    is_valid = request.method == "POST" and form.is_valid()
    if is_valid and "publish" in request.POST and _publish(request, project, form):
        return redirect("guidelines", project.slug)
    context = {"project": project, "form": form, "newest": newest}
    context["reoffer_form"] = ReofferForm(project.protocol.translated)
    context["versions"] = guideline_versions(project).select_related("made_by")
    if is_valid:
        draft = GuidelineVersion(number=0, text=form.cleaned_data["text"], examples=form.examples())
        context |= guidelines_context(project, draft) | {"is_preview": True}
    else:
        context |= guidelines_context(project, newest)
    return render(request, "projects/guidelines_edit.html", context)


def _publish(request: Request, project: Project, form: GuidelinesForm) -> bool:
    try:
        published = publish_guidelines(
            project, form.cleaned_data["text"], form.examples(), form.cleaned_data["note"], actor=request.user
        )
    except NotPublishable as refused:
        for field, message in refused.errors.items():
            form.add_error(field, message)
        return False
    if published.number == form.number:
        messages.info(request, f"Nothing has changed: version {published.number} stays the newest.")
    else:
        messages.success(
            request,
            f"Version {published.number} is published. Raters are notified while they rate.",
        )
    return True


@for_raters
@require_safe
def drawer(request: Request, slug: str) -> HttpResponse:
    """Return the text for the drawer of the workspace."""
    project = project_for(request.user, slug)
    return render(
        request,
        "projects/_guidelines_text.html",
        {"project": project, **guidelines_context(project, current_guidelines(project))},
    )


@for_raters
@require_safe
def version(request: Request, slug: str, number: int) -> HttpResponse:
    """Show a version as it was published."""
    project = project_for(request.user, slug)
    guidelines = project.guidelines.filter(number=number).first()
    if guidelines is None:
        raise Http404(f"There is no version {number} of these guidelines.")
    return render(
        request,
        "projects/guidelines.html",
        {"project": project, **guidelines_context(project, guidelines), "is_old": True},
    )


@require_POST
def reoffer(request: Request, slug: str) -> HttpResponse:
    """Show the effect of offering earlier ratings again; with `confirmed`, do it."""
    project = project_for(request.user, slug, needs="lead")
    form = ReofferForm(project.protocol.translated, request.POST)
    newest = current_guidelines(project)
    if not form.is_valid() or newest is None:
        messages.error(request, "There are no guidelines yet, or no such answer.")
        return redirect("guidelines", project.slug)
    if request.POST.get("confirmed"):
        _offer(request, project, form)
        return redirect("guidelines", project.slug)
    ratings = form.affected().ratings(project, newest.number)
    context = {
        "project": project,
        "form": form,
        "newest": newest,
        "ratings": ratings.count(),
        "responses": ratings.values("assignment").distinct().count(),
        "which": form.words[form.cleaned_data["which"]],
    }
    return render(request, "projects/guidelines_changed.html", context)


def _offer(request: Request, project: Project, form: ReofferForm) -> None:
    try:
        responses, items = reoffer_affected(project, form.affected(), actor=request.user)
    except ProjectError as error:
        messages.error(request, sentence(error))
        return
    units = f"{intcomma(items)} {unit_words(project.protocol.definition.unit, items)}"
    message = (
        "%(n)s finished response has %(units)s to check again: their raters get it next."
        if responses == 1
        else "%(n)s finished responses have %(units)s to check again: their raters get them next."
    )
    messages.success(request, message % {"n": intcomma(responses), "units": units})


def guidelines_context(project: Project, newest: GuidelineVersion | None) -> dict[str, Any]:
    """Return the context of projects/_guidelines_text.html: text, worked example, options with definition
    and examples, answers."""
    protocol = project.protocol.translated
    examples = newest.examples if newest else {}
    return {
        "protocol": protocol,
        "worked_items": worked_items(protocol),
        "version": newest,
        "text": render_response(newest.text, []) if newest and newest.text else "",
        "questions": [
            (question, [(option, _example(examples, question.key, option.key)) for option in question.options])
            for question in protocol.questions
        ],
        "published_answers": published_answers(project)[:MAX_PUBLISHED],
    }


def _example(examples: Mapping[str, Mapping[str, str]], question: str, option: str) -> str:
    text = examples.get(question, {}).get(option, "")
    return render_response(text, []) if text else ""
