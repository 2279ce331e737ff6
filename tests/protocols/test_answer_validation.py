"""Pruning, checking and the choices that are counted, on answers as they come in."""

import json

import pytest
from hypothesis import given, settings

from annotation.protocols import Protocol, builtin, choices, holds, load, problems, prune, visible_questions
from tests.protocol_text import choice, protocol_text, question

from .strategies import protocols_with_answers

YES_NO = {"yes": "Yes", "no": "No"}
CHAIN = protocol_text(
    "chain",
    choice("a", "A?", YES_NO),
    choice("b", "B?", YES_NO, show_when={"a": ["yes"]}),
    question("why", "Why?", max_length=5, show_when={"b": ["yes", "no"]}, require_when={"b": ["no"]}),
    question("note", "Anything else?", required=False),
    counts={"a": ["yes"]},
)


@pytest.fixture
def accuracy() -> Protocol:
    return builtin()["article-accuracy"]


@pytest.fixture
def chain() -> Protocol:
    return load(CHAIN)


def test_hidden_and_empty_answers_are_pruned_and_only_shown_choices_are_counted(accuracy, chain) -> None:
    assert prune(accuracy, {"accuracy": "accurate", "severity": "severe"}) == {"accuracy": "accurate"}
    assert prune(chain, {"why": "so", "b": "yes", "a": "no"}) == {"a": "no"}
    assert prune(chain, {"a": "no", "b": None, "note": " \r\n", "stranger": None}) == {"a": "no"}
    assert list(prune(chain, {"note": "n", "x": "y", "b": "yes", "a": "yes"})) == ["a", "b", "note", "x"]
    answers = {"note": "n", "b": "yes", "why": "w", "a": "yes", "stranger": "x"}
    assert list(choices(chain, answers).items()) == [("a", "yes"), ("b", "yes")]
    assert choices(accuracy, {"severity": "severe", "accuracy": "accurate"}) == {"accuracy": "accurate"}
    assert choices(accuracy, {"accuracy": None}) == {}


def test_severity_is_asked_and_needed_for_three_of_the_five_answers(accuracy: Protocol) -> None:
    for option in accuracy.question("accuracy").option_keys:
        is_asked = option in ("disputed", "unsupported", "inaccurate")
        keys = [question.key for question in visible_questions(accuracy, {"accuracy": option})]
        assert keys == ["accuracy", "severity"][: 1 + is_asked]
        assert ("severity" in problems(accuracy, {"accuracy": option})) == is_asked
    condition = {"accuracy": ("inaccurate", "disputed"), "severity": ("severe",)}
    for severity, is_met in (({"severity": "severe"}, True), ({}, False), ({"severity": None}, False)):
        assert holds(condition, {"accuracy": "disputed"} | severity) == is_met
    assert holds({}, {})


def test_complete_answers_have_no_problems_and_missing_ones_are_named(accuracy: Protocol, chain: Protocol) -> None:
    assert problems(accuracy, {"accuracy": "accurate"}) == {}
    assert problems(accuracy, {"accuracy": "inaccurate", "severity": "not_severe"}) == {}
    assert problems(accuracy, {"accuracy": "accurate", "severity": "of no interest: hidden"}) == {}
    assert problems(accuracy, {}) == {"accuracy": ["This question needs an answer."]}
    assert problems(chain, {"a": "yes", "b": "no", "why": " "}) == {"why": ["This question needs an answer."]}
    assert problems(chain, {"a": "yes", "b": "yes"}) == {}


def test_an_unknown_option_or_question_is_told_which_there_are(accuracy: Protocol) -> None:
    allowed = "accurate, disputed, unsupported, inaccurate, cannot_assess"
    wrong = [("acurate", "'acurate'"), ("", "''"), (1, "A number"), (True, "True or false"), (["accurate"], "A list")]
    for answer, said in [*wrong, ({}, "An object")]:
        [message] = problems(accuracy, {"accuracy": answer})["accuracy"]
        assert message == f"{said} is not one of the options: {allowed}."
    message = "'acuracy' is not a question of this protocol; its questions are: accuracy, severity."
    assert problems(accuracy, {"accuracy": "accurate", "acuracy": "accurate"}) == {"acuracy": [message]}


def test_a_text_may_be_as_long_as_the_protocol_says_and_hold_what_the_database_can_store(accuracy, chain) -> None:
    answers = {"a": "yes", "b": "yes"}
    assert problems(chain, {**answers, "why": "😀😀😀😀😀"}) == {}
    too_long = "The text has 6 characters; at most 5 are allowed."
    assert problems(chain, {**answers, "why": "sixsix"}) == {"why": [too_long]}
    assert problems(chain, {**answers, "why": 5}) == {"why": ["A number is not a text."]}
    refusal = "The text contains a character that cannot be stored (NUL, or half of a surrogate pair)."
    for sent in (r'"a\u0000"', r'"\ud800"'):
        assert problems(chain, {"a": "no", "note": json.loads(sent)}) == {"note": [refusal]}
    messages = problems(accuracy, {"accuracy": "\ud800\0" * 5_000, "\udfff" * 5_000: 1})
    assert len(json.dumps(messages, ensure_ascii=False).encode()) < 2_000


@given(protocols_with_answers())
@settings(max_examples=60)
def test_pruning_leaves_only_what_is_shown_and_is_done_at_once(example: tuple[Protocol, dict]) -> None:
    protocol, answers = example
    pruned = prune(protocol, answers)
    keys = {question.key for question in visible_questions(protocol, pruned)}
    hidden = {question.key for question in protocol.questions} - keys
    assert not hidden & pruned.keys()
    assert prune(protocol, pruned) == pruned
    assert problems(protocol, pruned) == problems(protocol, answers)
