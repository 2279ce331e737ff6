"""The topics of an analysis plan and their values in words, for the Methods and the page of a report."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ...i18n.numbers import localized
from ...i18n.unit_names import unit_words
from ...protocols.analysis_plan import AUTO
from .names import Names

TOPICS = {
    "measures": gettext_noop("Measures"),
    "unit": gettext_noop("Sampling unit"),
    "comparisons": gettext_noop("Comparisons"),
    "seed": gettext_noop("Seed"),
    "resamples": gettext_noop("Resamples"),
    "answers": gettext_noop("Answers"),
    "least_gold": gettext_noop("Accuracy on gold, at least"),
    "least_seconds": gettext_noop("Seconds on a rating, at least"),
    "without_raters": gettext_noop("Raters excluded"),
    "systems": gettext_noop("Only systems"),
    "metadata": gettext_noop("Only prompts"),
    "target": gettext_noop("Half-width of the intervals, at most"),
}


def topic_name(topic: str) -> str:
    """Return the name of a topic: least_gold -> Accuracy on gold, at least."""
    return _(TOPICS[topic]) if topic in TOPICS else topic


def values_in_words(topic: str, values: Sequence[str], names: Names) -> str:
    """Return the values of a topic in words; `none` without one."""
    if not values:
        return _("none")
    if topic == "measures":
        return ", ".join(names.measure(value) for value in values)
    if topic == "unit":
        return ", ".join(_("by the rule") if value == AUTO else unit_words(value, 2) for value in values)
    if topic == "least_gold":
        return ", ".join(localized(f"{100 * float(value):.3g} %") for value in values)
    if topic == "target":
        return ", ".join(_("%(n)s points") % {"n": localized(f"{100 * float(value):.3g}")} for value in values)
    return ", ".join(values)
