"""Reading answers: JSON wherever it stands, validity by the protocol, probabilities of tokens."""

import contextlib
import json
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from annotation.judging.answers import InvalidAnswer, object_in, probability, read_answers
from annotation.protocols import builtin
from tests.cpu_time import cpu_seconds

PROTOCOL = builtin()["article-accuracy"]
GOOD = '{"answers": {"accuracy": "accurate", "severity": null}, "reason": " Yes. ", "quote": null}'


def read(text, questions=(PROTOCOL,), is_list=False):
    return read_answers(text, questions, is_list=is_list)


@pytest.mark.parametrize("text", [GOOD, f"```json\n{GOOD}\n```", f"Here it is: {GOOD} I hope it helps {{}}."])
def test_the_object_is_read_wherever_it_stands(text):
    (answer,) = read(text)
    assert (answer.answers, answer.reason, answer.quote) == ({"accuracy": "accurate"}, "Yes.", "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no JSON object"),
        ("I refuse.", "no JSON object"),
        ('{"answers": {', "JSON is invalid"),
        ('{"judgment": "accurate"}', 'no object "answers"'),
        ('{"answers": "accurate"}', 'no object "answers"'),
        ("{'answers': {'accuracy': 'accurate'}}", "JSON is invalid"),
        (f"<think>Perhaps {GOOD}", "reasoning but no answer"),
        (f"<think>Perhaps {GOOD}</think> I cannot say.", "no JSON object"),
        ('{"answers": {"accuracy": "accurate", "accuracy": "unsupported"}}', 'key "accuracy" twice'),
        ('{"accuracy": "accurate", "accuracy": "unsupported"}', 'key "accuracy" twice'),
        (f'{GOOD} Or rather: {{"answers": {{"accuracy": "inaccurate", "seve', "JSON is invalid"),
        (f'{GOOD} Or rather: {{"answers": {{"accuracy": "inaccurate", "severity": "severe"}}, "n": [', "JSON is in"),
        (f'{GOOD} Or rather:\n```json\n{{"answers": {{"accuracy": "inaccurate",\n```', "JSON is invalid"),
        (f'{GOOD} Or rather: {{"accuracy": "inaccurate", "severity": "se', "gives another one"),
        (f'{GOOD} Or rather: {{"answers": {{"accuracy": "inaccurate" "severity": "severe"}}}}. Done.', "gives another"),
        (f"{GOOD} Or rather: {{'answers': {{'accuracy': 'Inaccurate'}}}}. Done.", "gives another one"),
        (f'{GOOD} Or rather: {{"answers": {{"accuracy": "Inaccurate."}}}}', "not one of the options"),
        (f'{GOOD} Or rather: {{"answers": {"[" * 100_000}', "nested too deeply"),
        (GOOD + '{"' * 100_000 + '{"answers": {"accuracy": "inaccurate", "severity": "severe"}}', "JSON is invalid"),
        (f'{GOOD}\nThe rated text says:\n```json\n{{"answers": {{"accuracy": "disputed"}}}}\n```', "gives another one"),
        (f'{GOOD}\nThe response was:\n{{"accuracy": "disputed"}}', "gives another one"),
        (f'{GOOD}\nThe response ends with the JSON {{"accuracy": "disputed"}}.', "gives another one"),
        (f'{GOOD} Or rather: {{"answers": {{"accuracy": "inaccurate"}}}}', "severity: This question needs an answer"),
        ('{"answers": {"accuracy": "accurate"}, "reason": "The "best" one."}', "JSON is invalid"),
        (f'The response says "{GOOD}", which I cannot judge.', "no JSON object"),
        (f"The response says:\n> {GOOD}", "no JSON object"),
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


