"""Agreement of raters by question: coefficients, pairs of raters, and confused answers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import TypeVar
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from msgspec import structs

from ... import reporting
from ...access import project_for
from ...accounts.names import DisplayNames
from ...exporting.rater_names import shown_pairs
from ...models import Item, Project
from ...models import Report as StoredReport
from ...pseudonyms import in_shown_order
from ...reporting.frozen_reports import stored_report
from ...reporting.live import live_figures
from ...reporting.report import Report
from ...reporting.sections.agreement.figures import (
    MAX_RATERS,
    NOT_SEVERE,
    SEVERE,
    SEVERITY_SCALE,
    Confusion,
    Disagreement,
    RaterPair,
    agreement_details,
)
from ...reporting.sections.agreement.tables import coefficients_table
from ...reporting.sections.differences.text import gaps_in_words
from ...reporting.sections.judge.figures import DifferingItem
from ...reporting.text import figure_format
from ...reporting.text.missing_figures import agreement_gaps
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
SCALE_LABELS = {NOT_SEVERE: "Issue, not severe", SEVERE: "Severe issue"}


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


@require_safe
def agreement(request: Request, slug: str) -> HttpResponse:
    """Show the current agreement, with intervals if the newest frozen report is of the same data. `?figure=` fills the
    matrix with percent agreement or AC1.
    """
    project = project_for(request.user, slug, needs="lead")
    freezing = open_job(project, reporting.FREEZE)  # before the figures: it may end while they are read
    current = live_figures(project, agreement_details)
    of_same_data = StoredReport.objects.filter(project=project, data_sha256=current.sha256).defer("figures")[:20]
    frozen = next((report for report in of_same_data if not stored_report(report).filters), None)
    stored = stored_report(frozen) if frozen else None
    agreements = {
        key: part
        for key, part in {**current.agreement, **(stored.agreement if stored else {})}.items()
        if key in current.pairs
    }
    names, display_name = Names(project.protocol.definition), DisplayNames()
    cluster = stored.method.cluster if stored else "prompt"
    gaps = agreement_gaps(agreements, names, cluster, resampled=stored is not None)
    # The page says once that it has no intervals, so that no reason is needed for each.
    reasons = gaps_in_words(gap for gap in gaps if stored or not gap.has_value)
    table = coefficients_table(agreements, names, cluster)
    texts = {question.key: question.text for question in project.protocol.definition.questions}
    figure = "ac1" if request.GET.get("figure") == "ac1" else "percent"
    context = {
        "project": project,
        "agreement": current,
        "figure": figure,
        "figures": FIGURES,
        "table": replace(table, note=f"{table.note} {reasons}".strip()),
        "questions": [
            {
                "key": key,
                "name": agreement_of(key, names),
                "note": EXPLAINED.get(key, texts.get(key, "")),
                "items": part.items,
                "interpretation": figure_format.interpretation(part),
                "matrix": _matrix(current.raters, current.pairs[key], figure, display_name),
                "confusion": _confused_answers(current.confusions[key], key, names),
            }
            for key, part in agreements.items()
        ],
        "intervals_from": frozen,
        "method": stored.method if stored else None,
        "freezing": freezing,
        "too_many": len(current.raters) > MAX_RATERS,
        "most_raters": MAX_RATERS,
    }
    return render(request, "reports/agreement.html", context)


def _matrix(
    raters: Sequence[str], pairs: Sequence[RaterPair], figure: str, display_name: DisplayNames
) -> Matrix | None:
    if not pairs:
        return None
    pairs = [structs.replace(pair, a=display_name(pair.a), b=display_name(pair.b)) for pair in shown_pairs(pairs)]
    with_pair = {name for pair in pairs for name in (pair.a, pair.b)}
    names = [name for name in in_shown_order(map(display_name, raters), str) if name in with_pair]
    many = len(names) > MANY_RATERS
    cells: dict[tuple[str, str], MatrixCell] = {}
    with_enough: list[tuple[float, str, str]] = []
    for pair in pairs:
        value = pair.ac1 if figure == "ac1" else pair.percent
        if value is None or figure == "ac1":
            text = figure_format.agreement_value("gwet_ac1", value)
        else:
            text = f"{100 * value:.0f} %"
        level = 0 if value is None else min(5, max(0, ceil((value - FROM) / STEP)))
        words = f"{pair.a} and {pair.b}: {text} on {figure_format.count(pair.items)}"
        cells[pair.a, pair.b] = MatrixCell(text.removesuffix(" %") if many else text, pair.items, level, words)
        if value is not None and pair.items >= MIN_SHARED_ITEMS:
            with_enough.append((value, pair.a, pair.b))
    rows = [
        (name, [cells.get((other, name)) for other in names[:number]]) for number, name in enumerate(names) if number
    ]
    least = [cells[a, b].words for _, a, b in sorted(with_enough)[:LEAST_SHOWN]] if many else []
    return Matrix(names[:-1], rows, many, least)


def _confused_answers(confusion: Confusion, key: str, names: Names) -> list[tuple[str, list[PairCount | None]]] | None:
    """Return which two answers raters gave to one item, as a triangle of counts; None when raters share no item."""
    if not any(n for row in confusion.pairs for n in row):
        return None
    most = max((n for a, row in enumerate(confusion.pairs) for n in row[a + 1 :]), default=0)
    scale = SCALE_LABELS if key == SEVERITY_SCALE else {}
    labels = [scale.get(category) or names.option_of(key, category) for category in confusion.categories]
    return [
        (labels[a], [pair_count(n, most, same=a == b) if b >= a else None for b, n in enumerate(row)])
        for a, row in enumerate(confusion.pairs)
    ]


def pair_count(n: int, most: int, *, same: bool) -> PairCount:
    """Return a cell of a confusion table; `level` 0 to 5 shades its count `n` by the largest off the diagonal."""
    return PairCount(n, same, level=0 if same or not most else ceil(5 * n / most))


Row = TypeVar("Row", bound=Disagreement | DifferingItem)


def disputed(project: Project | None, report: Report) -> list[tuple[Disagreement, UUID | None, str]]:
    """Return the items, most disagreement first, each with its public id if it still exists and its prompt's text. One
    query; none without a project, as shared reports have no links.
    """
    return linked_items(project, report.disagreements or ())


def linked_items(project: Project | None, rows: Sequence[Row]) -> list[tuple[Row, UUID | None, str]]:
    """Return the same for rows that name an item by imported ids."""
    if project is None or not rows:
        return [(row, None, "") for row in rows]
    # Items with another combination of these ids are read, too.
    items = Item.objects.filter(
        response__dataset=project.dataset_id,
        response__key__in=[row.response for row in rows],
        position__in=[row.item for row in rows],
    ).values_list("response__key", "against__key", "unit", "position", "public_id", "response__prompt__text")
    links: dict[tuple[str, str | None, str, int], tuple[UUID, str]] = {
        (response, against, unit, position): (public_id, prompt)
        for response, against, unit, position, public_id, prompt in items
    }
    return [(row, *links.get((row.response, row.against, row.unit, row.item), (None, ""))) for row in rows]
