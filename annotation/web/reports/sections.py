"""The content of the report page. A live and a frozen report look the same; parts that a report of an earlier version
lacks are left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from ...i18n.unit_names import counted, unit_words
from ...models import Project
from ...reporting.data.judge_answers import judges_of
from ...reporting.drawings.drawing import NARROW, WIDE
from ...reporting.drawings.reliability import reliability_figure
from ...reporting.methods.paragraphs import Methods, Paragraph, methods_of
from ...reporting.methods.references import bibtex
from ...reporting.provenance_record import Provenance
from ...reporting.report import Report
from ...reporting.sections.aggregations.tables import sentence as aggregation_sentence
from ...reporting.sections.agreement.figures import Agreement
from ...reporting.sections.all_sections import SECTIONS, Section
from ...reporting.sections.all_tables import for_people, tables_by_section
from ...reporting.sections.crossed_models import text as crossed_models
from ...reporting.sections.crossed_models.tables import ODDS_NOTE
from ...reporting.sections.differences.significance import best_system, nothing_in_common
from ...reporting.sections.differences.text import not_significant_over_family, order_of_systems, two_tests
from ...reporting.sections.fact_qa.tables import fact_qa_sentence
from ...reporting.sections.hybrid.tables import (
    hybrid_how,
    hybrid_sentences,
    hybrid_warnings,
    weighted_note,
    weighted_sentences,
)
from ...reporting.sections.judge.figures import JudgeCalibration
from ...reporting.sections.judge.tables import shown_parts
from ...reporting.sections.judge.text import judge_notes, judge_use
from ...reporting.sections.raters.figures import leniency_measure
from ...reporting.sections.sensitivity.tables import (
    analysis_label,
    exclusion_phrase,
    exclusions_shown,
    sensitivity_sentence,
)
from ...reporting.tables import Figure, Table
from ...reporting.text import figure_format, notes, provenance
from ...reporting.text.missing_figures import missing_note
from ...reporting.text.names import Names, agreement_of
from ...reporting.text.provenance import adjudications
from ...stats.intervals import wilson
from ..page_figures import drawn_once
from .breakdowns import PageSection, ReportView, breakdown_sections, map_view

MANY_RATERS = 20  # with more, their table is on request
CAPTIONS = {
    "answers": "Segments follow the legend. Below the bars: each share with its 95 % interval, where it has one, on "
    "the same axis.",
    "differences": "Differences with 95 % intervals, each for one pair alone. A filled point is a significant "
    "difference (p < .05 after Holm, adjusted for the pairs of a measure); a hollow point is not, even where the "
    "interval excludes 0.",
    "sensitivity": "Each measure under alternative analyses, with 95 % intervals.",
}
"""What stands below the figure of a section."""
NOTHING_IN_COMMON = "No two systems have assessed ratings for the same prompt, so they cannot be compared in pairs."
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


def report_page(
    report: Report,
    names: Names,
    view: ReportView,
    before: Report | None = None,
    record: Provenance | None = None,
    project: Project | None = None,
) -> dict[str, Any]:
    """Return the names that the templates of the page use. `before` is the report without the active options, `record`
    the provenance record of a frozen one; the page leads to other pages of the `project`, if there is one.
    """
    tables = list(tables_by_section(report, names, record))
    shown = {table.key: table for _, table in tables}
    # Without single ratings there are no Methods. No line begins with a % sign.
    paragraphs = methods_of(report, names, record).paragraphs if report.data.items is not None else []
    methods = Methods(
        [Paragraph(each.title, each.text.replace(" %", f"{figure_format.NO_BREAK}%")) for each in paragraphs]
    )
    full, (report, _) = report, for_people(report, names)
    adjudicated, first_measure = adjudications(report), next(iter(report.overall.measures), "")
    flagged = [f"{row.rater} ({', '.join(row.flags)})" for row in report.raters or () if row.flags]
    is_unequal = bool(notes.unequal_sample_note(report))
    page = {
        "names": names,
        "unit": names.unit,
        "shown": shown,
        "data": report.data,
        "data_before": before.data if before else None,
        "raters_ratings": report.data.ratings - adjudicated,
        "adjudicated": adjudicated,
        "method": report.method,
        "filters": provenance.choices_in_words(report.filters, report.chosen_cluster, names.unit),
        "left_out": provenance.left_out_in_words(report.data.left_out),
        "warnings": _texts(
            notes.sample_note(report, names.unit) if is_unequal else "", notes.unread_warning(report, names)
        ),
        "any_best": any(best_system(report, key, names.better(key)) for key in report.overall.measures),
        "any_ranks": len(report.systems) > 1 and any(row.low is not None for row in report.ranks or ()),
        "map_view": map_view(report, view),
        "raters": report.raters,
        "flagged": flagged,
        "flagged_raters": figure_format.listed(flagged, "and"),
        "shifts_of": names.measure(first_measure),
        "shifts": [
            (analysis_label(row, names), exclusion_phrase(row, first_measure)) for row in exclusions_shown(report)
        ],
        "methods": methods,
        "bibtex": bibtex(methods.references),
    }
    if judge := report.judge_against_people:
        page |= {"judge_parts": shown_parts(judge, names), "reliability": reliability(judge.calibration)}
    sections = _sections(page, tables, full, names, view, before, record, project)
    return {**page, "sections": list(sections)}


def _texts(*texts: str) -> list[str]:
    return [text for text in texts if text]


def _sections(
    page: dict[str, Any],
    tables: Sequence[tuple[Section | None, Table]],
    full: Report,
    names: Names,
    view: ReportView,
    before: Report | None,
    record: Provenance | None,
    project: Project | None,
) -> Iterator[PageSection]:
    """Yield the sections that have something to show, with what is said around their tables."""
    report, unrated = for_people(full, names)
    shown, unit = page["shown"], names.unit

    def more(words: str, name: str, *args: str | int) -> list[tuple[str, str]]:
        return [(reverse(name, args=[project.slug, *args]), words)] if project else []

    for section in SECTIONS:
        of_section = [
            table
            for section_of_table, table in tables
            if section_of_table is section and table.shown_rows and not table.on_request
        ]
        without_notes = [replace(table, note="") for table in of_section]
        of_page = PageSection(
            section.anchor, section.heading or section.title, section.title,
            tables=[] if section.is_folded else of_section, folded=of_section if section.is_folded else [],
            drawing=section.drawing, caption=CAPTIONS.get(section.anchor, ""),
        )  # fmt: skip
        change = partial(replace, of_page)
        match section.anchor:
            case "proportions" if of_section:
                of_page = _proportions(of_page, shown["systems"], report, names, unrated, before, record)
            case "weighted" if report.weighted_estimates:
                sentences = list(weighted_sentences(report, names))
                of_page = change(tables=without_notes, sentences=sentences, notes=_texts(weighted_note(report, names)))
            case "hybrid" if report.hybrid:
                of_page = change(
                    title=f"People and judge {report.hybrid.judge}",
                    tables=without_notes,
                    warnings=list(hybrid_warnings(report, names)),
                    sentences=list(hybrid_sentences(report, names)),
                    notes=_texts(hybrid_how(report, names)),
                )
            case "fact-qa" if report.fact_qa:
                addresses = (
                    more(f"Facts of each response, by judge {part.judge}", "fact_qa", part.name, part.version)
                    for part in report.fact_qa
                )
                of_page = change(
                    sentences=list(map(fact_qa_sentence, report.fact_qa)),
                    more=[each for of_judge in addresses for each in of_judge],
                )
            case "judge" if judge := report.judge_against_people:
                of_page = change(
                    title=f"Judge {judge.judge} against people",
                    sentences=judge_use(judge, names),
                    notes=list(judge_notes(report, names)),
                    more=more("Compare the judge with people", "judge_comparison", judge.name, judge.version),
                )
            case "metrics":
                of_page = change(more=more("All figures of automatic metrics", "project_metrics"))
            case "differences" if nothing_in_common(full):
                of_page = change(folded=[], drawing="", sentences=[NOTHING_IN_COMMON])
            case "scores":
                of_page = change(title=f"Scores: weighted errors per 100 rated {unit_words(unit, 2)}")
            case "means":
                sheet_unit = names.protocol.sheet_unit if names.protocol else "response"
                of_page = change(title=f"Means over {unit_words(sheet_unit, 2)}")
            case "answers" if of_section:
                left_out = figure_format.listed(names.left_out(), "or")
                intro = f"{names.first_question} Shares of all ratings{f', “{left_out}” included' if left_out else ''}."
                pairs = "A is the system named first in a row, whichever side raters saw it on."
                others = "Answers excluded from the proportions are included." if len(of_section) > 1 else ""
                of_page = change(intro=_texts(intro, pairs if unit == "pair" else ""), notes=_texts(others))
            case "design":  # shown among the proportions
                continue
            case "by":
                yield from breakdown_sections(report, names, shown, view)
                continue
            case "sensitivity" if of_section:
                sentence = sensitivity_sentence(report, names)
                note = f"{shown['sensitivity'].note.removeprefix(sentence).strip()} {SENSITIVITY_NOTE}"
                of_page = change(folded=[replace(shown["sensitivity"], note=note)], sentences=_texts(sentence))
            case "aggregation" if of_section:
                of_page = change(
                    folded=[replace(each, note=f"{each.note} {AGGREGATION_NOTE}") for each in of_section],
                    sentences=_texts(aggregation_sentence(report, names)),
                )
            case "crossed" if report.crossed_models:
                # In files the note of the odds ratios has what stands above and below the tables here.
                note = f"{ODDS_NOTE} {missing_note('odds_ratios', report, names)}"
                of_page = change(
                    tables=[
                        replace(each, note=note) if each.key == "odds_ratios" else each
                        for each in of_section
                        if each.key != "variance_components"
                    ],
                    folded=[each for each in of_section if each.key == "variance_components"],
                    fold="Variance components",
                    intro=_texts(crossed_models.question(report, names), two_tests(report, names, names.measure)),
                    notes=[
                        *crossed_models.notes(report, names),
                        "The models are fitted to the raters’ own answers, adjudicated or not.",
                    ],
                )
            case "agree":
                readings = interpretations(report.agreement, names)
                of_page = change(
                    tables=[table for table in of_section if table.key == "agreement"],
                    notes=[format_html("<b>{}:</b> {}", questions, text) for questions, text in readings],
                    more=more("More, of all ratings" if page["filters"] else "More", "agreement"),
                )
            case "raters" if report.raters:
                answer = names.measure(leniency_measure(names.protocol).key) if names.protocol else "accurate"
                is_long = len(report.raters) > MANY_RATERS
                of_page = change(
                    tables=[] if is_long else of_section,
                    folded=of_section if is_long else [],
                    fold=f"All {figure_format.count(len(report.raters))} raters",
                    notes=[f"Leniency is about the answer “{answer.lower()}”. Zero means typical, not correct."],
                    more=more("More", "raters"),
                )
        if any((of_page.tables, of_page.folded, of_page.sentences, of_page.warnings, of_page.notes)):
            yield of_page
        if section.anchor == "raters" and report.disagreements:
            yield PageSection(
                "disputed", "Largest disagreements", "Disagreements", folded=[shown["disagreements"]],
                more=more("Review all", "review"),
            )  # fmt: skip


def _proportions(
    section: PageSection,
    table: Table,
    report: Report,
    names: Names,
    unrated: Sequence[str],
    before: Report | None,
    record: Provenance | None,
) -> PageSection:
    data, cluster, clusters = report.data, report.method.cluster, unit_words(report.method.cluster, 2)
    figures = [cell.measures for cell in (*report.systems, report.overall)]
    is_few = figure_format.methods_used(figures) == {"none"}
    few = (
        f"Fewer than 10 {clusters} have been rated: too few for an interval at its nominal level, so only counts are "
        "shown."
    )
    units = (
        f"{clusters.capitalize()}, not ratings, are the sampling unit: ratings of "
        f"{'prompts about one document' if cluster == 'document' else 'one prompt'} are correlated, so intervals for "
        "independent ratings would be too narrow."
    )
    ways = figure_format.listed(names.left_out(), "or") or "not assessed"
    counts = [
        few if is_few else notes.interval_note(figures, cluster),
        f"Excluded: {counted(report.overall.left_out, 'rating')} “{ways}”." if report.overall.left_out else "",
        f"Ratings not counted: {provenance.left_out_in_words(data.left_out)}." if data.left_out else "",
    ]
    orders = _texts(
        *(
            order_of_systems([row for row in report.comparisons if row.measure == key], names.measure(key))
            for key in report.overall.measures
        )
    )
    unrated_measures = figure_format.listed([names.measure(key) for key in unrated], "and")
    return replace(
        section,
        title="Proportions of ratings",
        template="reports/_proportions.html",
        tables=[_with_lines(replace(table, note=""), report, names, before)],
        sentences=_texts(*orders[:3], not_significant_over_family(record, report, names) if orders else ""),
        notes=_texts(
            " ".join(_texts(*counts)),
            "" if notes.unequal_sample_note(report) else notes.sample_note(report, names.unit),
            provenance.excluded_note(report, names.unit),
            *notes.cautions(report, names),
            notes.pairs_note(report, names),
        ),
        details=_texts(
            *orders[3:],
            notes.skipped_note(report, names.unit),
            notes.verdicts_note(report),
            f"No column, because no rating is assessed: {unrated_measures}." if unrated else "",
            "" if is_few else f"{units} {notes.raters_note(report)}",
            notes.documents_note(report),
        ),
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


def reliability(calibration: JudgeCalibration | None) -> dict[str, SafeString]:
    """Return the reliability curve in both layouts; {} without a confidence."""
    if calibration is None or not calibration.n:
        return {}
    return {
        "wide": drawn_once((calibration, WIDE), lambda: reliability_figure(calibration, WIDE)),
        "narrow": drawn_once((calibration, NARROW), lambda: reliability_figure(calibration, NARROW)),
    }


def judge_versions(project: Project) -> list[str]:
    """Return the versions of judges that have rated items of the project, as NAME@N: NAME is always the newest."""
    return [judge.label for judge in judges_of(project)]
