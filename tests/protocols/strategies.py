"""Unusual protocols, conditions and answers, for the tests that compare Python, SQL and JavaScript."""

import json

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from annotation.protocols import Condition, Option, Protocol, Question

# What trips up a lookup, a quotation or a comparison in one of the three languages.
ODD = [
    "accuracy", "severity", "severe", "__proto__", "constructor", "toString", "hasOwnProperty", "length",
    "prototype", "", " ", "0", "1", "-1", "1.0", "true", "null", "undefined", "NaN", "[]", "{}", "a.b", "a b",
    "$.a", "?", "%", "%s", "it's", "''", 'say "no"', "back\\slash", "\\u0041", "; --", "$1", "${x}", "tab\t",
    "line\nend", "\r", "\x7f", "\ufeff", "é", "e\u0301", "ß", "SS", "İ", "ﬁ", "\u2028", "\u00a0", "𝔘", "😀",
    "👩‍🔬", "中文", "\u202eabc", "\ufffd",
]  # fmt: skip
storable = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
words = st.sampled_from(ODD) | st.text(storable, max_size=6)
odd_texts = st.text(st.sampled_from("ab \t\n\r\u00a0\ufeff\x1c\0\ud800\udfff😀é"), max_size=8)
other_json = st.none() | st.booleans() | st.integers(-2, 2) | st.just(1.5) | st.lists(words, max_size=2)
other_json |= st.dictionaries(words, words, max_size=2)
conditions = st.dictionaries(words, st.lists(words, min_size=1, max_size=3), max_size=3)


def examples(strategy: st.SearchStrategy, count: int) -> list:
    """Return that many examples of a strategy, the same in every run, as parsed JSON."""
    examples_ = []

    @settings(
        max_examples=count,
        database=None,
        derandomize=True,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(example: object) -> None:
        examples_.append(example)

    collect()
    return examples_


@st.composite
def conditions_with_answers(draw: st.DrawFn) -> tuple[dict, dict]:
    """Draw a condition, and answers of which many fulfill it."""
    condition = draw(conditions)
    answers = draw(st.dictionaries(words, words | other_json, max_size=2))
    for key, values in condition.items():
        if draw(st.integers(0, 3)):
            value = draw(st.sampled_from(values))
            answers[key] = draw(st.sampled_from([value, value, look_alike(value)]) | words | other_json)
    return condition, answers


def look_alike(value: str) -> object:
    """Return a value of another type that a careless comparison takes for the same: 1 for "1", true for "true"."""
    try:
        return json.loads(value, parse_constant=str)
    except ValueError:
        return [value]


@st.composite
def questions(draw: st.DrawFn, key: str, earlier: list[Question]) -> Question:
    kind = draw(st.sampled_from(["choice", "choice", "text", "urls"]))
    keys = draw(st.lists(words, min_size=1, max_size=3, unique=True)) if kind == "choice" else []
    return Question(
        key=key,
        text="?",
        kind=kind,
        options=tuple(Option(key=option, label=option) for option in keys),
        show_when=draw(conditions_on(earlier)),
        require_when=draw(conditions_on(earlier)),
        required=draw(st.booleans()),
        max_length=draw(st.integers(1, 4) | st.none()) if kind == "text" else None,
        once=draw(st.booleans()),
    )


@st.composite
def conditions_on(draw: st.DrawFn, earlier: list[Question]) -> Condition:
    named = draw(st.lists(st.sampled_from(earlier), max_size=2, unique=True)) if earlier else []
    return Condition.of({q.key: draw(st.lists(values_of(q), min_size=1, max_size=3)) for q in named})


def values_of(question: Question) -> st.SearchStrategy[str]:
    if question.kind == "urls":
        return odd_addresses
    return st.sampled_from(question.option_keys) if question.options else words


# Pieces of which good, odd and dangerous addresses are made, several to an answer.
_PIECES = [
    "http://", "https://", "HTTPS://", "javascript:", "data:", "//", "/", "a.example", "b.example.", "a..b",
    "localhost", "münchen.example", "[::1]", "[::", ":80", ":99999999", "user@", "%40", "\\", "?q=1", "#f", "é", "😀",
    "<", ">", '"', "'", " ", "\t", "\r", "\n", "\n\n", "\u00a0", "\u2028", "\u202e", "\ufeff", "\x85", "\x1c",
    "\0", "\ud800", "x" * 1999,
]  # fmt: skip
odd_addresses = st.lists(st.sampled_from(_PIECES), max_size=7).map("".join)
odd_addresses |= st.lists(
    st.sampled_from(["https://a.example/b", "http://c.example", "javascript:alert(1)"]), max_size=3
).map("\n".join)


@st.composite
def protocols_with_answers(draw: st.DrawFn) -> tuple[Protocol, dict]:
    """Draw a protocol of up to five questions, and answers: valid, invalid, missing and to unknown questions."""
    asked_so_far: list[Question] = []
    for key in draw(st.lists(words, min_size=1, max_size=5, unique=True)):
        asked_so_far.append(draw(questions(key, asked_so_far)))
    answers = draw(st.dictionaries(words | odd_texts, other_json | odd_texts, max_size=2))
    for question in asked_so_far:
        if draw(st.integers(0, 4)):
            answers[question.key] = draw(values_of(question) | values_of(question) | odd_texts | other_json)
    protocol = Protocol("odd", "1", "Odd", "sentence", "", tuple(asked_so_far), ())
    return protocol, json.loads(json.dumps(answers))
