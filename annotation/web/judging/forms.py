"""Forms to create a judge, and to let one rate."""

from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from ...importing.item_lists import read_item_list
from ...importing.uploads import copied_upload
from ...jobs import Refused
from ...judging.judges import MAX_SAMPLES, Configuration
from ...judging.project_judges import ProjectJudge
from ...judging.tuning import tuning_items_of
from ...model_calls.errors import ModelError
from ...models import Judge, Project
from ..accounts.fields import NAME_ATTRIBUTES, set_choices
from ..endpoint_forms import EndpointForm, RunLimitsForm

MODEL, FACT_QA, RULE, REPETITION = "model", "fact_qa", "rule", "repetition"
KINDS = {
    MODEL: "Model",
    FACT_QA: "Fact-QA by a model",
    RULE: "Rule",
    REPETITION: "Repetition",
}
"""`?kind=` of the page -> what is created."""
_ENDPOINT = ("base_url", "model", "key", "key_env", "sees", "template")
_LIMITS = ("max_tokens", "timeout", "concurrency", "requests_per_minute", "input_price", "output_price")
_TUNING = ("tuned_project", "tuned_file")
_FIELDS = {
    MODEL: ("name", *_ENDPOINT, "rates", "samples", "temperature", "logprobs", *_LIMITS, *_TUNING),
    FACT_QA: ("name", *_ENDPOINT, "fact_qa", "fact_source", "precision_only", *_LIMITS, *_TUNING),
    RULE: ("name", "rule"),
    REPETITION: ("repeated",),
}
"""Kind -> the fields that apply to it."""
_DEFAULT = Configuration()


class JudgeForm(EndpointForm):
    """A new judge of one of KINDS, or the next version of one. `create_judge` checks the values together."""

    field_order = list(dict.fromkeys(name for names in _FIELDS.values() for name in names))
    name = forms.CharField(
        label="Name",
        max_length=60,
        widget=forms.TextInput(attrs=NAME_ATTRIBUTES),
        help_text="Letters, digits and . _ + -. Under the name of an existing judge, this is its next version.",
    )
    rule = forms.ChoiceField(
        label="Rule",
        choices=Judge.Rule.choices,
        widget=forms.RadioSelect,
        help_text="A rule needs no model, price or key.",
    )
    repeated = forms.ChoiceField(
        label="Judge",
        help_text=(
            "The next version has the configuration and the key of the newest one, and asks the endpoint again. "
            "Comparing both shows how far the same judge changes its answers."
        ),
    )
    sees = forms.ChoiceField(label="Sees", choices=Judge.Sees.choices, initial=_DEFAULT.sees, widget=forms.RadioSelect)
    rates = forms.ChoiceField(
        label="Items per request",
        choices=Judge.Rates.choices,
        initial=_DEFAULT.rates,
        widget=forms.RadioSelect,
    )
    samples = forms.IntegerField(
        label="Samples",
        min_value=1,
        max_value=MAX_SAMPLES,
        initial=_DEFAULT.samples,
        help_text=(
            "How often each request is asked. The most frequent answer becomes the verdict; several need a temperature "
            "above 0."
        ),
    )
    fact_qa = forms.ChoiceField(
        label="Fact-QA",
        choices=Judge.FactQA.choices,
        help_text="Scores the facts of whole responses, at temperature 0 with one sample.",
    )
    fact_source = forms.ChoiceField(
        label="Fact-QA: facts are supported by",
        choices=Judge.FactSource.choices,
        initial=_DEFAULT.fact_source,
    )
    precision_only = forms.BooleanField(
        label="Fact-QA: precision only",
        required=False,
        help_text="Asks nothing about reference answers: there is no recall and no F1.",
    )
    logprobs = forms.BooleanField(label="Request log-probabilities, for the confidence", required=False)
    template = forms.CharField(
        label="Prompt",
        max_length=100_000,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
    )
    tuned_project = forms.ChoiceField(
        label="Tuned on a project",
        required=False,
        help_text="Its rated items tuned the prompt: comparisons and estimates with this judge exclude them.",
    )
    tuned_file = forms.FileField(
        label="Tuned on a list of items",
        required=False,
        help_text="JSON lines or a table with response and item, as exports of ratings have them.",
    )

    def __init__(self, data: Any = None, files: Any = None, *, kind: str, initial: dict[str, Any] | None = None):
        super().__init__(data, files, initial=initial)
        self.kind = kind
        for name in set(self.fields) - set(_FIELDS[kind]):
            del self.fields[name]
        for name, text in _HELP.items():
            if name in self.fields:
                self.fields[name].help_text = text
        if kind == REPETITION:
            names = Judge.objects.filter(rule="").order_by("name").values_list("name", flat=True).distinct()
            set_choices(self, "repeated", [(name, name) for name in names])
        if "tuned_project" in self.fields:
            projects = Project.objects.order_by("title").values_list("slug", "title")
            set_choices(self, "tuned_project", [("", "None"), *projects])
            if kind == FACT_QA:
                self.fields[
                    "tuned_project"
                ].help_text = (
                    "Its rated items tuned the prompt: they are listed with the judge. Fact-QA figures include them."
                )
        if "template" in self.fields:
            self.fields["template"].help_text = _TEMPLATE_HELP[kind]

    def clean_template(self) -> str:
        """Return the text with the line ends that a file has."""
        text: str = self.cleaned_data["template"]
        return text.replace("\r\n", "\n") if text.strip() else ""

    def configuration(self) -> Configuration:
        """Return the configuration of a valid form; what its kind does not have is the default."""
        names = Configuration.__dataclass_fields__.keys() & self.cleaned_data.keys()
        return Configuration(**{name: self.cleaned_data[name] for name in names})

    def tuning_items(self) -> list[int]:
        """Return the items (primary keys) that tuned the prompt, for a valid form. Raises ModelError and Refused."""
        items = []
        if slug := self.cleaned_data.get("tuned_project"):
            items += _of_field("tuned_project", lambda: tuning_items_of(Project.objects.get(slug=slug)))
        if upload := self.cleaned_data.get("tuned_file"):
            items += _of_field("tuned_file", lambda: _read_items(upload))
        return items


