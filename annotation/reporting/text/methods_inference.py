"""The Inference paragraph of the Methods: sampling unit, intervals, tests, and what was resampled."""

from ..provenance_record import Provenance
from ..report import Report
from .fact_qa import fact_qa_methods
from .hybrid import hybrid_methods
from .judge_summary import judge_methods
from .methods_comparisons import comparisons_text
from .methods_intervals import intervals_text, prompt_intervals_text, resampled_text, sampling_unit
from .methods_planning import planning_sentences
from .metrics import metrics_methods
from .names import Names
from .weighted_estimates import weighted_methods


def inference_text(report: Report, names: Names, record: Provenance | None = None) -> str:
    """Return the paragraph."""
    sentences = [
        sampling_unit(report),
        intervals_text(report),
        comparisons_text(report, record),
        prompt_intervals_text(report),
        resampled_text(report),
        weighted_methods(report, names),
        hybrid_methods(report, names),
        fact_qa_methods(report),
        judge_methods(report, names),
        metrics_methods(report),
        *(planning_sentences(report, record, names) if record else ()),
    ]
    return " ".join(sentence for sentence in sentences if sentence)
