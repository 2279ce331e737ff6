"""Sections of the report page, formatted. Only visible parts are computed.

A live and a frozen report look the same; missing parts of a report of an earlier version are omitted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _

from ...i18n.english import ENGLISH
from ...reporting.compute import significance
from ...reporting.compute.reference_labels import leniency_measure
from ...reporting.report import Agreement, BoundedShare, Leniency, Report
from ...reporting.text import figure_format, notes, provenance
from ...reporting.text.methods import methods_paragraph
from ...reporting.text.names import Names, agreement_of, breakdown_label
from ...reporting.text.provenance import LEFT_OUT, adjudications
from ...reporting.text.visible_questions import without_unrated_measures
from .aggregations import CountedShare, aggregations
from .answer_distribution import all_answers, options, other_answers, systems
from .breakdowns import MOST_VALUES, breakdown_keys, breakdown_table, heat_table, selected_breakdown
from .differences import differences
from .means import means
from .measure_table import systems_table


@dataclass(frozen=True)
class ReportView:
    """The selection of a page: a breakdown, a measure of the heat map; for a figure, the `language` of its text
    (English in exported files).
    """

    by: str = ""
    measure: str = ""
    language: str = ENGLISH


def report_view(request: HttpRequest) -> ReportView:
    """Return the selection of the query string."""
    language = request.GET.get("language", "")
    language_code = language if language in dict(settings.LANGUAGES) else ENGLISH
    return ReportView(by=request.GET.get("by", ""), measure=request.GET.get("measure", ""), language=language_code)


@dataclass(frozen=True)
class Coefficient:
    """One figure of agreement with its bounds, if any; `why` explains a missing figure or missing bounds."""

    label: str
    value: str
    interval: str
    why: str = ""


@dataclass(frozen=True)
class Question:
    """The agreement on one question."""

    key: str
    name: str
    items: int
    raters: int
    coefficients: dict[str, Coefficient]
    reading: str


@dataclass(frozen=True)
class RaterRow:
    """The figures of a rater in words."""

    name: str
    ratings: int
    gold: CountedShare | None
    agrees: CountedShare | None
    leniency: str
    leniency_interval: str
    seconds: str
    flags: Sequence[str]


def page_of(
    report: Report, names: Names, view: ReportView | None = None, before: Report | None = None
) -> dict[str, Any]:
    """Return the content of the report page; `before` is the report without the active options."""
    view = view or ReportView()
    report, unrated = without_unrated_measures(report)
    rows, overall = systems_table(report, names, before)
    cluster = report.method.cluster
    figures = [cell.measures for cell in (*report.systems, report.overall)]
    breakdowns = breakdown_keys(report)
    selected = selected_breakdown(report, breakdowns, view.by)
    return {
        "data": report.data,
        **_ratings_of(report),
        "data_before": before.data if before else None,
        "method": report.method,
        "cluster": cluster,
        "filters": provenance.choices_in_words(report.filters, report.method, names.unit),
        "protocol_used": report.protocol,
        "question": names.first_question,
        "measures": [names.measure(key) for key in report.overall.measures],
        "unrated_measures": figure_format.listed([names.measure(key) for key in unrated], _("and")),
        "rows": rows,
        "overall": overall,
        "any_best": any(share.best for row in rows for share in row.shares),
        "any_ranks": any(share.ranks for row in rows for share in row.shares),
        "few": figure_format.methods_used(figures) == {"none"},
        "interval_note": notes.interval_note(figures, cluster),
        "documents_note": notes.documents_note(report),
        "pairs_note": notes.pairs_note(report, names),
        "raters_note": notes.raters_note(report),
        "rare_note": notes.rare_note(report, names),
        "unit": names.unit,
        "system_head": names.system_head,
        "all_systems": names.all_systems,
        "verdicts": _verdicts(report, names),
        "differences": differences(report, names),
        "left_out_label": figure_format.listed(names.left_out(), _("or")),
        "left_out": [(n, _(LEFT_OUT.get(reason, reason))) for reason, n in report.data.left_out.items()],
        "options": options(report, names),
        "other_answers": other_answers(systems(report), names),
        "heat": heat_table(report, names, view.by, view.measure),
        "breakdowns": [(key, breakdown_label(key, names)) for key in breakdowns],
        "breakdown": breakdown_table(report, names, selected) if selected else None,
        "breakdown_answers": all_answers(report, report.by[selected][:MOST_VALUES], names) if selected else [],
        "means": means(report, names, selected, MOST_VALUES),
        "questions": (agreement_questions := questions(report, names)),
        "readings": readings(agreement_questions),
        "raters": raters(report),
        "leniency_of": _leniency_of(names),
        "aggregations": aggregations(report, names),
        "methods": _methods(report, names),
    }


def _methods(report: Report, names: Names) -> str:
    """Return the paragraph without a line that begins with a % sign; "" where single ratings were not read."""
    text = methods_paragraph(report, names) if report.data.items is not None else ""
    return text.replace(" %", f"{figure_format.NO_BREAK}%")


def _ratings_of(report: Report) -> dict[str, int]:
    """Return how many ratings are the raters' own, and how many are adjudications."""
    adjudicated = adjudications(report)
    return {"raters_ratings": report.data.ratings - adjudicated, "adjudicated": adjudicated}


