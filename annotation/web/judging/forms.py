"""Forms to create a judge, and to let one rate."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy

from ...judging.errors import JudgeError
from ...judging.judges import MAX_CONCURRENCY, MAX_SAMPLES, Configuration, check_key_variable
from ...judging.project_judges import ProjectJudge
from ...models import Judge
from ..accounts.fields import NAME_ATTRIBUTES, set_choices

MODEL = "model"
"""In place of a rule."""
_DEFAULT = Configuration()


class JudgeForm(forms.Form):
    """A new judge, or the next version of one. `create_judge` checks the values together."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=60,
        widget=forms.TextInput(attrs=NAME_ATTRIBUTES),
        help_text=gettext_lazy(
            "Letters, digits and . _ + -. Under the name of an existing judge, this is its next version."
        ),
    )
    rule = forms.ChoiceField(
        label=gettext_lazy("Kind"),
        choices=[(MODEL, gettext_lazy("A model at an endpoint")), *Judge.Rule.choices],
        help_text=gettext_lazy("A rule needs no model: leave everything below as it is."),
    )
    base_url = forms.CharField(
        label=gettext_lazy("Address of the endpoint"),
        max_length=500,
        required=False,
        widget=forms.TextInput(attrs={**NAME_ATTRIBUTES, "inputmode": "url"}),
        help_text=gettext_lazy("With the API of OpenAI, often ending in /v1. It receives articles and responses."),
    )
    model = forms.CharField(
        label=gettext_lazy("Model"), max_length=200, required=False, widget=forms.TextInput(attrs=NAME_ATTRIBUTES)
    )
    key = forms.CharField(
        label=gettext_lazy("Key"),
        max_length=1_000,
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy(
            "Stored encrypted, and never shown again. Empty: the stored key stays, if the address is the same."
        ),
    )
    key_env = forms.CharField(
        label=gettext_lazy("Environment variable with the key"),
        max_length=100,
        required=False,
        widget=forms.TextInput(attrs=NAME_ATTRIBUTES),
        help_text=gettext_lazy("Of the worker, instead of a stored key. Its name starts with JUDGE_."),
    )
    sees = forms.ChoiceField(
        label=gettext_lazy("Sees"), choices=Judge.Sees.choices, initial=_DEFAULT.sees, widget=forms.RadioSelect
    )
    rates = forms.ChoiceField(
        label=gettext_lazy("Items per request"),
        choices=Judge.Rates.choices,
        initial=_DEFAULT.rates,
        widget=forms.RadioSelect,
    )
    samples = forms.IntegerField(
        label=gettext_lazy("Samples"),
        min_value=1,
        max_value=MAX_SAMPLES,
        initial=_DEFAULT.samples,
        help_text=gettext_lazy("Answers per request; the majority holds. Several need a temperature above 0."),
    )
    temperature = forms.FloatField(
        label=gettext_lazy("Temperature"), min_value=0, max_value=2, initial=_DEFAULT.temperature
    )
    fact_qa = forms.ChoiceField(
        label=gettext_lazy("Fact-QA"),
        choices=[("", gettext_lazy("Off: it rates items")), *Judge.FactQA.choices],
        required=False,
        help_text=gettext_lazy("Scores the facts of whole responses instead, at temperature 0 with one sample."),
    )
    fact_source = forms.ChoiceField(
        label=gettext_lazy("Fact-QA: facts are supported by"),
        choices=Judge.FactSource.choices,
        initial=_DEFAULT.fact_source,
    )
    precision_only = forms.BooleanField(
        label=gettext_lazy("Fact-QA: precision only"),
        required=False,
        help_text=gettext_lazy("Asks nothing about reference answers: there is no recall and no F1."),
    )
    max_tokens = forms.IntegerField(
        label=gettext_lazy("Tokens per answer"), min_value=1, max_value=1_000_000, initial=_DEFAULT.max_tokens
    )
    timeout = forms.FloatField(
        label=gettext_lazy("Timeout in seconds"), min_value=0.1, max_value=3_600, initial=_DEFAULT.timeout
    )
    concurrency = forms.IntegerField(
        label=gettext_lazy("Requests at the same time"),
        min_value=1,
        max_value=MAX_CONCURRENCY,
        initial=_DEFAULT.concurrency,
    )
    requests_per_minute = forms.IntegerField(
        label=gettext_lazy("Requests per minute"), min_value=1, max_value=1_000_000, required=False
    )
    input_price = forms.DecimalField(
        label=gettext_lazy("Price of requests"),
        min_value=0,
        max_digits=12,
        decimal_places=6,
        required=False,
        help_text=gettext_lazy("USD per million tokens. Without both prices there is no cost and no budget."),
    )
    output_price = forms.DecimalField(
        label=gettext_lazy("Price of answers"),
        min_value=0,
        max_digits=12,
        decimal_places=6,
        required=False,
        help_text=gettext_lazy("USD per million tokens."),
    )
    logprobs = forms.BooleanField(label=gettext_lazy("Request log-probabilities, for the confidence"), required=False)
    template = forms.CharField(
        label=gettext_lazy("Prompt"),
        max_length=100_000,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "With $questions and $items, and if wanted $document, $prompt and $response. Empty: the built-in prompt."
        ),
    )

    def clean_rule(self) -> str:
        """Return the rule, empty for a model."""
        rule: str = self.cleaned_data["rule"]
        return "" if rule == MODEL else rule

    def clean_key_env(self) -> str:
        """Accept variables for judges only."""
        name: str = self.cleaned_data["key_env"]
        try:
            check_key_variable(name)
        except JudgeError as error:
            raise ValidationError(str(error)) from None
        return name

    def clean_template(self) -> str:
        """Return the text with the line ends that a file has."""
        text: str = self.cleaned_data["template"]
        return text.replace("\r\n", "\n") if text.strip() else ""

    def configuration(self) -> Configuration:
        """Return the configuration of a valid form."""
        return Configuration(**{name: self.cleaned_data[name] for name in Configuration.__dataclass_fields__})


def initial_of(judge: Judge) -> dict[str, Any]:
    """Return the values with which the form makes the next version of a judge. The key is not among them."""
    return {"name": judge.name, **vars(Configuration.of(judge)), "rule": judge.rule or MODEL}


class RunForm(forms.Form):
    """What a judge is to rate in a project, and for how much."""

    judge = forms.ChoiceField(label=gettext_lazy("Judge"))
    limit = forms.IntegerField(
        label=gettext_lazy("Limit"),
        min_value=1,
        max_value=10**9,
        required=False,
        help_text=gettext_lazy("Items to rate at most."),
    )
    budget_usd = forms.DecimalField(
        label=gettext_lazy("Budget in USD"),
        min_value=Decimal("0.000001"),
        max_digits=12,
        decimal_places=6,
        required=False,
        help_text=gettext_lazy("The run ends before it costs more."),
    )
    budget_tokens = forms.IntegerField(
        label=gettext_lazy("Budget in tokens"),
        min_value=1,
        max_value=10**15,
        required=False,
        help_text=gettext_lazy("The run ends before requests and answers have more tokens."),
    )
    retry_failed = forms.BooleanField(label=gettext_lazy("Rate again what failed"), required=False)

    def __init__(self, *args: Any, rows: Sequence[ProjectJudge], **kwargs: Any):
        super().__init__(*args, **kwargs)
        offered = [row.judge for row in rows if not row.problem]
        set_choices(self, "judge", [(judge.version_label, judge.label) for judge in offered])
