"""The form of a reservation: which responses, and for whom."""

import json
from typing import Any

from django import forms
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ...models import Project, User
from ...queue.reservations import Selection, selection_choices
from ..accounts.fields import People, choose_from, raters_of


def _choices(form: forms.Form, name: str) -> forms.ChoiceField:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    return field


WAYS = [
    ("random", gettext_lazy("A number of them at random")),
    ("system", gettext_lazy("Those of one system")),
    ("metadata", gettext_lazy("Those to prompts of one kind")),
    ("document", gettext_lazy("Those about one document")),
]


class PartForm(forms.Form):
    """Which responses are reserved, and for whom."""

    raters = People(User.objects.none(), widget=forms.CheckboxSelectMultiple, label=gettext_lazy("For"))
    by = forms.ChoiceField(
        label=gettext_lazy("Which responses"),
        choices=WAYS,
        initial="random",
        widget=forms.RadioSelect,
    )
    n = forms.IntegerField(label=gettext_lazy("How many"), min_value=1, max_value=10_000_000, required=False)
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        min_value=0,
        max_value=2**31 - 1,
        initial=1,
        required=False,
        help_text=gettext_lazy("The same seed draws the same responses."),
    )
    system = forms.ChoiceField(label=gettext_lazy("System"), required=False)
    kind = forms.ChoiceField(label=gettext_lazy("Kind of prompt"), required=False)
    document = forms.ChoiceField(label=gettext_lazy("Document"), required=False)

    def __init__(self, project: Project, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        choices = selection_choices(project)
        choose_from(self, "raters", raters_of(project))
        named = {
            "system": [(name, f"{name} ({intcomma(n)})") for name, n in choices.systems],
            "kind": [
                (json.dumps([key, value]), f"{key}: {value} ({intcomma(n)})") for key, value, n in choices.metadata
            ],
            "document": [(key, f"{_short(title or key)} ({intcomma(n)})") for key, title, n in choices.documents],
        }
        for name, options in named.items():
            _choices(self, name).choices = [("", _("Choose")), *options]
        possible = {"system": named["system"], "metadata": named["kind"], "document": named["document"]}
        by = _choices(self, "by")
        by.choices = [(name, words) for name, words in WAYS if possible.get(name, True)]

    def clean(self) -> dict[str, Any]:
        """Require the field that the selected way needs."""
        cleaned = super().clean() or {}
        needed = {"random": "n", "system": "system", "metadata": "kind", "document": "document"}.get(
            cleaned.get("by", "")
        )
        if needed and not cleaned.get(needed) and needed not in self.errors:
            self.add_error(needed, _("Say how many.") if needed == "n" else _("Choose one."))
        return cleaned

    def selection(self) -> Selection:
        """Return the selection of a valid form."""
        cleaned = self.cleaned_data
        if cleaned["by"] == "random":
            return Selection("random", n=cleaned["n"], seed=1 if cleaned["seed"] is None else cleaned["seed"])
        if cleaned["by"] == "metadata":
            key, value = json.loads(cleaned["kind"])
            return Selection("metadata", value, key=key)
        return Selection(cleaned["by"], cleaned[cleaned["by"]])


def _short(title: str) -> str:
    return f"{title[:79]}…" if len(title) > 80 else title
