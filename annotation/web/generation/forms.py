"""Forms for the settings of a generated system, for a run, and for a template."""

from collections.abc import Sequence
from typing import Any

from django import forms

from ...generation.templates import find_template
from ...models import GenerationRun, GenerationTemplate, Generator
from ..accounts.fields import NAME_ATTRIBUTES, set_choices
from ..endpoint_forms import EndpointForm, ModelErrorForm, RunLimitsForm, form_field


class GeneratorForm(EndpointForm):
    """The settings of a system of a data set. `create_generator` checks the values together."""

    field_order = ("system", "base_url", "model", "key", "key_env", "template", "temperature", "context_tokens")
    template = forms.ChoiceField(label="Template")

    class Meta(EndpointForm.Meta):
        model = Generator
        fields = ("system", *Generator.SETTINGS)
        widgets = {**EndpointForm.Meta.widgets, "system": forms.TextInput(attrs=NAME_ATTRIBUTES)}

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

    def clean_template(self) -> GenerationTemplate:
        """Return the template with the label."""
        return find_template(self.cleaned_data["template"])


class GenerateForm(RunLimitsForm):
    """How many responses a run generates, and for how much."""

    class Meta(RunLimitsForm.Meta):
        model = GenerationRun

    def __init__(self, *args: Any, has_prices: bool, has_failed: bool, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.fields["retry_failed"].label = "Ask again about failed prompts"
        if not has_prices:
            del self.fields["budget_usd"]
        if not has_failed:
            del self.fields["retry_failed"]


class TemplateForm(ModelErrorForm):
    """A template, or the next version of one. `save_template` checks the values together."""

    class Meta:
        model = GenerationTemplate
        fields = ("name", "context", "answer_form", "text")
        formfield_callback = form_field
        widgets = {
            "name": forms.TextInput(attrs=NAME_ATTRIBUTES),
            "context": forms.RadioSelect,
            "answer_form": forms.RadioSelect,
            "text": forms.Textarea(attrs={"rows": 14, "spellcheck": "false", "dir": "auto"}),
        }

    def clean_text(self) -> str:
        """Return the text with the line ends that a file has."""
        text: str = self.cleaned_data["text"]
        return text.replace("\r\n", "\n")
