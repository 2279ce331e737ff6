"""Forms to create a judge, and to let one rate."""

from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from ...importing.item_lists import read_item_list
from ...importing.uploads import copied_upload
from ...jobs import Refused
from ...judging.project_judges import ProjectJudge
from ...judging.tuning import tuning_items_of
from ...model_calls.errors import ModelError
from ...models import Judge, JudgeRun, Project
from ..accounts.fields import NAME_ATTRIBUTES, set_choices
from ..endpoint_forms import LIMIT_ROWS, EndpointForm, RunLimitsForm

MODEL, FACT_QA, RULE, REPETITION = "model", "fact_qa", "rule", "repetition"
KINDS = {
    MODEL: "Model",
    FACT_QA: "Fact-QA by a model",
    RULE: "Rule",
    REPETITION: "Repetition",
}
"""`?kind=` of the page -> what is created."""
_ENDPOINT = ("base_url", "model", "key", "key_env", "context", "template")
_LIMITS = [name for row in LIMIT_ROWS for name in row]
_TUNING = ("tuned_project", "tuned_file")
_FIELDS = {
    MODEL: ("name", *_ENDPOINT, "request_unit", "samples", "temperature", "logprobs", *_LIMITS, *_TUNING),
    FACT_QA: ("name", *_ENDPOINT, "fact_qa", "fact_source", "precision_only", *_LIMITS, *_TUNING),
    RULE: ("name", "rule"),
    REPETITION: ("repeated",),
}
"""Kind -> the fields that apply to it."""
_HELP = {
    "base_url": "With the API of OpenAI, often ending in /v1. It receives articles and responses.",
    "key": "Stored encrypted, and never shown again. Empty: the stored key stays, if the address is the same.",
}
_TEMPLATE_HELP = {
    MODEL: "With $questions and $items, and if wanted $document, $prompt and $response. Empty: the built-in prompt.",
    FACT_QA: "With $answer, $source and $prompt. Empty: the built-in prompt.",
}


class JudgeForm(EndpointForm):
    """A new judge of one of KINDS, or the next version of one. `create_judge` checks the values together."""

    field_order = list(dict.fromkeys(name for names in _FIELDS.values() for name in names))
    repeated = forms.ChoiceField(
        label="Judge",
        help_text=(
            "The next version has the configuration and the key of the newest one, and asks the endpoint again. "
            "Comparing both shows how far the same judge changes its answers."
        ),
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

    class Meta(EndpointForm.Meta):
        model = Judge
        fields = ("name", *Judge.SETTINGS)
        widgets = {
            **EndpointForm.Meta.widgets,
            "name": forms.TextInput(attrs=NAME_ATTRIBUTES),
            "rule": forms.RadioSelect,
            "context": forms.RadioSelect,
            "request_unit": forms.RadioSelect,
            "template": forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
        }

    def __init__(self, *args: Any, kind: str, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.kind = kind
        for name in set(self.fields) - set(_FIELDS[kind]):
            del self.fields[name]
        for name, text in {**_HELP, "template": _TEMPLATE_HELP.get(kind, "")}.items():
            if name in self.fields:
                self.fields[name].help_text = text
        for name, choices in {"rule": Judge.Rule.choices, "fact_qa": Judge.FactQA.choices}.items():
            if name in self.fields:  # not empty, as for other kinds
                self.fields[name].required = True
                set_choices(self, name, choices)
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

    def clean_template(self) -> str:
        """Return the text with the line ends that a file has."""
        text: str = self.cleaned_data["template"]
        return text.replace("\r\n", "\n") if text.strip() else ""

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
    return {"name": judge.name, **judge.setting_values(), "repeated": judge.name}


class RunForm(RunLimitsForm):
    """What a judge is to rate in a project, and for how much."""

    field_order = ("judge",)
    judge = forms.ChoiceField(label="Judge")

    class Meta(RunLimitsForm.Meta):
        model = JudgeRun

    def __init__(self, *args: Any, rows: Sequence[ProjectJudge], **kwargs: Any):
        super().__init__(*args, **kwargs)
        refused = {row.judge.name for row in rows if row.problem}
        versions = Judge.objects.exclude(name__in=refused).order_by("name", "-version")
        set_choices(self, "judge", [(judge.label, judge.label) for judge in versions])
        self.fields["retry_failed"].label = "Rate again what failed"
        if not self.is_bound and not versions.filter(rule="").exists():  # rules cost nothing
            del self.fields["budget_usd"], self.fields["budget_tokens"]
