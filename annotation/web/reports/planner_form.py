"""The forms of the planner: the parameters of a plan, and people with a judge."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from ...reporting.choices import DOCUMENT, PROMPT
from ...reporting.planner import MOST

PERCENTAGES = ("half_width", "share", "left_out", "difference", "power")
"""Percentages in the form, shares in the computation."""


def _number(label: str, help_text: str, low: float, high: float, *, is_required: bool = True) -> forms.Field:
    widget = forms.NumberInput(attrs={"step": "any", "inputmode": "decimal"})
    return forms.FloatField(
        label=label, help_text=help_text, min_value=low, max_value=high, widget=widget, required=is_required
    )


def _whole_number(label: str, help_text: str, high: int) -> forms.Field:
    return forms.IntegerField(label=label, help_text=help_text, min_value=1, max_value=high)


class PlanForm(forms.Form):
    """The parameters of a plan, in percent and percentage points."""

    half_width = _number("Target margin of error (95 %)", "± percentage points", 0.1, 50)
    share = _number("Expected proportion, %", "50 gives the widest interval", 1, 99)
    difference = _number("Difference to detect", "percentage points between two systems", 0.1, 99)
    power = _number("Power, %", "at alpha .05, two-sided", 50, 99.9)
    pairs = _whole_number("Pairs compared", "alpha is divided by this number, as in Holm’s first step", 100_000)
    unit = forms.ChoiceField(
        label="Sampling unit",
        help_text="the unit of a new sample",
        choices=[(PROMPT, "Prompts"), (DOCUMENT, "Documents")],
    )
    prompts = _whole_number("Available prompts", "to compare designs", 10_000_000)
    prompts_per_document = _number("Prompts per document", "used if documents are the unit", 1, 10_000)
    document_variation = _number("CV² of prompts per document", "0 if all have the same number", 0, 1_000)
    unit_variation = _number(
        "CV² of ratings per document",
        "of one system; leave empty to assume that lengths do not depend on the document",
        0,
        1_000,
        is_required=False,
    )
    sentences = _number("Sentences per response", "of those that are rated", 0.1, 10_000)
    variation = _number("CV² of ratings per response", "(standard deviation / mean)²; 0 if equal", 0, 1_000)
    left_out = _number("Excluded, %", "such as “can’t assess”", 0, 99)
    overlap = _number("Raters per sentence", "the mean overlap", 1, 1_000)
    systems = _whole_number("Systems", "the margin is of each system’s own proportion", 1_000)
    raters = _whole_number("Available raters", "who share the work", 10_000)
    seconds = _number("Seconds per rating", "the median so far", 0.1, 36_000)
    icc_document = _number("Within document", "two ratings of different prompts about one document", 0, 1)
    icc = _number("Within response", "two ratings of different sentences of one response", 0, 1)
    icc_sentence = _number("Between raters of a sentence", "two raters’ ratings of one sentence", 0, 1)
    icc_rater = _number("Within rater", "one rater’s ratings of different units", 0, 1)
    correlation = _number(
        "Correlation of two systems", "of their results on the same units; 0 is the conservative value", -1, 1
    )

    GROUPS = {
        "Precision": ("half_width", "share"),
        "Difference between two systems": ("difference", "power", "pairs", "correlation"),
        "Prompts and documents": ("unit", "prompts", "prompts_per_document", "document_variation", "unit_variation"),
        "Responses and raters": ("sentences", "variation", "left_out", "overlap", "systems", "raters", "seconds"),
        "Intraclass correlation": ("icc_document", "icc", "icc_sentence", "icc_rater"),
    }

    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        return [(title, [self[name] for name in names]) for title, names in self.GROUPS.items()]

    def clean(self) -> dict[str, Any]:
        """Check that the second system's proportion is one."""
        values = super().clean() or self.cleaned_data
        share, difference = values.get("share"), values.get("difference")
        if share is not None and difference is not None and difference >= max(share, 100 - share):
            self.add_error("difference", "No proportion differs by so much from the expected one.")
        return values

    def figures(self) -> dict[str, float]:
        """Return the numbers of a valid form, percentages as shares; without a field that was left empty."""
        numbers = {name: value for name, value in self.cleaned_data.items() if name != "unit" and value is not None}
        return {name: value / 100 if name in PERCENTAGES else value for name, value in numbers.items()}


class JudgePlanForm(forms.Form):
    """The judge, the further ratings, and one system or all."""

    more = forms.IntegerField(
        label="Further ratings of people",
        min_value=1,
        max_value=MOST,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )

    def __init__(self, values: Mapping[str, str], judges: Sequence[str], systems: Sequence[str], system_head: str):
        super().__init__(values)
        self.fields["judge"] = forms.ChoiceField(label="Judge", choices=[(name, name) for name in judges])
        choices = [("", "All systems together"), *((name, name) for name in systems)]
        self.fields["about"] = forms.ChoiceField(label=system_head, required=False, choices=choices)
        self.order_fields(["judge", "more", "about"])
