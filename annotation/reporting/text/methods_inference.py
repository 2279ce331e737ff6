"""The Inference paragraph of the Methods: sampling unit, intervals, tests, and what was resampled."""

from ..report import Report
from .methods_comparisons import comparisons_text
from .methods_intervals import intervals_text, resampled_text, sampling_unit


def inference_text(report: Report) -> str:
    """Return the paragraph."""
    sentences = [sampling_unit(report), intervals_text(report), comparisons_text(report), resampled_text(report)]
    return " ".join(sentence for sentence in sentences if sentence)
