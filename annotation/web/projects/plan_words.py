"""The problems of an analysis plan as its form says them: of fields with labels, not of names in a file."""

from collections.abc import Mapping

from ...i18n.english import localized
from ...i18n.protocol_translation import translate_text
from ...protocols.messages import TranslatableText

_IN_FORM: Mapping[str, str] = {
    "'measures' of %(table)s is empty; name one or more": "Select at least one measure.",
    "%(table)s needs '%(key)s', %(what)s": "Select at least one measure.",
    "'%(key)s' of %(table)s must be %(what)s from %(low)s to %(high)s": "Enter %(what)s from %(low)s to %(high)s.",
    "'%(key)s' of %(table)s has %(length)s characters; the limit is %(most)s": (
        "This has %(length)s characters; the limit is %(most)s."
    ),
    "'target' of %(table)s is the half-width of a proportion, but no planned measure is one; "
    "remove it, or name one of: %(proportions)s": (
        "A target is for proportions, and no planned measure is one. Clear it, or select one of: %(proportions)s."
    ),
}
"""Messages of `protocols.analysis_plan` -> what the form says instead; it shows other messages as they are."""


def problem_in_words(message: str, *, percent: bool) -> str:
    """Return a problem in the reader's language. `percent`: the field shows its share times 100."""
    if not isinstance(message, TranslatableText) or message.template not in _IN_FORM:
        return translate_text(message)
    values = {
        name: translate_text(value) if isinstance(value, str) else value for name, value in message.values.items()
    }
    if "low" in values:
        scale = 100 if percent else 1
        values |= {name: localized(f"{scale * float(values[name]):.10g}") for name in ("low", "high")}
    return (_IN_FORM[message.template]) % values
