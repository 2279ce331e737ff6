"""A project's guidelines: raters read them; leads write and publish them, and offer earlier ratings again."""

from typing import Any

from django import forms
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
    MAX_LENGTH,
    MAX_NOTE_LENGTH,
    Affected,
    Examples,
    NotPublishable,
    current_guidelines,
    guideline_versions,
    publish_guidelines,
    reoffer_affected,
)
from ...protocols import Option, Protocol, Question
from ...queue.errors import ProjectError
from ...reviewing.rater_questions import published_answers
from ..accounts.fields import sentence
from ..authentication import Request
from ..language import for_raters
from ..rating.worked_examples import worked_items
from ..rendering.responses import render_response

MAX_PUBLISHED = 50
_PLAIN = {"spellcheck": "true"}


class GuidelinesForm(forms.Form):
    """The newest version as the initial text. `base_version` is its number (0: none): no lead overwrites another's."""

    text = forms.CharField(
        label="Guidelines",
        max_length=MAX_LENGTH,
        widget=forms.Textarea(attrs={"rows": 14, **_PLAIN}),
        help_text="Markdown: headings, lists, tables, links, formulas. Raters open the guidelines with G while they "
        "rate.",
    )
    note = forms.CharField(
        label="What is new",
        required=False,
        max_length=MAX_NOTE_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text="One line, shown to raters when this is published.",
    )
    base_version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, protocol: Protocol, newest: GuidelineVersion | None, data: Any = None):
        initial = {"text": newest.text if newest else "", "base_version": newest.number if newest else 0}
        super().__init__(data, initial=initial)
        self.protocol, self.number = protocol, newest.number if newest else 0
        examples = newest.examples if newest else {}
        for question, option in _options(protocol):
            self.fields[_name(question, option)] = forms.CharField(
                label=option.label,
                required=False,
                initial=examples.get(question.key, {}).get(option.key, ""),
                widget=forms.Textarea(attrs={"rows": 2, **_PLAIN}),
            )

    @property
    def groups(self) -> list[tuple[Question, list[tuple[Option, Any]]]]:
        return [
            (question, [(option, self[_name(question, option)]) for option in question.options])
            for question in self.protocol.questions
            if question.options
        ]

    def clean_base_version(self) -> int:
        """Require that the version which the author started from is still the newest."""
        if self.cleaned_data["base_version"] != self.number:
            raise forms.ValidationError(
                f"Another person has published version {self.number} in the meantime. Copy your text, and open "
                "this page again."
            )
        return self.cleaned_data["base_version"]

    def examples(self) -> Examples:
        examples: Examples = {}
        for question, option in _options(self.protocol):
            examples.setdefault(question.key, {})[option.key] = self.cleaned_data[_name(question, option)]
        return examples


class ReofferForm(forms.Form):
    """Which finished responses are offered again: all, or those with one answer."""

    def __init__(self, protocol: Protocol, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        answers = [
            (f"{question.key}={option.key}", f"only those answered {option.label}")
            for question, option in _options(protocol)
        ]
        self.words = {"": "all of them", **dict(answers)}
        self.fields["which"] = forms.ChoiceField(
            label="Ratings given under earlier guidelines", choices=list(self.words.items()), required=False
        )

    def affected(self) -> Affected:
        question, _equals, option = self.cleaned_data["which"].partition("=")
        return Affected(question, option)


def _options(protocol: Protocol) -> list[tuple[Question, Option]]:
    return [(question, option) for question in protocol.questions for option in question.options]


def _name(question: Question, option: Option) -> str:
    return f"example-{question.key}-{option.key}"


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
    if is_valid and "publish" in request.POST:
        text, note = form.cleaned_data["text"], form.cleaned_data["note"]
        try:
            published = publish_guidelines(project, text, form.examples(), note, actor=request.user)
        except NotPublishable as refused:
            for field, message in refused.errors.items():
                form.add_error(field, message)
        else:
            n = published.number
            if n == form.number:
                messages.info(request, f"Nothing has changed: version {n} stays the newest.")
            else:
                messages.success(request, f"Version {n} is published. Raters are notified while they rate.")
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


@for_raters
@require_safe
def drawer(request: Request, slug: str) -> HttpResponse:
    """Return the text for the drawer of the workspace."""
    project = project_for(request.user, slug)
    context = {"project": project, **guidelines_context(project, current_guidelines(project))}
    return render(request, "projects/_guidelines_text.html", context)


@for_raters
@require_safe
def version(request: Request, slug: str, number: int) -> HttpResponse:
    """Show a version as it was published."""
    project = project_for(request.user, slug)
    guidelines = project.guidelines.filter(number=number).first()
    if guidelines is None:
        raise Http404(f"There is no version {number} of these guidelines.")
    context = {"project": project, **guidelines_context(project, guidelines), "is_old": True}
    return render(request, "projects/guidelines.html", context)


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
        try:
            responses, items = reoffer_affected(project, form.affected(), actor=request.user)
        except ProjectError as error:
            messages.error(request, sentence(error))
        else:
            units = f"{intcomma(items)} {unit_words(project.protocol.definition.unit, items)}"
            message = (
                f"1 finished response has {units} to check again: their raters get it next."
                if responses == 1
                else f"{intcomma(responses)} finished responses have {units} to check again: their raters get them "
                "next."
            )
            messages.success(request, message)
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
            (
                question,
                [
                    (option, render_response(example, []) if example else "")
                    for option in question.options
                    for example in [examples.get(question.key, {}).get(option.key, "")]
                ],
            )
            for question in protocol.questions
        ],
        "published_answers": published_answers(project)[:MAX_PUBLISHED],
    }
