"""Fields that forms of judges and of generated systems share: a model at an endpoint, and the limits of a run."""

from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from ..model_calls.configurations import MAX_CONCURRENCY, EndpointConfiguration
from ..model_calls.errors import ModelError
from ..model_calls.keys import check_key_variable
from .accounts.fields import NAME_ATTRIBUTES, sentence

_DEFAULT = EndpointConfiguration()


class EndpointForm(forms.Form):
    """A model at an endpoint, with its key, parameters, limits and prices."""

    base_url = forms.CharField(
        label="Address of the endpoint",
        max_length=500,
        widget=forms.TextInput(attrs={**NAME_ATTRIBUTES, "inputmode": "url"}),
    )
    model = forms.CharField(label="Model", max_length=200, widget=forms.TextInput(attrs=NAME_ATTRIBUTES))
    key = forms.CharField(
        label="Key",
        max_length=1_000,
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )
    key_env = forms.CharField(
        label="Environment variable with the key",
        max_length=100,
        required=False,
        widget=forms.TextInput(attrs=NAME_ATTRIBUTES),
        help_text="Of the worker, instead of a stored key. Its name starts with MODEL_ or JUDGE_.",
    )
    temperature = forms.FloatField(label="Temperature", min_value=0, max_value=2, initial=_DEFAULT.temperature)
    max_tokens = forms.IntegerField(
        label="Tokens per answer", min_value=1, max_value=1_000_000, initial=_DEFAULT.max_tokens
    )
    timeout = forms.FloatField(label="Timeout in seconds", min_value=0.1, max_value=3_600, initial=_DEFAULT.timeout)
    concurrency = forms.IntegerField(
        label="Requests at the same time",
        min_value=1,
        max_value=MAX_CONCURRENCY,
        initial=_DEFAULT.concurrency,
    )
    requests_per_minute = forms.IntegerField(
        label="Requests per minute", min_value=1, max_value=1_000_000, required=False
    )
    input_price = forms.DecimalField(
        label="Price of requests",
        min_value=0,
        max_digits=12,
        decimal_places=6,
        required=False,
        help_text="USD per million tokens. Without both prices there is no cost and no budget.",
    )
    output_price = forms.DecimalField(
        label="Price of answers",
        min_value=0,
        max_digits=12,
        decimal_places=6,
        required=False,
        help_text="USD per million tokens.",
    )

    def add_model_error(self, error: ModelError) -> None:
        """Show why the model is refused, at the field that it is about."""
        self.add_error(error.field if error.field in self.fields else None, sentence(error))

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


class RunLimitsForm(forms.Form):
    """How much a run may do, and for how much."""

    limit = forms.IntegerField(label="Limit", min_value=1, max_value=10**9, required=False)
    budget_usd = forms.DecimalField(
        label="Budget in USD",
        min_value=Decimal("0.000001"),
        max_digits=12,
        decimal_places=6,
        required=False,
        help_text="The run ends before it costs more.",
    )
    budget_tokens = forms.IntegerField(
        label="Budget in tokens",
        min_value=1,
        max_value=10**15,
        required=False,
        help_text="The run ends before requests and answers have more tokens.",
    )
    retry_failed = forms.BooleanField(required=False)

    def limits(self) -> dict[str, Any]:
        """Return the limits of a valid form, as the functions that start runs take them."""
        return {name: self.cleaned_data[name] for name in RunLimitsForm.base_fields if name in self.fields}
