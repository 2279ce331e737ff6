"""Agreement of raters by question: coefficients, pairs of raters, and confused answers."""

from dataclasses import dataclass
from math import ceil

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from msgspec import structs

from ... import reporting
from ...access import project_for
from ...accounts.display_names import DisplayNames
from ...exporting.shown_reports import shown_pairs
from ...i18n.english import in_english
from ...models import Project
from ...models import Report as StoredReport
from ...pseudonyms import in_shown_order
from ...reporting.frozen_reports import stored_report
from ...reporting.live import live_figures
from ...reporting.sections.agreement.figures import (
    MAX_RATERS,
    NOT_SEVERE,
    SEVERITY,
    SEVERITY_SCALE,
    Agreement,
    AgreementDetails,
    Confusion,
    RaterPair,
    agreement_details,
)
from ...reporting.text import figure_format
from ...reporting.text.missing_figures import agreement_reason
from ...reporting.text.names import Names, agreement_of
from ..authentication import Request
from ..jobs import open_job

FIGURES = {"percent": "Agreement", "ac1": "Gwet’s AC1"}
MANY_RATERS = 10  # raters up to which every cell has the number of shared items
MIN_SHARED_ITEMS = 20  # items below which two raters' agreement is not listed
LEAST_SHOWN = 5
FROM, STEP = 0.5, 0.1  # shading of the matrix: a step darker for each ten points above one half

EXPLAINED = {
    SEVERITY_SCALE: (
        "Derived from two questions: accurate < an issue that is not severe < a severe issue. The alpha is the ordinal "
        "one: two raters who say “not severe” and “severe” disagree less than two who say “accurate” and “severe”. The "
        "other coefficients take the three as unordered."
    ),
    "accurate_or_not": "Derived: “Accurate” against all other assessed answers.",
}


@dataclass(frozen=True)
class MatrixCell:
    """Two raters: the formatted figure, its number of items, and its shade, 0 to 5."""

    text: str
    items: int
    level: int
    words: str


@dataclass(frozen=True)
class Matrix:
    """A triangle of raters × raters: `rows` are (name, cells of the raters above); None where no item is shared."""

    names: list[str]
    rows: list[tuple[str, list[MatrixCell | None]]]
    many: bool
    least: list[str]


@dataclass(frozen=True)
class PairCount:
    """How often two answers were given to one item; `level` from 0 to 5 shades the cell."""

    n: int
    same: bool
    level: int


Confused = list[tuple[str, list[PairCount | None]]]
"""Answers × answers: rows of (label, cells)."""


@dataclass(frozen=True)
class Coefficient:
    """One figure of agreement with its bounds, if any; `why` explains a missing figure or missing bounds."""

    label: str
    value: str
    interval: str
    why: str


@dataclass(frozen=True)
class QuestionAgreement:
    """Everything the page shows about one question."""

    key: str
    name: str
    note: str
    agreement: Agreement
    coefficients: list[Coefficient]
    interpretation: str
    matrix: Matrix | None
    confusion: Confused | None

    @property
    def reasons(self) -> list[str]:
        """Return why figures or bounds are missing, each reason once."""
        return list(dict.fromkeys(coefficient.why for coefficient in self.coefficients if coefficient.why))


@require_safe
@in_english
def agreement(request: Request, slug: str) -> HttpResponse:
    """Show the current agreement, with intervals if the newest frozen report is of the same data. `?figure=` fills the
    matrix with percent agreement or AC1.
    """
    project = project_for(request.user, slug, needs="lead")
    freezing = open_job(project, reporting.FREEZE)
    current = live_figures(project, agreement_details)
    frozen = _frozen_of(project, current.sha256)
    stored = stored_report(frozen) if frozen else None
    agreements = {**current.agreement, **(stored.agreement if stored else {})}
    names, display_name = Names(project.protocol.definition), DisplayNames()
    figure = request.GET.get("figure") if request.GET.get("figure") in FIGURES else "percent"
    context = {
        "project": project,
        "agreement": current,
        "figure": figure,
        "figures": FIGURES,
        "questions": [
            _question(key, part, current, str(figure), names, stored.method.cluster if stored else "", display_name)
            for key, part in agreements.items()
            if key in current.pairs
        ],
        "intervals_from": frozen,
        "method": stored.method if stored else None,
        "freezing": freezing,
        "too_many": len(current.raters) > MAX_RATERS,
        "most_raters": MAX_RATERS,
    }
    return render(request, "reports/agreement.html", context)


def _frozen_of(project: Project, sha256: str) -> StoredReport | None:
    """Return the newest frozen report of the same data without filters."""
    for report in StoredReport.objects.filter(project=project, data_sha256=sha256).defer("figures")[:20]:
        if not stored_report(report).filters:
            return report
    return None