def _leniency_of(names: Names) -> str:
    return names.measure(leniency_measure(names.protocol).key).lower() if names.protocol else "accurate"


def questions(report: Report, names: Names) -> list[Question]:
    """Return the agreement on every question, with a sentence on how to read it."""
    return [
        Question(
            key,
            agreement_of(key, names),
            agreement.items,
            agreement.raters,
            {name: coefficient_of(name, _(label), agreement) for name, label in figure_format.COEFFICIENTS.items()},
            figure_format.interpretation(agreement),
        )
        for key, agreement in report.agreement.items()
    ]


def readings(questions: list[Question]) -> list[tuple[str, str]]:
    """Return how to read the agreement: each sentence once, with its questions."""
    names: dict[str, list[str]] = {}
    for question in questions:
        if question.items:
            names.setdefault(question.reading, []).append(question.name)
    return [(", ".join(question_names), reading) for reading, question_names in names.items()]


def raters(report: Report) -> list[RaterRow]:
    """Return each rater's figures in words; [] in older reports."""
    return [
        RaterRow(
            name=rater.rater,
            ratings=rater.ratings,
            gold=_estimated(rater.gold),
            agrees=_estimated(rater.leave_one_out),
            leniency=figure_format.points(rater.leniency.value) if rater.leniency else figure_format.UNDEFINED,
            leniency_interval=_leniency_interval(rater.leniency),
            seconds=figure_format.duration(rater.seconds),
            flags=rater.flags,
        )
        for rater in report.raters or ()
    ]


def _estimated(share: BoundedShare | None) -> CountedShare | None:
    if not share or not share.n:
        return None
    return CountedShare(
        percent=figure_format.percent(share.value),
        k=figure_format.count(share.k),
        n=figure_format.count(share.n),
        interval=figure_format.interval(share.low, share.high),
    )


def _leniency_interval(leniency: Leniency | None) -> str:
    return figure_format.points_between(leniency.low, leniency.high) if leniency and leniency.low is not None else ""


def _verdicts(report: Report, names: Names) -> list[str]:
    """Return sentences about the systems' order, one for each measure."""
    rows_by_measure = {
        key: [row for row in report.comparisons if row.measure == key] for key in report.overall.measures
    }
    sentences = (significance.verdicts(rows, names.measure(key)) for key, rows in rows_by_measure.items())
    return [sentence for sentence in sentences if sentence]


def coefficient_of(name: str, label: str, question: Agreement, why: str = "") -> Coefficient:
    """Return one coefficient of a question in words; `why` explains a missing figure or interval."""
    return Coefficient(
        label,
        figure_format.agreement_value(name, question.coefficients[name]),
        figure_format.agreement_bounds(name, question),
        why,
    )
