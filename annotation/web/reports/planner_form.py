"""The forms of the planner: the parameters of a plan, and people with a judge."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from ...reporting.choices import DOCUMENT, PROMPT
from ...reporting.planner import MOST
from ...reporting.planning.figures import BOUNDS

PERCENTAGES = ("half_width", "share", "left_out", "difference", "power")
"""Percentages in the form, shares in the computation."""


def _number(figure: str, label: str, help_text: str, *, is_required: bool = True) -> forms.Field:
    widget = forms.NumberInput(attrs={"step": "any", "inputmode": "decimal"})
    ends = (round(100 * end, 6) if figure in PERCENTAGES else end for end in BOUNDS[figure])
    low, high = (int(end) if end == int(end) else end for end in ends)  # 50 and not 50.0 in messages
    return forms.FloatField(
        label=label, help_text=help_text, min_value=low, max_value=high, widget=widget, required=is_required
    )


def _whole_number(figure: str, label: str, help_text: str) -> forms.Field:
    low, high = map(int, BOUNDS[figure])
    return forms.IntegerField(label=label, help_text=help_text, min_value=low, max_value=high)


class PlanForm(forms.Form):
    """The parameters of a plan, in percent and percentage points."""

    half_width = _number("half_width", "Target margin of error (95 %)", "± percentage points")
    share = _number("share", "Expected proportion, %", "50 gives the widest interval")
    difference = _number("difference", "Difference to detect", "percentage points between two systems")
    power = _number("power", "Power, %", "at alpha .05, two-sided")
    pairs = _whole_number("pairs", "Pairs compared", "alpha is divided by this number, as in Holm’s first step")
    unit = forms.ChoiceField(
        label="Sampling unit",
        help_text="the unit of a new sample",
        choices=[(PROMPT, "Prompts"), (DOCUMENT, "Documents")],
    )
    prompts = _whole_number("prompts", "Available prompts", "to compare designs")
    prompts_per_document = _number("prompts_per_document", "Prompts per document", "used if documents are the unit")
    document_variation = _number("document_variation", "CV² of prompts per document", "0 if all have the same number")
    unit_variation = _number(
        "unit_variation",
        "CV² of ratings per document",
        "of one system; leave empty to assume that lengths do not depend on the document",
        is_required=False,
    )
    sentences = _number("sentences", "Sentences per response", "of those that are rated")
    variation = _number("variation", "CV² of ratings per response", "(standard deviation / mean)²; 0 if equal")
    left_out = _number("left_out", "Excluded, %", "such as “can’t assess”")
    overlap = _number("overlap", "Raters per sentence", "the mean overlap")
    systems = _whole_number("systems", "Systems", "the margin is of each system’s own proportion")
    raters = _whole_number("raters", "Available raters", "who share the work")
    seconds = _number("seconds", "Seconds per rating", "the median so far")
    icc_document = _number("icc_document", "Within document", "two ratings of different prompts about one document")
    icc = _number("icc", "Within response", "two ratings of different sentences of one response")
    icc_sentence = _number("icc_sentence", "Between raters of a sentence", "two raters’ ratings of one sentence")
    icc_rater = _number("icc_rater", "Within rater", "one rater’s ratings of different units")
    correlation = _number(
        "correlation",
        "Correlation of two systems",
        "of their results on the same units; 0 is the conservative value",
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
