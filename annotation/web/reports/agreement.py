"""Whether raters agree, question by question: coefficients, each two raters, and which answers are mixed up."""

from dataclasses import dataclass
from math import ceil
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from ... import reporting
from ...access import project_for
from ...models import Project, Report
from ...reporting.compute.agreement import NOT_SEVERE, SEVERITY, SEVERITY_SCALE, Confusion
from ...reporting.compute.rater_pairs import MOST_RATERS
from ...reporting.frozen_reports import stored_report
from ...reporting.live import live_agreement
from ...reporting.report import RaterPair as Pair
from ...reporting.text import figure_format, naming
from ...reporting.text.naming import Names
from ..authentication import Request
from ..jobs import open_job
from .sections import Coefficient, coefficient_of

FIGURES = {"percent": gettext_lazy("Agreement"), "ac1": gettext_lazy("Gwet’s AC1")}
ALWAYS_DEFINED = ("percent", "gwet_ac1")  # where two raters share an item
ROOMY = 10  # raters up to which the number of shared items stands in every cell
FEWEST_SHARED = 20  # items below which two raters' agreement is not held up to anybody
LEAST_SHOWN = 5
FROM, STEP = 0.5, 0.1  # shading of the matrix: a step darker for each ten points above one half

EXPLAINED = {
    SEVERITY_SCALE: gettext_lazy(
        "Derived from two questions: accurate < an issue that is not severe < a severe issue. The alpha is the ordinal "
        "one: two raters who say “not severe” and “severe” disagree less than two who say “accurate” and “severe”. The "
        "other coefficients take the three as unordered."
    ),
    "accurate_or_not": gettext_lazy("Derived: “Accurate” against all other assessed answers."),
}


@dataclass(frozen=True)
class Cell:
    """Two raters: the figure as it is written, how much it rests on, and how dark it is, 0 to 5."""

    text: str
    items: int
    level: int
    words: str


@dataclass(frozen=True)
class Matrix:
    """A triangle of raters × raters: `rows` are (name, cells beside the raters before); None where none is shared."""

    names: list[str]
    rows: list[tuple[str, list[Cell | None]]]
    many: bool
    least: list[str]


@dataclass(frozen=True)
class Question:
    """Everything the page shows about one question."""

    key: str
    name: str
    note: str
    items: int
    raters: int
    coefficients: list[Coefficient]
    reading: str
    matrix: Matrix | None
    mixed: dict[str, Any] | None


@login_required
@require_safe
def agreement(request: Request, slug: str) -> HttpResponse:
    """Agreement now; with the intervals of the newest frozen report, if it is of the same data. `?figure=` fills the
    matrix with percent agreement or AC1.
    """
    project = project_for(request.user, slug, needs="lead")
    found = live_agreement(project)
    frozen = _frozen_of(project, found.sha256)
    agreed = found.agreement | dict(stored_report(frozen).agreement if frozen else {})
    names = Names(project.protocol.worded)
    figure = request.GET.get("figure") if request.GET.get("figure") in FIGURES else "percent"
    context = {
        "project": project,
        "found": found,
        "figure": figure,
        "figures": FIGURES,
        "questions": [
            _question(
                key,
                of,
                found.raters,
                found.pairs[key],
                str(figure),
                _mixture(found.confusions[key], key, names),
                names,
                bool(frozen),
            )
            for key, of in agreed.items()
            if key in found.pairs
        ],
        "intervals_from": frozen,
        "freezing": open_job(project, reporting.FREEZE),
        "too_many": len(found.raters) > MOST_RATERS,
        "most_raters": MOST_RATERS,
    }
    return render(request, "reports/agreement.html", context)


def _frozen_of(project: Project, sha256: str) -> Report | None:
    """The newest frozen report of the same data, with no switch set."""
    for report in Report.objects.filter(project=project, data_sha256=sha256).defer("figures")[:20]:
        if not stored_report(report).filters:
            return report
    return None


def _question(
    key: str,
    of: dict[str, Any],
    raters: list[str],
    pairs: list[Pair],
    figure: str,
    mixed: dict[str, Any] | None,
    names: Names,
    resampled: bool,
) -> Question:
    asked = {question.key: question.text for question in names.protocol.questions} if names.protocol else {}
    return Question(
        key=key,
        name=naming.agreement_of(key, names),
        note=str(EXPLAINED.get(key, asked.get(key, ""))),
        items=of["items"],
        raters=of["raters"],
        coefficients=[
            _coefficient(name, _(label), of, key, resampled) for name, label in figure_format.COEFFICIENTS.items()
        ],
        reading=figure_format.interpretation(of),
        matrix=_matrix(raters, pairs, figure) if pairs else None,
        mixed=mixed,
    )


