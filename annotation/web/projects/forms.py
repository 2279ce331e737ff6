"""Forms of several pages about projects: settings, as they are declared, and the confirmation of a deletion."""

from collections.abc import Iterable
from typing import Any, cast

from django import forms
from django.db import models

from ...models import Project
from ...projects.project_settings import Setting
from ..accounts.fields import NAME_ATTRIBUTES, sentence


def _percent(share: float) -> float:
    """Return the share times 100, without digits that come from the binary number; a whole one as an integer."""
    percent = float(f"{100 * share:g}")
    return int(percent) if percent.is_integer() else percent


def setting_field(setting: Setting, **options: Any) -> forms.Field:
    """Return the field of a setting in a form, with its label, help and bounds; a share is in percent."""
    named: dict[str, Any] = {"label": setting.label, "help_text": setting.help}
    if setting.bounds:
        low, high = setting.bounds
        attributes = {"class": "short"}
        if setting.in_percent:
            low, high = _percent(low), _percent(high)
            attributes["inputmode"] = "decimal"
        named |= {"min_value": low, "max_value": high, "widget": forms.NumberInput(attributes)}
    elif setting.field.choices:
        named["widget"] = forms.RadioSelect
    elif isinstance(setting.field, models.CharField):
        named["widget"] = forms.TextInput({"dir": "auto"})
        named["error_messages"] = dict.fromkeys(("required", "max_length"), sentence(setting.expected))
    return cast(forms.Field, setting.field.formfield(**named | options))


class SettingsForm(forms.Form):
    """Settings of a project, with what is stored as initial values. Shares are entered in percent.

    With `switches`, one that is on or off is sent by a button with that value, not by a checkbox.
    """

    def __init__(self, project: Project, settings: Iterable[Setting], data: Any = None, *, switches: bool = False):
        super().__init__(data)
        self.settings = list(settings)
        for setting in self.settings:
            stored = getattr(project, setting.field.attname)
            options: dict[str, Any] = {"initial": stored}
            if setting.in_percent:
                options["initial"] = None if stored is None else _percent(stored)
            elif setting.is_switch and switches:
                options |= {
                    "form_class": forms.TypedChoiceField,
                    "choices": [("on", "On"), ("off", "Off")],
                    "coerce": lambda value: value == "on",
                    "required": True,
                }
            elif setting.rows:
                options["queryset"] = setting.rows(project)
            self.fields[setting.name] = setting_field(setting, **options)

    def values(self) -> dict[str, object]:
        """Return the values as they are stored, by the names of the settings."""
        return {
            setting.name: value / 100 if setting.in_percent and value is not None else value
            for setting in self.settings
            for value in [self.cleaned_data[setting.name]]
        }

    def messages(self) -> str:
        """Return all errors as one text."""
        return " ".join(message for errors in self.errors.values() for message in map(str, errors))


class DeleteForm(forms.Form):
    """The short name, typed in, confirms the deletion."""

    slug = forms.CharField(widget=forms.TextInput(attrs=NAME_ATTRIBUTES))

    def __init__(self, expected: str, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.expected = expected
        self.fields["slug"].label = f"Type “{expected}” to confirm"

    def clean_slug(self) -> str:
        """Require exactly the project's name."""
        if self.cleaned_data["slug"] != self.expected:
            raise forms.ValidationError(f"The text does not match “{self.expected}”. Nothing was deleted.")
        return self.expected
