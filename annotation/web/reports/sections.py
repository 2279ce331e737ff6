"""Sections of the report page, formatted. Only visible parts are computed.

A live and a frozen report look the same; missing parts of a report of an earlier version are omitted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _

from ...i18n.english import ENGLISH
from ...reporting.compute.reference_labels import leniency_measure
from ...reporting.provenance_record import Provenance
from ...reporting.report import Agreement, RaterQuality, Report, ReportData, ReportMethod
from ...reporting.sections.names import table_name
from ...reporting.text import figure_format, notes, provenance
from ...reporting.text.cautions import cautions, unread_warning
from ...reporting.text.differences import order_of_systems
from ...reporting.text.methods import Methods, Paragraph, methods_of
from ...reporting.text.missing_figures import missing_notes
from ...reporting.text.names import Names, agreement_of, breakdown_label
from ...reporting.text.planned_family import not_significant_over_family
from ...reporting.text.provenance import LEFT_OUT, adjudications
from ...reporting.text.references import bibtex
from ...reporting.text.unrated_measures import without_unrated_measures
from ...reporting.text.value_order import with_ordered_values
from .aggregations import AggregationTable, aggregations
from .answer_distribution import AnswerTable, all_answers, options, other_answers, systems
from .breakdowns import (
    MAX_VALUES,
    Breakdown,
    HeatMap,
    breakdown_keys,
    breakdown_table,
    heat_table,
    selected_breakdown,
)
from .crossed_models import CrossedModels, crossed_models
from .differences import Differences, differences
from .fact_qa import FactQASection, fact_qa_sections
from .hybrid import SampleSection, hybrid_section, weighted_section
from .judge_section import JudgeSection, judge_section
from .means import Means, means
from .measure_table import ProportionRow, systems_table
from .metric_tables import MetricsSection, metrics_section
from .scores import Scores, scores
from .sensitivity import QualityAlerts, SensitivityTable, quality_alerts, sensitivity_table


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
class ReportPage:
    """The content of the report page: the names that its templates use."""

    names: Names
    data: ReportData
    raters_ratings: int
    adjudicated: int
    data_before: ReportData | None
    method: ReportMethod
    cluster: str
    filters: list[str]
    measures: list[str]
    unrated_measures: str
    rows: list[ProportionRow]
    overall: ProportionRow
    any_best: bool
    any_ranks: bool
    few: bool
    interval_note: str
    documents_note: str
    pairs_note: str
    raters_note: str
    warnings: list[str]
    cautions: list[str]
    tie_note: str
    skipped_note: str
    sample_note: str
    verdicts_note: str
    excluded_note: str
    unit: str
    verdicts: list[str]
    family_note: str
    differences: Differences
    left_out_label: str
    left_out: list[tuple[int, str]]
    options: AnswerTable
    other_answers: list[AnswerTable]
    heat: HeatMap | None
    breakdowns: list[tuple[str, str]]
    breakdown: Breakdown | None
    breakdown_answers: list[AnswerTable]
    weighted: SampleSection | None
    hybrid: SampleSection | None
    fact_qa: list[FactQASection]
    judge: JudgeSection | None
    metrics: MetricsSection | None
    means: Means | None
    scores: Scores | None
    agreement: Mapping[str, Agreement]
    interpretations: list[tuple[str, str]]
    raters: Sequence[RaterQuality] | None
    quality_alerts: QualityAlerts | None
    sensitivity: SensitivityTable | None
    leniency_of: str
    aggregations: AggregationTable | None
    crossed: CrossedModels | None
    missing: Mapping[str, str]
    options_note: str
    methods: Methods
    bibtex: str


def report_page(
    report: Report,
    names: Names,
    view: ReportView | None = None,
    before: Report | None = None,
    record: Provenance | None = None,
) -> ReportPage:
    """Return the content of the report page; `before` is the report without the active options, `record` the provenance
    record of a frozen one."""
    view = view or ReportView()
    report, unrated = without_unrated_measures(with_ordered_values(report))
    rows, overall = systems_table(report, names, before)
    cluster = report.method.cluster
    figures = [cell.measures for cell in (*report.systems, report.overall)]
    breakdowns = breakdown_keys(report)
    selected = selected_breakdown(report, breakdowns, view.by)
    adjudicated = adjudications(report)
    methods = _methods(report, names, record)
    sample_note, is_unequal = notes.sample_note(report, names.unit), bool(notes.unequal_sample_note(report))
    return ReportPage(
        names=names,
        data=report.data,
        raters_ratings=report.data.ratings - adjudicated,
        adjudicated=adjudicated,
        data_before=before.data if before else None,
        method=report.method,
        cluster=cluster,
        filters=provenance.choices_in_words(report.filters, report.chosen_cluster, names.unit),
        measures=[names.measure(key) for key in report.overall.measures],
        unrated_measures=figure_format.listed([names.measure(key) for key in unrated], _("and")),
        rows=rows,
        overall=overall,
        any_best=any(share.best for row in rows for share in row.shares),
        any_ranks=any(share.rank and share.rank.low is not None for row in rows for share in row.shares),
        few=figure_format.methods_used(figures) == {"none"},
        interval_note=notes.interval_note(figures, cluster),
        documents_note=notes.documents_note(report),
        pairs_note=notes.pairs_note(report, names),
        raters_note=notes.raters_note(report),
        warnings=list(filter(None, [sample_note if is_unequal else "", unread_warning(report, names)])),
        cautions=cautions(report, names),
        skipped_note=notes.skipped_note(report, names.unit),
        sample_note="" if is_unequal else sample_note,
        verdicts_note=notes.verdicts_note(report),
        excluded_note=provenance.excluded_note(report, names.unit),
        tie_note=notes.tie_note(report, names.unit),
        unit=names.unit,
        verdicts=_verdicts(report, names),
        family_note=not_significant_over_family(record, report, names),
        differences=differences(report, names, record),
        left_out_label=figure_format.listed(names.left_out(), _("or")),
        left_out=[(n, _(LEFT_OUT.get(reason, reason))) for reason, n in report.data.left_out.items()],
        options=options(report, names),
        other_answers=other_answers(systems(report), names),
        heat=heat_table(report, names, view.by, view.measure),
        breakdowns=[(key, breakdown_label(key, names)) for key in breakdowns],
        breakdown=breakdown_table(report, names, selected) if selected else None,
        breakdown_answers=all_answers(report, report.by[selected][:MAX_VALUES], names, table_name(selected))
        if selected
        else [],
        weighted=weighted_section(report, names),
        hybrid=hybrid_section(report, names),
        fact_qa=fact_qa_sections(report),
        judge=judge_section(report, names),
        metrics=metrics_section(report, names),
        means=means(report, names, selected, MAX_VALUES),
        scores=scores(report, names, selected, MAX_VALUES),
        agreement=report.agreement,
        interpretations=interpretations(report.agreement, names),
        raters=report.raters,
        quality_alerts=quality_alerts(report, names),
        sensitivity=sensitivity_table(report, names),
        leniency_of=_leniency_of(names),
        aggregations=aggregations(report, names),
        crossed=crossed_models(report, names),
        missing=missing_notes(report, names),
        options_note=notes.interval_note([cell.shares for cell in systems(report) if cell.shares is not None], cluster),
        methods=methods,
        bibtex=bibtex(methods.references),
    )


def _methods(report: Report, names: Names, record: Provenance | None) -> Methods:
    """Return the Methods without a line that begins with a % sign; none where single ratings were not read."""
    paragraphs = methods_of(report, names, record).paragraphs if report.data.items is not None else []
    return Methods(
        [
            Paragraph(paragraph.title, paragraph.text.replace(" %", f"{figure_format.NO_BREAK}%"))
            for paragraph in paragraphs
        ]
    )


def _leniency_of(names: Names) -> str:
    return names.measure(leniency_measure(names.protocol).key).lower() if names.protocol else "accurate"


def interpretations(agreement: Mapping[str, Agreement], names: Names) -> list[tuple[str, str]]:
    """Return how to read the agreement: each sentence once, with its questions."""
    labels: dict[str, list[str]] = {}
    for key, question in agreement.items():
        if question.items:
            labels.setdefault(figure_format.interpretation(question), []).append(agreement_of(key, names))
    return [(", ".join(questions), text) for text, questions in labels.items()]


def _verdicts(report: Report, names: Names) -> list[str]:
    """Return sentences about the systems' order, one for each measure."""
    rows_by_measure = {
        key: [row for row in report.comparisons if row.measure == key] for key in report.overall.measures
    }
    sentences = (order_of_systems(rows, names.measure(key)) for key, rows in rows_by_measure.items())
    return [sentence for sentence in sentences if sentence]
