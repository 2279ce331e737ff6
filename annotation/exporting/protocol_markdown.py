"""The protocol as a Markdown page: guidelines, questions, counting rules, versions of the project's guidelines."""

import re
from collections.abc import Iterable, Iterator

from ..models import GuidelineVersion
from ..protocols import Condition, Protocol, Question
from ..protocols.schema import WRITTEN
from ..reporting.text.figure_format import listed

_HEADING = re.compile(r"^(#{1,6})(?= )", re.MULTILINE)


def guidelines(protocol: Protocol, own: Iterable[GuidelineVersion] = ()) -> str:
    """Return the protocol's text with its conditions in words, then the project's guidelines, newest first."""
    parts = [f"# {protocol.title}", _introduction(protocol), protocol.intro]
    for number, question in enumerate(protocol.questions, start=1):
        parts += _question(number, question, protocol)
    parts += ["## Measures", *_measures(protocol)]
    for version in sorted(own, key=lambda version: -version.number):
        parts += _version(version, protocol)
    return "\n\n".join(part for part in parts if part) + "\n"


def in_words(condition: Condition, protocol: Protocol) -> str:
    """Return a condition in words: “How accurate …?” was answered Inaccurate or Disputed; "" without one."""
    terms = []
    for key, values in condition.items():
        question = protocol.question(key)
        labels = [question.option(value).label for value in values] if question.kind == "choice" else list(values)
        terms.append(f"“{question.text}” was answered {listed(labels, 'or')}")
    return " and ".join(terms)


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


def _introduction(protocol: Protocol) -> str:
    return f"Protocol `{protocol.slug}`, version {protocol.version}. One rating is about one {protocol.unit}."


def _question(number: int, question: Question, protocol: Protocol) -> Iterator[str]:
    yield f"## {number}. {question.text}"
    yield f"*{asked_when(question, protocol)}*"
    yield question.help
    if question.kind in WRITTEN:
        kind = "Web addresses, one per line, in" if question.kind == "urls" else "A text of"
        yield f"{kind} at most {question.max_length} characters."
    lines = [
        f"- **{option.label}**{f': {option.definition}' if option.definition else ''}" for option in question.options
    ]
    yield "\n".join(lines)


def _version(version: GuidelineVersion, protocol: Protocol) -> Iterator[str]:
    """Yield one version as written, with its headings below those of the page."""
    yield f"## The project's own guidelines, version {version.number}"
    yield f"*Published on {version.made_at:%d %B %Y}{f': {version.note}' if version.note else ''}*"
    yield deeper(version.text)
    for question in protocol.questions:
        for option in question.options:
            if words := version.examples.get(question.key, {}).get(option.key):
                yield f"### Examples of {option.label}"
                yield deeper(words)


def deeper(text: str) -> str:
    """Return Markdown with headings two levels lower; lines in code fences that look like headings are lowered too."""
    return _HEADING.sub(lambda found: "#" * min(6, len(found[1]) + 2), text)


def _measures(protocol: Protocol) -> Iterator[str]:
    for measure in protocol.measures:
        among = in_words(measure.among, protocol)
        counted = f"Counts ratings where {in_words(measure.counts, protocol)}"
        denominator = f"those where {among}" if among else "all"
        yield f"- **{measure.label}**: {measure.description} {counted}, among {denominator}."
    for mean in protocol.means:
        yield f"- **{mean.label}**: {mean.description}"
    for score in protocol.scores:
        among = in_words(score.among, protocol)
        denominator = f"those where {among}" if among else "all"
        yield f"- **{score.label}**: {score.description} Weights per 100 ratings, among {denominator}; the first:"
        yield "\n".join(f"    - {entry.weight:g} where {in_words(entry.when, protocol)}" for entry in score.weights)