def _question(
    key: str,
    agreement: Agreement,
    details: AgreementDetails,
    figure: str,
    names: Names,
    cluster: str,
    display_name: DisplayNames,
) -> QuestionAgreement:
    pairs = details.pairs[key]
    texts = {question.key: question.text for question in names.protocol.questions} if names.protocol else {}
    return QuestionAgreement(
        key=key,
        name=agreement_of(key, names),
        note=str(EXPLAINED.get(key, texts.get(key, ""))),
        agreement=agreement,
        coefficients=[
            _coefficient(name, label, agreement, key, _why(name, agreement, names, cluster))
            for name, label in figure_format.COEFFICIENTS.items()
        ],
        interpretation=figure_format.interpretation(agreement),
        matrix=_matrix(details.raters, pairs, figure, display_name) if pairs else None,
        confusion=_confusion_matrix(details.confusions[key], key, names),
    )


def _coefficient(name: str, label: str, agreement: Agreement, key: str, why: str) -> Coefficient:
    if key == SEVERITY_SCALE and name == "krippendorff_alpha":
        label = f"{label}, ordinal"
    value = figure_format.agreement_value(name, agreement.coefficients[name])
    return Coefficient(label, value, figure_format.agreement_bounds(name, agreement), why)


def _why(name: str, agreement: Agreement, names: Names, cluster: str) -> str:
    """Return why a figure is undefined, or has no interval; of a page without intervals (`cluster` "") only the first,
    as it says once that there are none.
    """
    is_undefined = agreement.coefficients[name] is None
    if not agreement.items or not (is_undefined or cluster):
        return ""
    reason = agreement_reason(name, agreement, names.unit, cluster, resampled=True)
    sentence = "Undefined: %(reason)s." if is_undefined else "No interval: %(reason)s."
    return sentence % {"reason": reason} if reason else ""


def _matrix(raters: list[str], pairs: list[RaterPair], figure: str, display_name: DisplayNames) -> Matrix:
    pairs = [structs.replace(pair, a=display_name(pair.a), b=display_name(pair.b)) for pair in shown_pairs(pairs)]
    raters = in_shown_order(map(display_name, raters), str)
    pair_of = {(pair.a, pair.b): pair for pair in pairs}
    named = [name for name in raters if any(name in pair for pair in pair_of)]
    many = len(named) > MANY_RATERS
    rows = [
        (name, [_cell(pair_of.get((other, name)), figure, many) for other in named[:number]])
        for number, name in enumerate(named)
        if number
    ]
    return Matrix(named[:-1], rows, many, _least_agreeing_pairs(pairs, figure) if many else [])


def _figure_of(pair: RaterPair, figure: str) -> float | None:
    return pair.ac1 if figure == "ac1" else pair.percent


def _cell(pair: RaterPair | None, figure: str, many: bool) -> MatrixCell | None:
    if pair is None:
        return None
    value = _figure_of(pair, figure)
    text = _formatted(value, figure)
    level = 0 if value is None else min(5, max(0, ceil((value - FROM) / STEP)))
    return MatrixCell(text.removesuffix(" %") if many else text, pair.items, level, _pair_in_words(pair, figure))


def _formatted(value: float | None, figure: str) -> str:
    if figure == "ac1" or value is None:
        return figure_format.agreement_value("gwet_ac1", value)
    return f"{100 * value:.0f} %"


def _least_agreeing_pairs(pairs: list[RaterPair], figure: str) -> list[str]:
    """Describe the pairs that agree least among those with enough items."""
    with_enough = [pair for pair in pairs if pair.items >= MIN_SHARED_ITEMS and _figure_of(pair, figure) is not None]
    with_enough.sort(key=lambda pair: (_figure_of(pair, figure), pair.a, pair.b))
    return [_pair_in_words(pair, figure) for pair in with_enough[:LEAST_SHOWN]]


def _pair_in_words(pair: RaterPair, figure: str) -> str:
    """Return a pair in words: Lena and Ravi: 88 % on 214."""
    named = {"a": pair.a, "b": pair.b, "figure": _formatted(_figure_of(pair, figure), figure)}
    return ("%(a)s and %(b)s: %(figure)s on %(n)s") % {**named, "n": figure_format.count(pair.items)}


def _confusion_matrix(confusion: Confusion, key: str, names: Names) -> Confused | None:
    """Return which two answers raters gave to one item, as a triangle of counts; None when raters share no item."""
    labels = [_label(key, category, names) for category in confusion.categories]
    apart = max((n for a, row in enumerate(confusion.pairs) for n in row[a + 1 :]), default=0)
    if not any(n for row in confusion.pairs for n in row):
        return None
    return [
        (labels[a], [pair_count(row[b], apart, same=a == b) if b >= a else None for b in range(len(labels))])
        for a, row in enumerate(confusion.pairs)
    ]


def _label(key: str, category: str, names: Names) -> str:
    if key == SEVERITY_SCALE and category != "accurate":
        return "Issue, not severe" if category == NOT_SEVERE else "Severe issue"
    return names.option_of(SEVERITY if key == SEVERITY_SCALE else key, category)


def pair_count(n: int, most: int, *, same: bool) -> PairCount:
    """Return a cell of a confusion table; `level` 0 to 5 shades its count `n` by the largest off the diagonal."""
    return PairCount(n, same, level=0 if same or not most else ceil(5 * n / most))
