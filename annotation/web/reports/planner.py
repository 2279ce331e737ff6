"""The planner: how many prompts and ratings a half-width needs, and how the intervals compare with the target.

The whole plan is in the address, so it can be bookmarked or sent to others.
"""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from ...access import project_for
from ...i18n.numbers import localized
from ...models import Project
from ...projects.precision_target import NARROWEST, WIDEST, set_target
from ...protocols import Measure
from ...reporting import live
from ...reporting.compute.planning import (
    RATERS_COMPARED,
    Figure,
    correlations_of,
    design_of,
    half_widths,
    planning_figures,
    summarize_ratings,
)
from ...reporting.data.project_size import read_project_size
from ...reporting.text.names import Names
from ...stats import planning as stats
from ..authentication import Request

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

USUAL_TARGET = 0.03
USUAL_PROMPTS = 100  # to compare designs with before there are any
PERCENTAGES = ("half_width", "share", "left_out")  # percentages in the form, shares in the computation


def _number(label: "_StrOrPromise", help_text: "_StrOrPromise", low: float, high: float) -> forms.Field:
    widget = forms.NumberInput(attrs={"step": "any", "inputmode": "decimal"})
    return forms.FloatField(label=label, help_text=help_text, min_value=low, max_value=high, widget=widget)


def _whole_number(label: "_StrOrPromise", help_text: "_StrOrPromise", low: int, high: int) -> forms.Field:
    return forms.IntegerField(label=label, help_text=help_text, min_value=low, max_value=high)


class PlanForm(forms.Form):
    """The parameters of a plan, in percent and percentage points."""

    half_width = _number(_("Wanted half-width"), _("± so many percentage points, at 95 %"), 0.1, 50)
    share = _number(_("Expected share, %"), _("50 is the widest case"), 1, 99)
    sentences = _number(_("Sentences a response"), _("of those that are rated"), 0.1, 10_000)
    left_out = _number(_("Left out, %"), _("“can’t assess” and the like"), 0, 99)
    systems = _whole_number(_("Systems"), _("the width is of each system’s own share"), 1, 1_000)
    raters = _whole_number(_("Raters there are"), _("who share the work"), 1, 10_000)
    seconds = _number(_("Seconds a rating"), _("the median so far"), 0.1, 36_000)
    prompts = _whole_number(_("Prompts there are"), _("to compare designs with"), 1, 10_000_000)
    icc = _number(_("ICC of a prompt"), _("of two ratings of one response, about different sentences"), 0, 1)
    icc_sentence = _number(_("ICC of a sentence"), _("of two raters’ ratings of one sentence"), 0, 1)
    icc_rater = _number(_("ICC of a rater"), _("of one rater’s ratings of different prompts"), 0, 1)

    GROUPS = {
        _("What is wanted"): ("half_width", "share"),
        _("What is rated, and by whom"): ("sentences", "left_out", "systems", "raters", "seconds", "prompts"),
        _("How alike ratings are"): ("icc", "icc_sentence", "icc_rater"),
    }

    def groups(self) -> list[tuple["_StrOrPromise", list[forms.BoundField]]]:
        """Return the fields under their headings."""
        return [(title, [self[name] for name in names]) for title, names in self.GROUPS.items()]

    def figures(self) -> dict[str, float]:
        """Return the values of a valid form, percentages as shares."""
        values = self.cleaned_data
        return {name: value / 100 if name in PERCENTAGES else value for name, value in values.items()}


class TargetForm(forms.Form):
    """The half-width that the project aims at, in percentage points; empty for none."""

    target = forms.FloatField(
        label=_("Target, ± points"),
        required=False,
        min_value=100 * NARROWEST,
        max_value=100 * WIDEST,
        widget=forms.NumberInput(attrs={"step": "any", "inputmode": "decimal", "class": "short"}),
    )


@dataclass(frozen=True)
class PlanRow:
    """One design of the table. `too_many`: there are fewer raters, and a rater rates a sentence only once."""

    raters: int
    plan: stats.Plan
    responses: int
    ratings: int
    hours: float
    hours_each: float
    too_many: bool


@dataclass(frozen=True)
class SameWork:
    """The same work in two designs: several raters on the same sentences, or one on as many times the prompts."""

    raters: int
    prompts: int
    ratings: int
    more_raters: float
    more_prompts: float


@require_http_methods(["GET", "HEAD", "POST"])
def planner(request: Request, slug: str) -> HttpResponse:
    """Show the planner, for leads; a post stores the target. For htmx render only the result."""
    project = project_for(request.user, slug, needs="lead")
    if request.method == "POST":
        return _keep_target(request, project)
    if request.htmx:
        form = PlanForm(request.GET)
        return render(request, "reports/_planner_result.html", {"project": project, "form": form, **_result(form)})
    return render(request, "reports/planner.html", _page(request, project))