def _coefficient(name: str, label: str, of: dict[str, Any], key: str, resampled: bool) -> Coefficient:
    if key == SEVERITY_SCALE and name == "krippendorff_alpha":
        label = _("%(coefficient)s, ordinal") % {"coefficient": label}
    return coefficient_of(name, label, of, _why(name, of, resampled))


def _why(name: str, of: dict[str, Any], resampled: bool) -> str:
    """Why a figure is undefined, or has no interval though there were resamples."""
    if of[name] is None and of["items"]:
        return _("Undefined: all answers are the same, so chance alone would agree as often.")
    if of[name] == 1 and resampled and not of["intervals"][name]:
        return _("No interval: all raters agree, so nothing varies from prompt to prompt.")
    others_have = any(bounds for bounds in of["intervals"].values())
    if of[name] is not None and others_have and not of["intervals"][name]:
        if name in ALWAYS_DEFINED:
            return _("No interval: it is the same in every resample.")
        return _("No interval: undefined in too many resamples, or the same in all.")
    return ""


def _matrix(raters: list[str], pairs: list[Pair], figure: str) -> Matrix:
    found = {(pair["a"], pair["b"]): pair for pair in pairs}
    shown = [name for name in raters if any(name in pair for pair in found)]
    many = len(shown) > ROOMY
    rows = [
        (name, [_cell(found.get((other, name)), figure, many) for other in shown[:at]])
        for at, name in enumerate(shown)
        if at
    ]
    return Matrix(shown[:-1], rows, many, _least(pairs, figure) if many else [])


def _cell(pair: Pair | None, figure: str, many: bool) -> Cell | None:
    if pair is None:
        return None
    value = pair[figure]
    text = _written(value, figure)
    level = 0 if value is None else min(5, max(0, ceil((value - FROM) / STEP)))
    return Cell(text.removesuffix(" %") if many else text, pair["items"], level, _said_of(pair, figure))


def _written(value: float | None, figure: str) -> str:
    if figure == "ac1" or value is None:
        return figure_format.agreement_value("gwet_ac1", value)
    return f"{100 * value:.0f} %"


def _least(pairs: list[Pair], figure: str) -> list[str]:
    """The pairs that agree least, in words: those with enough items."""
    known = [pair for pair in pairs if pair["items"] >= FEWEST_SHARED and pair[figure] is not None]
    known.sort(key=lambda pair: (pair[figure], pair["a"], pair["b"]))
    return [_said_of(pair, figure) for pair in known[:LEAST_SHOWN]]


def _said_of(pair: Pair, figure: str) -> str:
    """lena and ravi: 88 % on 214."""
    named = {"a": pair["a"], "b": pair["b"], "figure": _written(pair[figure], figure)}
    return _("%(a)s and %(b)s: %(figure)s on %(n)s") % {**named, "n": figure_format.count(pair["items"])}


def _mixture(of: Confusion, key: str, names: Names) -> dict[str, Any] | None:
    """Which two answers raters gave to one item, as a triangle of counts; None when nobody shared an item.

    `level` from 0 to 5 shades a cell by its share of all pairs that disagree.
    """
    labels = [_label(key, category, names) for category in of.categories]
    apart = max((n for a, row in enumerate(of.pairs) for n in row[a + 1 :]), default=0)
    if not any(n for row in of.pairs for n in row):
        return None
    rows = [
        (labels[a], [mixed_up(row[b], apart, same=a == b) if b >= a else None for b in range(len(labels))])
        for a, row in enumerate(of.pairs)
    ]
    return {"labels": labels, "rows": rows}


def _label(key: str, category: str, names: Names) -> str:
    if key == SEVERITY_SCALE and category != "accurate":
        return _("Issue, not severe") if category == NOT_SEVERE else _("Severe issue")
    return names.option_of(SEVERITY if key == SEVERITY_SCALE else key, category)


def mixed_up(n: int, most: int, *, same: bool) -> dict[str, Any]:
    """A cell of a table of mixed-up answers; `level` 0 to 5 shades its count `n` by the largest that is apart."""
    return {"n": n, "same": same, "level": 0 if same or not most else ceil(5 * n / most)}


urlpatterns = [path("projects/<slug:slug>/agreement/", agreement, name="agreement")]
