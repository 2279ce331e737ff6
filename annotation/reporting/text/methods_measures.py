"""The Measures paragraph of the Methods: what each proportion, mean and score counts."""

from ...i18n.unit_names import unit_words
from ..report import Report
from .figure_format import listed
from .names import Names
from .scores import scores_note
from .unrated_measures import without_unrated_measures


def measures_text(report: Report, names: Names) -> str:
    """Return the paragraph."""
    sentences = [_measures(report, names), _pooled(report), _means(report, names), scores_note(report, names)]
    return " ".join(sentence for sentence in sentences if sentence)


def _measures(report: Report, names: Names) -> str:
    rated = without_unrated_measures(report)[0].overall.measures
    described = [m for m in names.protocol.measures if m.description and m.key in rated] if names.protocol else []
    measures = " ".join(f"{measure.label}: {_sentence(measure.description)}" for measure in described)
    return f"Proportions: {measures}" if described else ""


def _pooled(report: Report) -> str:
    """State how ratings are added up; "" without a measure."""
    if not report.overall.measures:
        return ""
    return "Every rating has the same weight in a proportion (pooled over raters, responses and prompts)."


def _means(report: Report, names: Names) -> str:
    """State which measures are means over responses, and every method that their intervals used."""
    if report.overall.means is None or names.protocol is None:
        return ""
    sentence = " ".join(f"{m.label}: {_sentence(m.description)}" for m in names.protocol.means if m.description)
    cells = [report.overall, *report.systems, *(cell for cells in report.by.values() for cell in cells)]
    used = {mean.method for cell in cells for mean in (cell.means or {}).values()}
    ways = {"bca": "BCa bootstrap", "t": "the linearized ratio with t"}
    intervals = listed([words for method, words in ways.items() if method in used], "or")
    means = f"Means over responses: {sentence}"
    how = "Intervals of means: %(intervals)s, with %(clusters)s as clusters."
    clusters = unit_words(report.method.cluster, 2)
    return f"{means} {how % {'intervals': intervals, 'clusters': clusters}}" if intervals else means


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."
