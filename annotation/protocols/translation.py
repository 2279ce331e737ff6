"""Translation of a protocol's visible texts, and of messages of a package without Django.

A message is an English string that also remembers its template and values, so that a page can translate the template
and the messages among its values.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from .schema import Correlation, Example, ExampleItem, Mean, Measure, Option, Protocol, Question, Score

Translate = Callable[[str], str]
Described = TypeVar("Described", Measure, Mean, Correlation, Score)


def translate_texts(protocol: Protocol, translate: Translate) -> Protocol:
    """Return the protocol with each visible text translated. Empty texts stay empty."""

    def translate_text(text: str) -> str:
        return translate(text) if text else ""

    return replace(
        protocol,
        title=translate_text(protocol.title),
        intro=translate_text(protocol.intro),
        questions=tuple(_question(question, translate_text) for question in protocol.questions),
        measures=tuple(_described(measure, translate_text) for measure in protocol.measures),
        means=tuple(_described(mean, translate_text) for mean in protocol.means),
        correlations=tuple(_described(correlation, translate_text) for correlation in protocol.correlations),
        scores=tuple(_described(score, translate_text) for score in protocol.scores),
        example=_example(protocol.example, translate_text) if protocol.example else None,
    )


def texts_of(protocol: Protocol) -> tuple[str, ...]:
    """Return the visible texts without duplicates, in the order of the protocol."""
    texts: dict[str, None] = {}

    def collect(text: str) -> str:
        texts[text] = None
        return text

    translate_texts(protocol, collect)
    return tuple(texts)


def _question(question: Question, translate: Translate) -> Question:
    options = tuple(_option(option, translate) for option in question.options)
    return replace(question, text=translate(question.text), help=translate(question.help), options=options)


def _option(option: Option, translate: Translate) -> Option:
    return replace(option, label=translate(option.label), definition=translate(option.definition))


def _described(described: Described, translate: Translate) -> Described:
    return replace(described, label=translate(described.label), description=translate(described.description))


def _example(example: Example, translate: Translate) -> Example:
    return replace(
        example,
        prompt=translate(example.prompt),
        items=tuple(_example_item(item, translate) for item in example.items),
        passage=translate(example.passage),
        response=translate(example.response),
        practice=_example_item(example.practice, translate) if example.practice else None,
    )


def _example_item(item: ExampleItem, translate: Translate) -> ExampleItem:
    """Return the item with its texts translated; what was answered in words, such as an address, stays."""
    return replace(
        item,
        text=translate(item.text),
        against=translate(item.against),
        explanation=translate(item.explanation),
    )


class TranslatableText(str):
    """A message: `template` with `values` filled in."""

    template: str
    values: dict[str, Any]


def translatable(template: str, **values: Any) -> TranslatableText:
    """Return the message, with values by name: translatable("%(key)s is empty", key="title")."""
    message = TranslatableText(template % values)
    message.template, message.values = template, values
    return message


def translate_message(message: str, translate: Callable[[str], str]) -> str:
    """Return the message with its template, and those of messages among its values, translated; other texts stay."""
    if not isinstance(message, TranslatableText):
        return message
    values = {
        name: translate_message(value, translate) if isinstance(value, str) else value
        for name, value in message.values.items()
    }
    return translate(message.template) % values
