"""The protocol as a Markdown page: guidelines, questions, counting rules, versions of the project's guidelines."""

import re
from collections.abc import Iterable

from ..models import GuidelineVersion
from ..protocols import Condition, Protocol, Question
from ..protocols.schema import WRITTEN
from ..reporting.text.figure_format import listed

_HEADING = re.compile(r"^(#{1,6})(?= )", re.MULTILINE)


def guidelines(protocol: Protocol, own: Iterable[GuidelineVersion] = ()) -> str:
    """Return the protocol's text with its conditions in words, then the project's guidelines, newest first."""
    about = f"Protocol `{protocol.slug}`, version {protocol.version}. One rating is about one {protocol.unit}."
    parts = [f"# {protocol.title}", about, protocol.intro]
    for number, question in enumerate(protocol.questions, start=1):
        parts += [f"## {number}. {question.text}", f"*{asked_when(question, protocol)}*", question.help]
        if question.kind in WRITTEN:
            kind = "Web addresses, one per line, in" if question.kind == "urls" else "A text of"
            parts.append(f"{kind} at most {question.max_length} characters.")
        parts.append(
            "\n".join(
                f"- **{option.label}**{f': {option.definition}' if option.definition else ''}"
                for option in question.options
            )
        )
    parts.append("## Measures")
    for measure in protocol.measures:
        counted = (
            f"Counts ratings where {in_words(measure.counts, protocol)}, among {those_where(measure.among, protocol)}."
        )
        parts.append(f"- **{measure.label}**: {measure.description} {counted}")
    parts += [f"- **{mean.label}**: {mean.description}" for mean in protocol.means]
    for score in protocol.scores:
        weights = f"Weights per 100 ratings, among {those_where(score.among, protocol)}; the first:"
        parts.append(f"- **{score.label}**: {score.description} {weights}")
        parts.append(
            "\n".join(f"    - {entry.weight:g} where {in_words(entry.when, protocol)}" for entry in score.weights)
        )
    for version in sorted(own, key=lambda version: -version.number):
        parts.append(f"## The project's own guidelines, version {version.number}")
        parts.append(f"*Published on {version.made_at:%d %B %Y}{f': {version.note}' if version.note else ''}*")
        parts.append(_deeper(version.text))
        for question in protocol.questions:
            for option in question.options:
                if words := version.examples.get(question.key, {}).get(option.key):
                    parts += [f"### Examples of {option.label}", _deeper(words)]
    return "\n\n".join(part for part in parts if part) + "\n"


def in_words(condition: Condition, protocol: Protocol) -> str:
    """Return a condition in words: “How accurate …?” was answered Inaccurate or Disputed; "" without one."""
    terms = []
    for key, values in condition.items():
        question = protocol.question(key)
        labels = [question.option(value).label for value in values] if question.kind == "choice" else list(values)
        terms.append(f"“{question.text}” was answered {listed(labels, 'or')}")
    return " and ".join(terms)


def those_where(condition: Condition, protocol: Protocol) -> str:
    return f"those where {in_words(condition, protocol)}" if condition else "all"


def asked_when(question: Question, protocol: Protocol) -> str:
    """Return a sentence: when a question is asked and when it needs an answer."""
    condition = in_words(question.show_when, protocol)
    required = in_words(question.require_when, protocol)
    sentence = f"Asked where {condition}" if condition else "Always asked"
    if question.kinds:
        sentence += f", about items of the kind {listed(list(question.kinds), 'or')}"
    if question.once:
        sentence += f", once a response, with its last {protocol.unit}"
    if not question.required:
        return f"{sentence}; may be left open."
    return f"{sentence}; must be answered{f' where {required}' if required and required != condition else ''}."


def _deeper(text: str) -> str:
    """Return Markdown with headings two levels lower; lines in code fences that look like headings are lowered too."""
    return _HEADING.sub(lambda heading: "#" * min(6, len(heading[1]) + 2), text)
