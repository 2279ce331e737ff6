"""Sentences about automatic metrics beside people: the note below their tables, and the Methods."""

from ....metrics.text_metrics import COMPUTED, source_of
from ...report import Report
from ...text.figure_format import count, listed
from .figures import MetricsAgainstPeople


def metrics_note(part: MetricsAgainstPeople) -> str:
    """State what the figures are."""
    if part.predictions:
        return (
            "The share of people’s preferences for the response with the higher value; far below 50 %, people prefer "
            f"lower values. {count(part.ties)} ties are excluded, and so are preferences for which the metric is "
            "undecided: it has equal values, or none."
        )
    note = (
        "Rank correlations of a metric with people’s figures, response by response, and of the means of systems over "
        "the same responses."
    )
    has_intervals = any(row.spearman.low is not None for row in part.correlations)
    return note if has_intervals else f"{note} Frozen reports have their intervals."


def metrics_methods(report: Report) -> str:
    """Return the sentences of the Methods; "" without scores."""
    part = report.metrics
    if part is None:
        return ""
    computed = [name for name in part.metrics if source_of(name) == COMPUTED]
    imported = [name for name in part.metrics if source_of(name) != COMPUTED]
    sources = [
        f"computed from the texts: {listed(computed, 'and')}" if computed else "",
        f"imported: {listed(imported, 'and')}" if imported else "",
    ]
    metrics = "; ".join(filter(None, sources))
    return f"Automatic metrics of the responses are held against the ratings ({metrics}). {metrics_note(part)}"