def test_hidden_questions_are_pruned_and_a_list_has_each_number_once():
    (answer,) = read('{"answers": {"accuracy": "accurate", "severity": "severe"}}')
    assert answer.answers == {"accuracy": "accurate"}
    keys = {2: "disputed", 1: "accurate"}
    entries = [f'{{"number": {n}, "answers": {{"accuracy": "{key}"}}}}' for n, key in keys.items()]
    with pytest.raises(InvalidAnswer, match="Item 2: severity"):
        read(f'{{"items": [{", ".join(entries)}]}}', (PROTOCOL, PROTOCOL), is_list=True)
    for wrong in (entries[:1], [*entries, entries[0]]):
        with pytest.raises(InvalidAnswer, match="one entry for each number from 1 to 2"):
            read(f'{{"items": [{", ".join(wrong)}]}}', (PROTOCOL, PROTOCOL), is_list=True)


def accuracy_in(text):
    return read(text)[0].answers["accuracy"]


FINAL = '{"answers": {"accuracy": "inaccurate", "severity": "severe"}, "reason": "It says trees, {not} sand."}'
DRAFTS = [
    GOOD,
    '{"accuracy": "accurate"}',
    "Let S = {x | x nests on sand}.",
    "seen = {'herons': 1}",
    '{"answers": {"accuracy": "accurate"',
    '{"a": {"b": [',
    f'The response says: "{GOOD}"',
    f"```json\n{GOOD}\n```",
    f"> {GOOD}",
    'He said "{" and left.',
    "It may end with `</think>`.",
]


@pytest.mark.parametrize("draft", DRAFTS)
def test_the_answer_after_the_drafts_counts(draft):
    for form in ("<think>{}</think>\n", "{}\n</think>\n", "[THINK]{}[/THINK]", "{}\nMy answer:\n"):
        for final in (FINAL, f"```json\n{FINAL}\n```", f"{FINAL} {{}} I am sure."):
            text = form.format(draft) + final
            assert accuracy_in(text) == object_in(text)["answers"]["accuracy"] == "inaccurate", text


PIECES = [
    "<think>",
    "</think>",
    "<analysis>",
    "[/THINK]",
    GOOD,
    "{",
    "}",
    '"',
    '{"a": ',
    "`",
    "```\n",
    "\n",
    " so ",
    "> ",
]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=12).map("".join))
@example('</think>{"answers": {"accuracy": "accurate", "reason": "')
@example("</think>```\n")
def test_whatever_is_thought_the_answer_after_it_counts(reasoning):
    assert accuracy_in(f"<think>{reasoning}</think>\n{FINAL}") == "inaccurate"
    assert accuracy_in(f"<think>{reasoning}\n</think>\n```json\n{FINAL}\n```\n") == "inaccurate"
    with pytest.raises(InvalidAnswer):
        read(f"<think>{reasoning.replace('/', '')}")


def test_answers_without_the_object_are_read_and_the_last_one_counts():
    assert accuracy_in(f'{FINAL}\n{{"confidence": 0.9}}') == "inaccurate"
    assert accuracy_in(f'{FINAL}\n{{"answers": {{"accuracy": "the key of an option"}}}}') == "inaccurate"
    assert accuracy_in(f"{GOOD}\n{FINAL}") == "inaccurate" and accuracy_in(f"{FINAL}\n{GOOD}") == "accurate"
    assert object_in('{"facts": []} {"note": "done"}') == {"facts": []}
    assert object_in('{"a": 1} {"b": 2}') == {"b": 2}
    (answer,) = read(
        '{"accuracy": "inaccurate", "severity": "severe", "reason": "No.", "quote": "on trees", "sure": 1}'
    )
    assert answer.answers == {"accuracy": "inaccurate", "severity": "severe"}
    assert (answer.reason, answer.quote) == ("No.", "on trees")
    entries = [{"number": n, "accuracy": "accurate"} for n in (1, 2)]
    assert len(read(json.dumps({"items": entries}), (PROTOCOL, PROTOCOL), is_list=True)) == 2


