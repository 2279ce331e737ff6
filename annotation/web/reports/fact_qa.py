"""The Fact-QA scores of judges on the report page, and of one judge on its own page."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from ...reporting.report import FactMeans, FactQAReport, HumanCorrelation, MeanEstimate, Report
from ...reporting.text.fact_qa import (
    FIGURES,
    GROUPS,
    correlation_note,
    fact_qa_note,
    fact_qa_sentence,
    group_name,
    not_scored,
)
from ...reporting.text.figure_format import NO_BREAK


@dataclass(frozen=True)
class MeansRow:
    """The means of a group, by the label of the figure."""

    name: str
    responses: int
    figures: Sequence[tuple[str, MeanEstimate]]


@dataclass(frozen=True)
class FactQASection:
    """The scores of one judge: tables by heading, the first of all responses and the systems; notes as text."""

    part: FactQAReport
    sentence: str
    not_scored: str
    tables: Sequence[tuple[str, Sequence[MeansRow]]]
    correlations: Sequence[tuple[str, HumanCorrelation]]
    note: str
    correlation_note: str


def fact_qa_sections(report: Report) -> list[FactQASection]:
    """Return the section of each judge in a report."""
    return [judge_section(part) for part in report.fact_qa or ()]


def judge_section(part: FactQAReport) -> FactQASection:
    """Return the section of one judge."""
    by_group = [(key, _(label), getattr(part, key)) for key, label in GROUPS.items()]
    tables = [(label, [_row(key, means) for means in groups]) for key, label, groups in by_group if groups]
    everything = _row("systems", part.overall)
    first = (tables[0][0], [*tables[0][1], everything]) if tables else (_("All responses"), [everything])
    return FactQASection(
        part=part,
        sentence=fact_qa_sentence(part),
        not_scored=not_scored(part),
        tables=[first, *tables[1:]],
        correlations=[(_(FIGURES[row.figure]), row) for row in part.correlations] if part.is_compared else [],
        note=fact_qa_note(part).replace(" %", f"{NO_BREAK}%"),
        correlation_note=correlation_note(),
    )


def _row(part: str, means: FactMeans) -> MeansRow:
    figures = [(_(label), getattr(means, key)) for key, label in FIGURES.items()]
    return MeansRow(group_name(part, means.value), means.responses, figures)
