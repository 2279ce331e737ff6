"""What a lead fills in about training, qualification and hidden gold. Shares are typed in per cent."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from ...models import Project


class ChecksForm(forms.Form):
    """The thresholds of the gates. An empty rate adds no hidden gold; an empty share pauses no rater."""

    pass_mark = forms.IntegerField(
        label=gettext_lazy("Pass mark, in per cent"),
        min_value=1,
        max_value=100,
        help_text=gettext_lazy("The share of the qualification that must be right."),
    )
    tries = forms.IntegerField(
        label=gettext_lazy("Tries"), min_value=1, max_value=20, help_text=gettext_lazy("How often a rater may try it.")
    )
    gold_every = forms.IntegerField(
        label=gettext_lazy("One hidden gold in so many responses"),
        required=False,
        min_value=2,
        max_value=1000,
        help_text=gettext_lazy("20 makes one in twenty responses a hidden gold one. Empty: none are mixed in."),
    )
    least_gold = forms.IntegerField(
        label=gettext_lazy("Pause below, in per cent"),
        required=False,
        min_value=1,
        max_value=100,
        help_text=gettext_lazy("A rater with a smaller share of hidden gold right is paused. Empty: nobody is."),
    )
    fewest_gold = forms.IntegerField(
        label=gettext_lazy("Over at least so many answers"),
        min_value=1,
        max_value=1000,
        help_text=gettext_lazy("With fewer answers on hidden gold nobody is paused."),
    )
    shows_decisions = forms.BooleanField(
        label=gettext_lazy("Raters see how their answers were decided, and may agree or dispute once"),
        required=False,
        help_text=gettext_lazy(
            "They see their own answer, the decision and its reason; no names, and nobody else’s answers."
        ),
    )

    @classmethod
    def of(cls, project: Project, data: Any = None) -> "ChecksForm":
        """Return the form with the project's present rules."""
        values: dict[str, Any] = {name: getattr(project, name) for name in cls.base_fields}
        for name in ("pass_mark", "least_gold"):
            values[name] = round(100 * values[name]) if values[name] is not None else None
        return cls(data, initial=values)

    def values(self) -> dict[str, Any]:
        """Return the new values of the project's columns."""
        values = dict(self.cleaned_data)
        for name in ("pass_mark", "least_gold"):
            values[name] = values[name] / 100 if values[name] is not None else None
        return values
