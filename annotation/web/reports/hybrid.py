"""Estimates from people and a judge, and weighted ones of people alone, on the report page; the judges to select."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...models import Project
from ...reporting.data.verdicts import judges_of
from ...reporting.report import Hybrid, HybridSystem, Report, WeightedCell, WeightedEstimates
from ...reporting.text.hybrid import hybrid_how, hybrid_sentences
from ...reporting.text.judge_warnings import hybrid_warnings
from ...reporting.text.names import Names
from ...reporting.text.weighted_estimates import weighted_note, weighted_sentences


@dataclass(frozen=True)
class HybridSection:
    """The estimates of all systems and a sentence for each measure, none without estimates; `note` says why."""

    part: Hybrid
    sentences: Sequence[str]
    cells: Sequence[HybridSystem]
    note: str
    warnings: Sequence[str]


def hybrid_section(report: Report, names: Names) -> HybridSection | None:
    """Return the section of a report, None where no judge was chosen."""
    hybrid = report.hybrid
    if hybrid is None:
        return None
    cells = [*hybrid.systems, hybrid.overall] if hybrid.overall else []
    return HybridSection(
        part=hybrid,
        sentences=list(hybrid_sentences(report, names)),
        cells=cells,
        note=hybrid_how(report, names),
        warnings=list(hybrid_warnings(report, names)),
    )


@dataclass(frozen=True)
class WeightedSection:
    """The weighted estimates, all systems last, and a sentence for each measure; `note` says how, or why there are
    none.
    """

    part: WeightedEstimates
    sentences: Sequence[str]
    cells: Sequence[WeightedCell]
    note: str


def weighted_section(report: Report, names: Names) -> WeightedSection | None:
    """Return the section of a report, None where the probabilities of its sample are equal."""
    weighted = report.weighted_estimates
    if weighted is None:
        return None
    cells = [*weighted.systems, weighted.overall] if weighted.overall else []
    return WeightedSection(weighted, list(weighted_sentences(report, names)), cells, weighted_note(report, names))


def judge_versions(project: Project) -> list[str]:
    """Return the versions of judges that have rated items of the project, as NAME@N: NAME is always the newest."""
    return [judge.label for judge in judges_of(project)]
