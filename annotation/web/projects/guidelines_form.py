"""Forms about guidelines: the text, examples for each option, and a note on the changes."""

from typing import Any

from django import forms

from ...models import GuidelineVersion
from ...projects.guidelines import MAX_LENGTH, MAX_NOTE_LENGTH, Affected, Examples
from ...protocols import Option, Protocol, Question

_PLAIN = {"spellcheck": "true"}


class GuidelinesForm(forms.Form):
    """The newest version as the initial text. `base_version` is its number (0: none): no lead overwrites another's."""

    text = forms.CharField(
        label="Guidelines",
        max_length=MAX_LENGTH,
        widget=forms.Textarea(attrs={"rows": 14, **_PLAIN}),
        help_text="Markdown: headings, lists, tables, links, formulas. Raters open the guidelines with G while they "
        "rate.",
    )
    note = forms.CharField(
        label="What is new",
        required=False,
        max_length=MAX_NOTE_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text="One line, shown to raters when this is published.",
    )
    base_version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, protocol: Protocol, newest: GuidelineVersion | None, data: Any = None):
        initial = {"text": newest.text if newest else "", "base_version": newest.number if newest else 0}
        super().__init__(data, initial=initial)
        self.protocol, self.number = protocol, newest.number if newest else 0
        examples = newest.examples if newest else {}
        for question, option in _options(protocol):
            self.fields[_name(question, option)] = forms.CharField(
                label=option.label,
                required=False,
                initial=examples.get(question.key, {}).get(option.key, ""),
                widget=forms.Textarea(attrs={"rows": 2, **_PLAIN}),
            )

    @property
    def groups(self) -> list[tuple[Question, list[tuple[Option, Any]]]]:
        """The fields for examples, by question."""
        return [
            (question, [(option, self[_name(question, option)]) for option in question.options])
            for question in self.protocol.questions
            if question.options
        ]

    def clean_base_version(self) -> int:
        """Require that the version which the author started from is still the newest."""
        if self.cleaned_data["base_version"] != self.number:
            raise forms.ValidationError(
                f"Another person has published version {self.number} in the meantime. Copy your text, and open "
                "this page again."
            )
        return self.cleaned_data["base_version"]

    def examples(self) -> Examples:
        """Return the examples by question and option."""
        examples: Examples = {}
        for question, option in _options(self.protocol):
            examples.setdefault(question.key, {})[option.key] = self.cleaned_data[_name(question, option)]
        return examples


class ReofferForm(forms.Form):
    """Which finished responses are offered again: all, or those with one answer."""

    def __init__(self, protocol: Protocol, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        answers = [
            (f"{question.key}={option.key}", f"only those answered {option.label}")
            for question, option in _options(protocol)
        ]
        self.words = {"": "all of them", **dict(answers)}
        self.fields["which"] = forms.ChoiceField(
            label="Ratings given under earlier guidelines", choices=list(self.words.items()), required=False
        )

    def affected(self) -> Affected:
        """Return the ratings of the selected answer."""
        question, _equals, option = self.cleaned_data["which"].partition("=")
        return Affected(question, option)


def _options(protocol: Protocol) -> list[tuple[Question, Option]]:
    return [(question, option) for question in protocol.questions for option in question.options]


def _name(question: Question, option: Option) -> str:
    return f"example-{question.key}-{option.key}"
