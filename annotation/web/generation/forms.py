"""Forms for the settings of a generated system, for a run, and for a template."""

from collections.abc import Sequence
from typing import Any

from django import forms

from ...generation.generators import MAX_CONTEXT_TOKENS, GeneratorConfiguration
from ...generation.templates import TemplateContent
from ...model_calls.errors import ModelError
from ...models import GenerationTemplate
from ..accounts.fields import NAME_ATTRIBUTES, sentence, set_choices
from ..endpoint_forms import EndpointForm, RunLimitsForm


class GeneratorForm(EndpointForm):
    """The settings of a system of a data set. `create_generator` checks the values together."""

    field_order = ("system", "base_url", "model", "key", "key_env", "template", "temperature", "max_tokens")
    system = forms.CharField(
        label="System",
        max_length=200,
        widget=forms.TextInput(attrs=NAME_ATTRIBUTES),
        help_text="The name under which the responses appear in reports.",
    )
    template = forms.ChoiceField(label="Template")
    context_tokens = forms.IntegerField(
        label="Context tokens",
        min_value=1,
        max_value=MAX_CONTEXT_TOKENS,
        required=False,
        help_text="Of a request with its answer, as many as the model accepts. Longer requests are not sent. Empty: no "
        "limit.",
    )

    def __init__(self, *args: Any, templates: Sequence[GenerationTemplate], **kwargs: Any):
        super().__init__(*args, **kwargs)
        set_choices(self, "template", [(each.label, each.label) for each in templates])
        self.fields[
            "base_url"
        ].help_text = (
            "With the API of OpenAI, often ending in /v1. It receives prompts and, with most templates, documents."
        )
        self.fields[
            "key"
        ].help_text = "Stored encrypted, and never shown again. Empty: an existing system keeps its key."

    def configuration(self) -> GeneratorConfiguration:
        """Return the settings of a valid form."""
        names = GeneratorConfiguration.__dataclass_fields__
        return GeneratorConfiguration(**{name: self.cleaned_data[name] for name in names})


class GenerateForm(RunLimitsForm):
    """How many responses a run generates, and for how much."""

    def __init__(self, *args: Any, has_prices: bool, has_failed: bool, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.fields["limit"].help_text = "Prompts to answer at most."
        self.fields["retry_failed"].label = "Ask again about failed prompts"
        if not has_prices:
            del self.fields["budget_usd"]
        if not has_failed:
            del self.fields["retry_failed"]


class TemplateForm(forms.Form):
    """A template, or the next version of one. `save_template` checks the values together."""

    name = forms.CharField(
        label="Name",
        max_length=60,
        widget=forms.TextInput(attrs=NAME_ATTRIBUTES),
        help_text="Letters, digits and . _ + -. Under the name of an existing template, this is its next version.",
    )
    context = forms.ChoiceField(
        label="Shows",
        choices=GenerationTemplate.Context.choices,
        initial=GenerationTemplate.Context.DOCUMENT,
        widget=forms.RadioSelect,
    )
    answer_form = forms.ChoiceField(
        label="Form of the answer",
        choices=GenerationTemplate.AnswerForm.choices,
        initial=GenerationTemplate.AnswerForm.TEXT,
        widget=forms.RadioSelect,
        help_text="For steps, the text asks for three parts, each on a new line after Type:, Steps: or Answer:.",
    )
    text = forms.CharField(
        label="Text",
        max_length=100_000,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 14, "spellcheck": "false", "dir": "auto"}),
        help_text=(
            "With $prompt and, unless it shows no document, $document. $fence is a word that is in no text; $$ is a "
            "dollar sign."
        ),
    )

    def clean_text(self) -> str:
        """Return the text with the line ends that a file has."""
        text: str = self.cleaned_data["text"]
        return text.replace("\r\n", "\n")

    def content(self) -> TemplateContent:
        """Return the content of a valid form."""
        values = self.cleaned_data
        return TemplateContent(values["text"], values["context"], values["answer_form"])

    def add_model_error(self, error: ModelError) -> None:
        """Show why the template is refused, at the field that it is about."""
        self.add_error(error.field if error.field in self.fields else None, sentence(error))
