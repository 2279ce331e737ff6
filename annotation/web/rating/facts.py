"""The facts of a project's responses: a list of responses, and a page on which a response's facts are edited."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_safe

from ...access import project_for
from ...models import Item, Membership, Project
from ...reviewing.facts import (
    REFERENCE,
    RESPONSE,
    FactChange,
    FactChangeRefused,
    change_refusal,
    facts_of,
    propose_reference_facts,
    save_facts,
    sheets_with_facts,
    version_token,
)
from ..authentication import Request
from ..rendering.responses import render_response
from .sheet_html import reference_of

SHOWN = 25
_ROWS = {"rows": 8, "spellcheck": "true", "data-facts": ""}


class FactsForm(forms.Form):
    """One fact in each line. `base_version` identifies the facts before the edit."""

    response = forms.CharField(
        label=gettext_lazy("Facts of the response"),
        required=False,
        widget=forms.Textarea(attrs=_ROWS),
        help_text=gettext_lazy("One fact per line; each must be clear on its own."),
    )
    reference = forms.CharField(
        label=gettext_lazy("Facts of the reference answer"),
        required=False,
        widget=forms.Textarea(attrs=_ROWS),
        help_text=gettext_lazy("One fact per line. That there is no information is a fact too."),
    )
    base_version = forms.CharField(widget=forms.HiddenInput)

    def lines(self) -> dict[str, list[str]]:
        return {
            RESPONSE: self.cleaned_data["response"].splitlines(),
            REFERENCE: self.cleaned_data["reference"].splitlines(),
        }


@require_safe
def facts(request: Request, slug: str) -> HttpResponse:
    """Show the responses, those without facts first."""
    project = _project(request, slug)
    page = Paginator(_sheets(request, project), SHOWN).get_page(request.GET.get("page"))
    return render(request, "rating/fact_responses.html", {"project": project, "page": page, "rows": list(page)})


@require_http_methods(["GET", "HEAD", "POST"])
def facts_of_response(request: Request, slug: str, public_id: UUID) -> HttpResponse:
    """Edit the facts of both answers. After a refusal the fields keep the typed text."""
    project = _project(request, slug)
    sheet = get_object_or_404(_sheets(request, project), response__public_id=public_id)
    response, stored_facts = sheet.response, facts_of(sheet.response)
    proposed = [] if stored_facts[REFERENCE] else propose_reference_facts(response)
    initial = {
        "response": "\n".join(item.text for item in stored_facts[RESPONSE]),
        "reference": "\n".join([item.text for item in stored_facts[REFERENCE]] or proposed),
        "base_version": version_token(response),
    }
    form = FactsForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            base_version = form.cleaned_data["base_version"]
            done = save_facts(project, response, form.lines(), base_version, actor=request.user)
        except FactChangeRefused as error:
            form = FactsForm({**request.POST.dict(), "base_version": version_token(response)}, initial=initial)
            form.add_error(None, str(error))
        else:
            messages.success(request, _result_message(done))
            return redirect("facts_of_response", slug, public_id)
    reference = reference_of(project.protocol.definition, response.prompt)
    context = {
        "project": project,
        "form": form,
        "prompt": response.prompt,
        "answer": render_response(response.text, []),
        "reference": render_response(reference, []) if reference else "",
        "is_proposed": not form.is_bound and bool(proposed),
        "refusal": change_refusal(response, request.user),
        "assignment": sheet.assignments.filter(rater=request.user, slot__isnull=False).first(),
    }
    return render(request, "rating/response_facts.html", context)


def _project(request: Request, slug: str) -> Project:
    project = project_for(request.user, slug)
    if project.protocol.definition.unit != Item.Unit.FACT:
        raise Http404(_("This project does not rate facts."))
    return project


def _sheets(request: Request, project: Project) -> Any:
    return sheets_with_facts(project, request.user, leads=project.role == Membership.Role.LEAD)


def _result_message(done: FactChange) -> str:
    if not done.new_items and not done.retired:
        return _("Nothing has changed.")
    sentences = [
        ngettext("%(n)s fact is new.", "%(n)s facts are new.", len(done.new_items)) % {"n": len(done.new_items)}
    ]
    if done.retired:
        n = len(done.retired)
        sentences.append(ngettext("%(n)s was removed.", "%(n)s were removed.", n) % {"n": n})
    if done.ratings:
        n = done.ratings
        sentences.append(ngettext("%(n)s rating no longer counts.", "%(n)s ratings no longer count.", n) % {"n": n})
    if done.asked_again:
        n = done.asked_again
        sentences.append(ngettext("%(n)s rater is asked again.", "%(n)s raters are asked again.", n) % {"n": n})
    return " ".join(sentences)
