"""What the forms of judges and of generated systems share: a model at an endpoint, and the limits of a run.

Labels, help, defaults and bounds are those of the model's fields.
"""

from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from ..model_calls.errors import ModelError
from ..model_calls.keys import check_key_variable
from ..model_calls.runs import RunLimits
from ..models.model_calls import ModelRun
from .accounts.fields import NAME_ATTRIBUTES, sentence

LIMIT_ROWS = (
    ("max_tokens", "timeout"),
    ("concurrency", "requests_per_minute"),
    ("input_price", "output_price"),
)
"""Limits and prices of an endpoint, as pages show them side by side."""


def form_field(field: "models.Field[Any, Any]", **options: Any) -> forms.Field | None:
    """Return the field of a form, whose bounds the browser knows too. Texts keep their white space."""
    if isinstance(field, models.TextField):
        options["strip"] = False
    if isinstance(field, models.IntegerField | models.FloatField | models.DecimalField):
        for validator in field.validators:
            if isinstance(validator, MinValueValidator):
                options.setdefault("min_value", validator.limit_value)
            elif isinstance(validator, MaxValueValidator):
                options.setdefault("max_value", validator.limit_value)
    return field.formfield(**options)


class ModelErrorForm(forms.ModelForm):
    """A form whose values a function checks together, which raises ModelError."""

    def add_model_error(self, error: ModelError) -> None:
        """Show why the values are refused, at the field that it is about."""
        self.add_error(error.field if error.field in self.fields else None, sentence(error))


class EndpointForm(ModelErrorForm):
    """A model at an endpoint, with its key, parameters, limits and prices."""

    key = forms.CharField(
        label="Key",
        max_length=1_000,
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )

    class Meta:
        formfield_callback = form_field
        widgets: ClassVar[dict[str, Any]] = {
            "base_url": forms.TextInput(attrs={**NAME_ATTRIBUTES, "inputmode": "url"}),
            "model": forms.TextInput(attrs=NAME_ATTRIBUTES),
            "key_env": forms.TextInput(attrs=NAME_ATTRIBUTES),
        }

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        for name in {"base_url", "model"} & self.fields.keys():
            self.fields[name].required = True  # a judge that is a rule has none

    def limit_rows(self) -> list[list[forms.BoundField]]:
        """Return the fields of LIMIT_ROWS."""
        return [[self[name] for name in row] for row in LIMIT_ROWS]

    def note_lost_key(self) -> None:
        """Say at the field that a key that was sent must be entered again: it is never sent back."""
        if self.errors and self.data.get("key"):
            self.add_error("key", "Enter the key again: it is not sent back, so this field is empty now.")

    def clean_key_env(self) -> str:
        """Accept variables for models only."""
        name: str = self.cleaned_data["key_env"]
        try:
            check_key_variable(name)
        except ModelError as error:
            raise ValidationError(str(error)) from None
        return name


class RunLimitsForm(ModelErrorForm):
    """How much a run may do, and for how much."""

    retry_failed = forms.BooleanField(required=False)

    class Meta:
        fields = ModelRun.LIMITS
        formfield_callback = form_field

    def limits(self) -> RunLimits:
        """Return the limits of a valid form."""
        values = self.cleaned_data
        return RunLimits(**{name: values[name] for name in RunLimits.__dataclass_fields__ if name in values})
