"""Reading answers: JSON wherever it stands, validity by the protocol, probabilities of tokens."""

import math

import pytest

from annotation.judging.answers import InvalidAnswer, probability, read_answers
from annotation.protocols import builtin

PROTOCOL = builtin()["article-accuracy"]
GOOD = '{"answers": {"accuracy": "accurate", "severity": null}, "reason": " Yes. ", "quote": null}'


def read(text, questions=(PROTOCOL,), is_list=False):
    return read_answers(text, questions, is_list=is_list)


@pytest.mark.parametrize("text", [GOOD, f"```json\n{GOOD}\n```", f"Here it is: {GOOD} I hope it helps {{}}."])
def test_the_first_object_is_read(text):
    (answer,) = read(text)
    assert (answer.answers, answer.reason, answer.quote) == ({"accuracy": "accurate"}, "Yes.", "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no JSON object"),
        ("I refuse.", "no JSON object"),
        ('{"answers": {', "JSON is invalid"),
        ('{"accuracy": "accurate"}', 'no object "answers"'),
        ('{"answers": {"accuracy": "Accurate"}}', "not one of the options"),
        ('{"answers": {"accuracy": ["accurate"]}}', "not one of the options"),
        ('{"answers": {"accuracy": "inaccurate"}}', "severity: This question needs an answer"),
        ('{"answers": {"accuracy": "accurate", "mood": "good"}}', "mood"),
        ('{"answers": {}}', "needs an answer"),
        ('{"a":' * 100_000, "JSON is"),
    ],
)
def test_what_is_invalid_is_named(text, message):
    with pytest.raises(InvalidAnswer, match=message):
        read(text)


def test_an_answer_to_a_hidden_question_is_pruned_as_for_people():
    (answer,) = read('{"answers": {"accuracy": "accurate", "severity": "severe"}}')
    assert answer.answers == {"accuracy": "accurate"}


def test_a_list_has_each_number_once_in_any_order():
    entries = [
        f'{{"number": {n}, "answers": {{"accuracy": "{key}"}}}}' for n, key in ((2, "disputed"), (1, "accurate"))
    ]
    with pytest.raises(InvalidAnswer, match="Item 2: severity"):
        read(f'{{"items": [{", ".join(entries)}]}}', (PROTOCOL, PROTOCOL), is_list=True)
    for wrong in (entries[:1], [*entries, entries[0]]):
        with pytest.raises(InvalidAnswer, match="one entry for each number from 1 to 2"):
            read(f'{{"items": [{", ".join(wrong)}]}}', (PROTOCOL, PROTOCOL), is_list=True)


def test_the_probability_is_that_of_the_tokens_of_the_option():
    tokens = [('{"x": "', -0.01), ("in", -0.5), ("accurate", -0.25), ('"}', -0.02)]
    text = "".join(token for token, _ in tokens)
    assert probability(text, tokens, "inaccurate") == pytest.approx(math.exp(-0.75))
    assert probability(text, tokens, "accurate") is None
    assert probability(text, [], "inaccurate") is None
    assert probability(text, tokens[:2], "inaccurate") is None