def test_a_key_twice_is_ambiguous_only_where_it_decides_between_values():
    assert accuracy_in('{"answers": {"accuracy": "accurate", "accuracy": "accurate"}}') == "accurate"
    (answer,) = read('{"answers": {"accuracy": "accurate"}, "reason": "a", "reason": "b"}')
    assert (answer.answers, answer.reason) == ({"accuracy": "accurate"}, "b")
    twice = '{"number": 1, "number": 2, "accuracy": "accurate"}, {"number": 1, "accuracy": "accurate"}'
    with pytest.raises(InvalidAnswer, match='key "number" twice'):
        read(f'{{"items": [{twice}]}}', (PROTOCOL, PROTOCOL), is_list=True)
    with pytest.raises(InvalidAnswer, match='key "supported" twice'):
        object_in('{"facts": [{"fact": "x", "supported": true, "supported": false}]}')


@pytest.mark.parametrize("number", ["[1]", "null", '"1"', '{"a": 1}', "1e999", "NaN"])
def test_a_number_of_an_item_that_is_none_is_an_invalid_answer(number):
    with pytest.raises(InvalidAnswer, match="one entry for each number"):
        read(f'{{"items": [{{"number": {number}, "accuracy": "accurate"}}]}}', is_list=True)


@pytest.mark.parametrize(
    "note",
    [
        'I used the format {"answers": {...}}.',
        'I used the format {"answers": {"accuracy": "accurate" | "inaccurate"}}.',
        'I used the format {"answers": {"accuracy": the key of an option, "severity": ...}}',
        '{"answers": {"accuracy": "accurate"}, "reason": "The "best" one."} has quotation marks in it.',
        'The rated text says "{"answers": {"accuracy": "disputed"}}", and {"x": y}.',
        '> {"answers": {"accuracy": "disputed"}',
        "The rated text says:\n" + GOOD,
    ],
)
def test_what_is_said_about_the_form_or_the_text_after_the_answer_is_no_other_answer(note):
    assert accuracy_in(f"{GOOD}\n{note}") == "accurate"


@pytest.mark.parametrize("answer", [f"> {GOOD}", f"\n  >{GOOD}\n\n", f"> My answer:\n> {GOOD} as asked\n>\n"])
def test_an_answer_that_is_quoted_completely_is_no_quotation(answer):
    assert accuracy_in(answer) == "accurate"


def test_what_is_introduced_as_a_quotation_counts_where_there_is_nothing_else():
    assert accuracy_in(f"I compared it with the document:\n{GOOD}") == "accurate"
    assert accuracy_in(f"The rated text says:\n{GOOD}\nIt is wrong:\n{FINAL}") == "inaccurate"
    facts = '{{"facts": [{{"fact": "x", "supported": {}}}]}}'.format
    assert object_in(f"{facts('true')} The text contains:\n{facts('true')}")["facts"]
    with pytest.raises(InvalidAnswer, match="gives another one"):
        object_in(f"{facts('true')} The text contains:\n{facts('false')}")


@pytest.mark.parametrize(
    "piece",
    [
        *('{"', '{"a" ', '{"a":x}', '{"a":1,,', '{"a":', '{"a": [', '{"a":"', '{"\n', "{" * 9 + "}" * 9, GOOD),
        *('"{"a": 1}" ', '> {"answers": 1} ', '{"answers": 1} ', '{"answers": 1} {"x', '{"answers": {"accuracy": "'),
    ],
)
def test_the_time_grows_with_the_length(piece):
    def read_pieces(length):
        with contextlib.suppress(InvalidAnswer):
            read(piece * (length // len(piece)) + FINAL)

    assert cpu_seconds(read_pieces, 160_000) < 10 * cpu_seconds(read_pieces, 40_000) + 0.1


def test_the_probability_is_that_of_the_tokens_of_the_option():
    tokens = [('{"x": "', -0.01), ("in", -0.5), ("accurate", -0.25), ('"}', -0.02)]
    text = "".join(token for token, _ in tokens)
    assert probability(text, tokens, "inaccurate") == pytest.approx(math.exp(-0.75))
    assert probability(text, tokens, "accurate") is None
    assert probability(text, [], "inaccurate") is None
    assert probability(text, tokens[:2], "inaccurate") is None
    thought = [("<think>", -3.0), (text, -4.0), ("</think>", -0.1)]
    assert probability(text, [*thought, *tokens], "inaccurate") == pytest.approx(math.exp(-0.75))
