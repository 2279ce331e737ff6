"""The content of the report page. A live and a frozen report look the same; parts that a report of an earlier version
lacks are left out.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest
from django.utils.safestring import SafeString

from ...i18n.unit_names import unit_words
from ...models import Project
from ...reporting.data.judge_answers import judges_of
from ...reporting.drawings.drawing import NARROW, WIDE
from ...reporting.drawings.reliability import reliability_figure
from ...reporting.methods.paragraphs import Methods, Paragraph, methods_of
from ...reporting.methods.references import bibtex
from ...reporting.provenance_record import Provenance
from ...reporting.report import Report
from ...reporting.sections.aggregations.text import sentence as aggregation_sentence
from ...reporting.sections.agreement.figures import Agreement
from ...reporting.sections.all_tables import SECTIONS, Section, for_people, tables_by_section
from ...reporting.sections.crossed_models import text as crossed_models
from ...reporting.sections.differences.significance import best_system, nothing_in_common
from ...reporting.sections.differences.text import not_significant_over_family, order_of_systems, two_tests
from ...reporting.sections.fact_qa.text import fact_qa_sentence, not_scored
from ...reporting.sections.hybrid.text import hybrid_how, hybrid_sentences, weighted_note, weighted_sentences
from ...reporting.sections.judge.figures import JudgeCalibration
from ...reporting.sections.judge.input import leniency_measure
from ...reporting.sections.judge.tables import Part, shown_parts
from ...reporting.sections.judge.text import hybrid_warnings, judge_notes, judge_use
from ...reporting.sections.names import answers_to
from ...reporting.sections.sensitivity.text import (
    analysis_label,
    exclusion_phrase,
    exclusions_shown,
    sensitivity_sentence,
)
from ...reporting.tables import Figure, Table
from ...reporting.text import figure_format, notes, provenance
from ...reporting.text.names import Names, agreement_of
from ...reporting.text.notes import cautions, unread_warning
from ...reporting.text.provenance import LEFT_OUT, adjudications
from ...stats.intervals import wilson
from ..page_figures import drawn_once
from .breakdowns import breakdown, heat_map

CAPTIONS = {
    "options": "Segments follow the legend. Below the bars: each share with its 95 % interval, where it has one, on "
    "the same axis.",
    "differences": "Differences with 95 % intervals, each for one pair alone. A filled point is a significant "
    "difference (p < .05 after Holm, adjusted for the pairs of a measure); a hollow point is not, even where the "
    "interval excludes 0.",
    "sensitivity": "Each measure under alternative analyses, with 95 % intervals.",
}
"""What stands below a figure."""
SENSITIVITY_NOTE = (
    "Raters with a quality alert are excluded one at a time and all together, as errors in opposite directions cancel. "
    "Worst and best case: ratings that could not be assessed count as misses or as hits, whichever is worse or better "
    "on that measure."
)
AGGREGATION_NOTE = (
    "A majority vote makes rare answers rarer. The means differ from the pooled proportion where long responses, or "
    "items with many raters, differ from the others."
)
"""What a page says of these tables in addition to their notes."""


@dataclass(frozen=True)
class ReportView:
    """The selection of a page: a breakdown, a measure of the heat map."""

    by: str = ""
    measure: str = ""


def report_view(request: HttpRequest) -> ReportView:
    """Return the selection of the query string."""
    return ReportView(by=request.GET.get("by", ""), measure=request.GET.get("measure", ""))


@dataclass(frozen=True)
class PageSection:
    """A section on the page: its tables that have rows, and what stands above and, in place of their notes, below them.

    `links`: where the navigation leads to, with the words.
    """

    anchor: str
    title: str
    template: str
    tables: Sequence[Table]
    links: Sequence[tuple[str, str]]
    drawing: str = ""
    caption: str = ""
    is_folded: bool = False
    sentences: Sequence[str] = ()
    warnings: Sequence[str] = ()
    note: str = ""


@dataclass(frozen=True)
class JudgeSection:
    """The tables of a judge against people by part, the reliability curve in both layouts, and what is said of it."""

    judge: str
    name: str
    version: int
    parts: Sequence[Part]
    reliability: Mapping[str, SafeString]
    use: Sequence[str]
    notes: Sequence[str]


@dataclass(frozen=True)
class QualityAlerts:
    """The `n` of `raters_total` raters with a quality alert, in words, and how far the systems move on `measure`
    without them: (analysis, shifts) for each alone, then all. Reports of an earlier version have no shifts.
    """

    n: int
    raters_total: int
    raters: str
    measure: str
    exclusions: list[tuple[str, str]]


def report_page(
    report: Report,
    names: Names,
    view: ReportView | None = None,
    before: Report | None = None,
    record: Provenance | None = None,
) -> dict[str, Any]:
    """Return the names that the templates of the page use; `before` is the report without the active options, `record`
    the provenance record of a frozen one.
    """
    view = view or ReportView()
    by_section: dict[Section | None, list[Table]] = defaultdict(list)
    for section, table in tables_by_section(report, names, record):
        by_section[section].append(table)
    shown = {table.key: table for tables in by_section.values() for table in tables}
    full, (report, unrated) = report, for_people(report, names)
    cluster, unit, adjudicated = report.method.cluster, names.unit, adjudications(report)
    figures = [cell.measures for cell in (*report.systems, report.overall)]
    sample_note, is_unequal = notes.sample_note(report, unit), bool(notes.unequal_sample_note(report))
    # Without single ratings there are no Methods. No line begins with a % sign.
    paragraphs = methods_of(full, names, record).paragraphs if report.data.items is not None else []
    methods = Methods(
        [Paragraph(each.title, each.text.replace(" %", f"{figure_format.NO_BREAK}%")) for each in paragraphs]
    )
    by_measure = {key: [row for row in report.comparisons if row.measure == key] for key in report.overall.measures}
    orders = (order_of_systems(rows, names.measure(key)) for key, rows in by_measure.items())
    models = report.crossed_models or ()
    heat, selected = heat_map(report, names, shown, view.by, view.measure), breakdown(report, names, shown, view.by)
    page = {
        "names": names,
        "shown": shown,
        "captions": CAPTIONS,
        "proportions": _with_lines(shown["systems"], report, names, before) if "systems" in shown else None,
        "data": report.data,
        "raters_ratings": report.data.ratings - adjudicated,
        "adjudicated": adjudicated,
        "data_before": before.data if before else None,
        "method": report.method,
        "cluster": cluster,
        "filters": provenance.choices_in_words(report.filters, report.chosen_cluster, unit),
        "unrated_measures": figure_format.listed([names.measure(key) for key in unrated], "and"),
        "excluded_ratings": report.overall.left_out,
        "any_best": any(best_system(report, key, names.better(key)) for key in report.overall.measures),
        "any_ranks": len(report.systems) > 1 and any(row.low is not None for row in report.ranks or ()),
        "few": figure_format.methods_used(figures) == {"none"},
        "interval_note": notes.interval_note(figures, cluster),
        "documents_note": notes.documents_note(report),
        "pairs_note": notes.pairs_note(report, names),
        "raters_note": notes.raters_note(report),
        "warnings": list(filter(None, [sample_note if is_unequal else "", unread_warning(report, names)])),
        "cautions": cautions(report, names),
        "skipped_note": notes.skipped_note(report, unit),
        "sample_note": "" if is_unequal else sample_note,
        "verdicts_note": notes.verdicts_note(report),
        "excluded_note": provenance.excluded_note(report, unit),
        "tie_note": notes.tie_note(report, unit),
        "unit": unit,
        "verdicts": [sentence for sentence in orders if sentence],
        "family_note": not_significant_over_family(record, report, names),
        "nothing_in_common": nothing_in_common(full),
        "left_out_label": figure_format.listed(names.left_out(), "or"),
        "left_out": [(n, LEFT_OUT.get(reason, reason)) for reason, n in report.data.left_out.items()],
        "other_answers": [shown[key] for key in map(answers_to, report.overall.questions) if key in shown],
        "heat": heat,
        "breakdown": selected,
        "fact_qa": [(part, fact_qa_sentence(part), not_scored(part)) for part in report.fact_qa or ()],
        "judge": _judge_section(report, names),
        "interpretations": interpretations(report.agreement, names),
        "raters": report.raters,
        "quality_alerts": _quality_alerts(report, names),
        "leniency_of": names.measure(leniency_measure(names.protocol).key).lower() if names.protocol else "accurate",
        "crossed": bool(models)
        and {
            "question": crossed_models.question(report, names),
            "two_tests": two_tests(report, names, names.measure),
            "notes": crossed_models.notes(report, names),
        },
        "methods": methods,
        "bibtex": bibtex(methods.references),
    }
    return {**page, "sections": list(_page_sections(page, by_section, report, names))}


def _page_sections(
    page: dict[str, Any], by_section: Mapping[Section | None, Sequence[Table]], report: Report, names: Names
) -> Iterator[PageSection]:
    """Yield the sections that have something to show."""
    hybrid, heat, selected = report.hybrid, page["heat"], page["breakdown"]
    shown_if = {
        "proportions": bool(page["proportions"]),
        "weighted": report.weighted_estimates is not None,
        "hybrid": hybrid is not None,
        "fact-qa": bool(page["fact_qa"]),
        "judge": page["judge"] is not None,
        "differences": page["nothing_in_common"] or "comparisons" in page["shown"],
        "crossed": bool(page["crossed"]),
        "design": False,
    }
    links = {
        "by": [
            *([("heat-title", f"Systems by {heat.name}")] if heat else []),
            *([("by-title", f"By {selected.name}")] if selected else []),
        ],
        "raters": [
            *([("raters", "Raters")] if report.raters else []),
            *([("disputed", "Disagreements")] if report.disagreements else []),
        ],
    }
    unit = names.protocol.sheet_unit if names.protocol else "response"
    titles = {
        "hybrid": f"People and judge {hybrid.judge}" if hybrid else "",
        "scores": f"Scores: weighted errors per 100 rated {unit_words(names.unit, 2)}",
        "means": f"Means over {unit_words(unit, 2)}",
        "aggregation": "Sensitivity to aggregation",
    }
    sentences = {
        "weighted": list(weighted_sentences(report, names)),
        "hybrid": list(hybrid_sentences(report, names)),
        "sensitivity": [sensitivity_sentence(report, names)] if "sensitivity" in page["shown"] else [],
        "aggregation": [aggregation_sentence(report, names)],
    }
    table_notes = {key: table.note for key, table in page["shown"].items()}
    sensitivity = table_notes.get("sensitivity", "").removeprefix(sensitivity_sentence(report, names)).strip()
    section_notes = {
        "weighted": weighted_note(report, names),
        "hybrid": hybrid_how(report, names),
        "sensitivity": f"{sensitivity} {SENSITIVITY_NOTE}",
        "aggregation": f"{table_notes.get('aggregations', '')} {AGGREGATION_NOTE}",
    }
    for section in SECTIONS:
        tables = [table for table in by_section.get(section, ()) if table.shown_rows]
        section_links = links.get(section.anchor, [(section.anchor, section.title)])
        if shown_if.get(section.anchor, bool(tables)) and section_links:
            yield PageSection(
                section.anchor,
                titles.get(section.anchor, section.title),
                section.template,
                tables,
                section_links,
                section.drawing,
                CAPTIONS.get(section.drawing, ""),
                section.is_folded,
                [sentence for sentence in sentences.get(section.anchor, ()) if sentence],
                list(hybrid_warnings(report, names)) if section.anchor == "hybrid" else (),
                section_notes.get(section.anchor, ""),
            )


def _with_lines(table: Table, report: Report, names: Names, before: Report | None) -> Table:
    """Return the table of systems with what only a page has: ranks, other intervals, the change by the options."""
    cells = {str(cell.system or ""): cell for cell in (*report.systems, report.overall)}
    cells_before = {str(cell.system or ""): cell for cell in (*before.systems, before.overall)} if before else {}
    ranks = {(row.system, row.measure): row for row in report.ranks or ()} if len(report.systems) > 1 else {}
    rows = []
    for row in table.rows:
        system, values = row.where["system"], list(row.values)
        for n, column in enumerate(table.columns):
            value = values[n]
            if not column.key or not isinstance(value, Figure) or not value.n:
                continue
            measure = cells[system].measures[column.key]
            lines = []
            if measure.by_prompt is not None and measure.by_prompt.low is not None:
                bounds = measure.by_prompt
                lines.append(("", f"by prompt: {figure_format.interval(bounds.low, bounds.high)}"))
            rank = ranks.get((system, column.key))
            if rank is not None and rank.rank is not None:
                low, high = rank.low, rank.high
                interval = "" if low is None else f" [{low}]" if low == high else f" [{low} – {high}]"
                lines.append(("rank", f"rank {rank.rank}{interval}"))
            alone = wilson(measure.k, measure.n)
            lines.append(("independent", f"as if independent {figure_format.interval(alone.low, alone.high)}"))
            icc = f", ICC {figure_format.coefficient(measure.icc)}" if isinstance(measure.icc, float) else ""
            lines.append(("design", f"design effect {figure_format.design_effect(measure.deff)}{icc}"))
            if system in cells_before:
                was = cells_before[system].measures[column.key]
                change = measure.minus(was)
                if change is not None:
                    lines.append(("", f"was {figure_format.percent(was.value)} ({figure_format.points(change)})"))
            is_best = bool(system) and best_system(report, column.key, names.better(column.key)) == system
            values[n] = replace(value, lines=lines, is_best=is_best)
        rows.append(replace(row, values=values))
    return replace(table, rows=rows)


def interpretations(agreement: Mapping[str, Agreement], names: Names) -> list[tuple[str, str]]:
    """Return how to read the agreement: each sentence once, with its questions."""
    labels: dict[str, list[str]] = {}
    for key, question in agreement.items():
        if question.items:
            labels.setdefault(figure_format.interpretation(question), []).append(agreement_of(key, names))
    return [(", ".join(questions), text) for text, questions in labels.items()]


def _judge_section(report: Report, names: Names) -> JudgeSection | None:
    part = report.judge_against_people
    if part is None:
        return None
    parts, curve = shown_parts(part, names), reliability(part.calibration)
    said = list(judge_notes(report, names))
    return JudgeSection(part.judge, part.name, part.version, parts, curve, judge_use(part, names), said)


def reliability(calibration: JudgeCalibration | None) -> dict[str, SafeString]:
    """Return the reliability curve in both layouts; {} without a confidence."""
    if calibration is None or not calibration.n:
        return {}
    return {
        "wide": drawn_once((calibration, WIDE), lambda: reliability_figure(calibration, WIDE)),
        "narrow": drawn_once((calibration, NARROW), lambda: reliability_figure(calibration, NARROW)),
    }


def _quality_alerts(report: Report, names: Names) -> QualityAlerts | None:
    raters = [f"{row.rater} ({', '.join(row.flags)})" for row in report.raters or () if row.flags]
    if not raters:
        return None
    first = next(iter(report.overall.measures), "")
    exclusions = [(analysis_label(row, names), exclusion_phrase(row, first)) for row in exclusions_shown(report)]
    named = figure_format.listed(raters, "and")
    return QualityAlerts(len(raters), len(report.raters or ()), named, names.measure(first), exclusions)


def judge_versions(project: Project) -> list[str]:
    """Return the versions of judges that have rated items of the project, as NAME@N: NAME is always the newest."""
    return [judge.label for judge in judges_of(project)]
