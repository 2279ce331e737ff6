"""The topics of an analysis plan and their values in words, for the Methods and the page of a report."""

from collections.abc import Sequence

from ...i18n.numbers import localized
from ...i18n.unit_names import unit_words
from ...protocols.analysis_plan import AUTO
from .names import Names

TOPICS = {
    "measures": "Measures",
    "unit": "Sampling unit",
    "comparisons": "Comparisons",
    "seed": "Seed",
    "resamples": "Resamples",
    "answers": "Answers",
    "least_gold": "Accuracy on gold, at least",
    "least_seconds": "Seconds on a rating, at least",
    "without_raters": "Raters excluded",
    "systems": "Only systems",
    "metadata": "Only prompts",
    "target": "Half-width of the intervals, at most",
}


def topic_name(topic: str) -> str:
    """Return the name of a topic: least_gold -> Accuracy on gold, at least."""
    return TOPICS[topic] if topic in TOPICS else topic


def values_in_words(topic: str, values: Sequence[str], names: Names) -> str:
    """Return the values of a topic in words; `none` without one."""
    if not values:
        return "none"
    if topic == "measures":
        return ", ".join(names.measure(value) for value in values)
    if topic == "unit":
        return ", ".join("by the rule" if value == AUTO else unit_words(value, 2) for value in values)
    if topic == "least_gold":
        return ", ".join(localized(f"{100 * float(value):.3g} %") for value in values)
    if topic == "target":
        return ", ".join(f"{localized(f'{100 * float(value):.3g}')} points" for value in values)
    return ", ".join(values)
