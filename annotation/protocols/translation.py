"""A protocol in other words: the one list of what in it people read.

Keys, conditions, shortcuts, signs, the source and its SHA-256 stay: what is asked and stored is the same, said
otherwise.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from .schema import Correlation, Mean, Measure, Option, Protocol, Question

Say = Callable[[str], str]
Described = TypeVar("Described", Measure, Mean, Correlation)


def reworded(protocol: Protocol, say: Say) -> Protocol:
    """The protocol with each text that people read put through `say`. Texts that are empty stay so."""

    def said(text: str) -> str:
        return say(text) if text else ""

    return replace(
        protocol,
        title=said(protocol.title),
        intro=said(protocol.intro),
        questions=tuple(_question(question, said) for question in protocol.questions),
        measures=tuple(_described(measure, said) for measure in protocol.measures),
        means=tuple(_described(mean, said) for mean in protocol.means),
        correlations=tuple(_described(correlation, said) for correlation in protocol.correlations),
    )


def words_of(protocol: Protocol) -> tuple[str, ...]:
    """The texts that people read, each once, in the order of the protocol."""
    found: dict[str, None] = {}

    def noted(text: str) -> str:
        found[text] = None
        return text

    reworded(protocol, noted)
    return tuple(found)


def _question(question: Question, said: Say) -> Question:
    options = tuple(_option(option, said) for option in question.options)
    return replace(question, text=said(question.text), help=said(question.help), options=options)


def _option(option: Option, said: Say) -> Option:
    return replace(option, label=said(option.label), definition=said(option.definition))


def _described(of: Described, said: Say) -> Described:
    return replace(of, label=said(of.label), description=said(of.description))
