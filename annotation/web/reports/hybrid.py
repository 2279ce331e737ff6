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
class SampleSection:
    """Estimates from a sample, all systems last, and a sentence for each measure; `note` says how, or why there are
    none. `warnings` are about the judge. `table` and `differences` are the names of the tables in files.
    """

    id: str
    table: str
    differences: str
    part: Hybrid | WeightedEstimates
    sentences: Sequence[str]
    cells: Sequence[HybridSystem | WeightedCell]
    note: str
    warnings: Sequence[str] = ()


def hybrid_section(report: Report, names: Names) -> SampleSection | None:
    """Return the section of people and judge, None where no judge was chosen."""
    hybrid = report.hybrid
    if hybrid is None:
        return None
    cells = [*hybrid.systems, hybrid.overall] if hybrid.overall else []
    warnings = list(hybrid_warnings(report, names))
    sentences, note = list(hybrid_sentences(report, names)), hybrid_how(report, names)
    return SampleSection("hybrid", "hybrid", "hybrid_comparisons", hybrid, sentences, cells, note, warnings)


def weighted_section(report: Report, names: Names) -> SampleSection | None:
    """Return the section of people alone, None where the probabilities of the sample are equal."""
    weighted = report.weighted_estimates
    if weighted is None:
        return None
    cells = [*weighted.systems, weighted.overall] if weighted.overall else []
    sentences, note = list(weighted_sentences(report, names)), weighted_note(report, names)
    return SampleSection("weighted", "weighted_estimates", "weighted_comparisons", weighted, sentences, cells, note)


def judge_versions(project: Project) -> list[str]:
    """Return the versions of judges that have rated items of the project, as NAME@N: NAME is always the newest."""
    return [judge.label for judge in judges_of(project)]