def _read_items(upload: UploadedFile) -> list[int]:
    with copied_upload(upload) as file:
        try:
            return read_item_list(file)
        except Refused as refused:
            raise ModelError(" ".join(refused.problems[:5])) from None


def _of_field(name: str, read: Callable[[], list[int]]) -> list[int]:
    """Return the items. Raises ModelError about the field."""
    try:
        return read()
    except ModelError as error:
        raise ModelError(str(error), name) from None


def kind_of(judge: Judge) -> str:
    """Return the kind of form that makes the next version of a judge."""
    return RULE if judge.rule else FACT_QA if judge.fact_qa else MODEL


def initial_of(judge: Judge) -> dict[str, Any]:
    """Return the values with which the form makes the next version of a judge. The key is not among them."""
    return {"name": judge.name, **vars(Configuration.of(judge)), "repeated": judge.name}


_TEMPLATE_HELP = {
    MODEL: "With $questions and $items, and if wanted $document, $prompt and $response. Empty: the built-in prompt.",
    FACT_QA: "With $answer, $source and $prompt. Empty: the built-in prompt.",
}


_HELP = {
    "base_url": "With the API of OpenAI, often ending in /v1. It receives articles and responses.",
    "key": "Stored encrypted, and never shown again. Empty: the stored key stays, if the address is the same.",
}


class RunForm(RunLimitsForm):
    """What a judge is to rate in a project, and for how much."""

    field_order = ("judge",)
    judge = forms.ChoiceField(label="Judge")

    def __init__(self, *args: Any, rows: Sequence[ProjectJudge], **kwargs: Any):
        super().__init__(*args, **kwargs)
        refused = {row.judge.name for row in rows if row.problem}
        versions = Judge.objects.exclude(name__in=refused).order_by("name", "-version")
        set_choices(self, "judge", [(judge.label, judge.label) for judge in versions])
        self.fields["limit"].help_text = "Items to rate at most."
        self.fields["retry_failed"].label = "Rate again what failed"
        if not self.is_bound and not versions.filter(rule="").exists():  # rules cost nothing
            del self.fields["budget_usd"], self.fields["budget_tokens"]