def _keep_target(request: Request, project: Project) -> HttpResponse:
    form = TargetForm(request.POST)
    if form.is_valid():
        points = form.cleaned_data["target"]
        set_target(project, None if points is None else points / 100, actor=request.user)
        message = gettext("The target is ± %(points)s points.") % {"points": localized(f"{points:g}")} if points else ""
        messages.success(request, message or gettext("There is no target any more."))
    else:
        messages.error(request, " ".join([*map(str, form.errors["target"]), gettext("The target was not changed.")]))
    return redirect("planner", project.slug)


def _page(request: Request, project: Project) -> dict[str, Any]:
    measure = _measure(request, project)
    report = live.live_report(project).report
    rated = live.live_figures(project, summarize_ratings, measure.key)
    figures = planning_figures(read_project_size(project), measure.key, report, rated)
    names = Names(project.protocol.translated)
    form = PlanForm(_values(request, project, figures, report.data.prompts))
    target = project.target_half_width
    return {
        "project": project,
        "measure": measure,
        "measures": project.protocol.translated.measures,
        "form": form,
        "usual": [form[name].label for name, figure in figures.items() if figure.is_default],
        "data": report.data,
        "method": report.method,
        "target": target,
        "narrowest": NARROWEST,
        "widest": WIDEST,
        "target_form": TargetForm(initial={"target": "" if target is None else _short(100 * target)}),
        "system_head": names.system_head,
        "widths": [asdict(width) | {"name": names.measure(width.measure)} for width in half_widths(report, target)],
        **_result(form),
    }


def _measure(request: Request, project: Project) -> Measure:
    measures = project.protocol.translated.measures
    key = request.GET.get("measure")
    return next((measure for measure in measures if measure.key == key), measures[0])


def _values(request: Request, project: Project, figures: dict[str, Figure], prompts: int) -> dict[str, str]:
    """Return the form's values: those of the address, else the project's own figures or the defaults."""
    target = project.target_half_width or USUAL_TARGET
    numbers = {"half_width": target, "prompts": prompts or USUAL_PROMPTS} | {
        name: figure.value for name, figure in figures.items()
    }
    values = {name: _short(100 * value if name in PERCENTAGES else value) for name, value in numbers.items()}
    return values | {name: request.GET[name] for name in PlanForm.base_fields if request.GET.get(name, "").strip()}


def _short(value: float) -> str:
    """Format a number for a form with three digits."""
    return f"{value:.0f}" if value >= 100 else f"{float(f'{value:.3g}'):g}"


def _result(form: PlanForm) -> dict[str, Any]:
    """Return the result of a valid form, {} for another."""
    if not form.is_valid():
        return {}
    figures = form.figures()
    alike = correlations_of(figures)
    return {
        "rows": [_row(figures, raters) for raters in RATERS_COMPARED],
        "spent": [_same_work(figures, raters) for raters in RATERS_COMPARED[1:]],
        "prompts": int(figures["prompts"]),
        "now_ratings": round(figures["prompts"] * figures["systems"] * figures["sentences"]),
        "now": stats.planned_half_width(figures["share"], figures["prompts"], design_of(figures, 1), alike),
        "between_prompts": alike.prompt,
        "between_sentences": alike.item - alike.prompt,
        "within_sentences": 1 - alike.item,
        "least": stats.least_half_width(figures["share"], alike, int(figures["raters"])),
        "half_width": figures["half_width"],
        "share": figures["share"],
        "raters": int(figures["raters"]),
    }


def _row(figures: dict[str, float], raters: int) -> PlanRow:
    plan = stats.plan(figures["share"], figures["half_width"], design_of(figures, raters), correlations_of(figures))
    responses = int(plan.prompts * figures["systems"])
    ratings = round(responses * figures["sentences"] * raters)
    hours = ratings * figures["seconds"] / 3600
    return PlanRow(raters, plan, responses, ratings, hours, hours / figures["raters"], raters > figures["raters"])


def _same_work(figures: dict[str, float], raters: int) -> SameWork:
    """Compare `raters` on the present prompts with one rater on that many times the prompts."""
    alike, share, prompts = correlations_of(figures), figures["share"], int(figures["prompts"])
    return SameWork(
        raters,
        prompts * raters,
        round(prompts * figures["systems"] * figures["sentences"] * raters),
        stats.planned_half_width(share, prompts, design_of(figures, raters), alike),
        stats.planned_half_width(share, prompts * raters, design_of(figures, 1), alike),
    )
