"""What is wrong with a protocol file is said all at once, with the line and in words its author can act on."""

import hashlib
import json
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.protocols import Condition, Problem, Protocol, ProtocolError, builtin, load
from annotation.protocols.loading import MAX_QUESTIONS
from annotation.protocols.toml_source import MAX_CHARACTERS

SMALL = """slug = "small"
version = "1"
title = "Small"
unit = "sentence"

[[questions]]
key = "accuracy"
text = "Is it?"
kind = "choice"

  [[questions.options]]
  key = "yes"
  label = "Yes"
  shortcut = "1"

  [[questions.options]]
  key = "no"
  label = "No"
  shortcut = "2"

[[questions]]
key = "severity"
text = "How bad?"
kind = "text"
show_when = { accuracy = ["no"] }

[[measures]]
key = "good"
label = "Good"
counts = { accuracy = ["yes"] }
among = { accuracy = ["yes", "no"] }
"""


def problems_of(text: str) -> list[Problem]:
    with pytest.raises(ProtocolError) as caught:
        load(text)
    return caught.value.problems


MISTAKES = [
    ("accuracy = [\"no\"] }", "acuracy = [\"no\"] }", 25,
     "question 'severity' refers to 'acuracy', which is not an earlier question; did you mean 'accuracy'?"),
    ("show_when = { accuracy", "show_when = { severity", 25, "refers to 'severity', which is not an earlier question"),
    ('["no"]', '["nope"]', 25, "refers to 'nope', which is not an option of 'accuracy'; did you mean 'no'?"),
    ('["no"]', '["rot"]', 25, "refers to 'rot', which is not an option of 'accuracy'; choose one of yes, no"),
    ('["no"]', '"no"', 25, "'accuracy' must be a list of options of question 'accuracy', each in quotes"),
    ('["no"]', "[]", 25, "'show_when' of question 'severity' names no option of 'accuracy'; name one or more, or"),
    ('["no"]', '["no", "no"]', 25, "question 'severity' names 'no' twice"),
    ('{ accuracy = ["no"] }', '"no"', 25, "'show_when' of question 'severity' must be a table such as"),
    ('label = "Yes"', 'lable = "Yes"', 13, "has no field 'lable'; did you mean 'label'?"),
    ('label = "Yes"', 'lable = "Yes"', 11, "option 'yes' of question 'accuracy' needs 'label', a text in quotes"),
    ('label = "Yes"', 'label = " "', 13, "'label' of option 'yes' of question 'accuracy' is empty"),
    ('label = "No"', 'label = "Yes"', 18, "uses the label 'Yes' again, which line 13 has"),
    ('shortcut = "2"', 'shortcut = "1"', 19, "uses the shortcut '1' again, which line 14 has"),
    ('shortcut = "2"', 'shortcut = "k"', 19,
     "has the shortcut 'k', which means the previous sentence in the workspace"),
    ('shortcut = "2"', 'shortcut = "no"', 19, "is 'no', but must be a small letter or digit (at most 1)"),
    ('key = "no"', 'key = "yes"', 17, "uses the option key 'yes' again, which line 12 has"),
    ('key = "no"', 'key = "No!"', 17, "is 'No!', but must be small letters, digits and underscores, a letter first"),
    ('key = "severity"', 'key = "accuracy"', 22, "uses the question key 'accuracy' again, which line 7 has"),
    ('kind = "text"', 'kind = "slider"', 24,
     "'kind' of question 'severity' is 'slider', but must be one of: choice, text, urls"),
    ('kind = "text"', 'kind = "choice"', 21, "needs 'options', tables headed [[questions.options]]"),
    ('kind = "text"', 'kind = "text"\nmax_length = 0', 25, "'max_length' of question 'severity' must be 1 to"),
    ('kind = "text"', 'kind = "text"\nmax_length = true', 25, "must be a whole number of characters"),
    ('kind = "text"', 'kind = "text"\nrequired = "no"', 25, "'required' of question 'severity' must be true or false"),
    ('kind = "text"', 'kind = "text"\nrequired = false\nrequire_when = {accuracy = ["no"]}', 26,
     "question 'severity' has both required = false and require_when; keep one"),
    ('unit = "sentence"', 'unit = "word"', 4,
     "'unit' of the protocol is 'word', but must be one of: sentence, claim, fact"),
    ('version = "1"', "version = 1", 2, "'version' of the protocol must be a text in quotes"),
    ('slug = "small"', 'slug = "Small one"', 1, "'slug' of the protocol is 'Small one', but must be small letters"),
    ('slug = "small"', 'slugg = "small"', 1, "the protocol has no field 'slugg'; did you mean 'slug'?"),
    ('title = "Small"', 'title = "a\\u0000b"', 3, "'title' of the protocol contains a control character; remove it"),
    ('title = "Small"', f'title = "{"x" * 201}"', 3, "'title' of the protocol has 201 characters; the limit is 200"),
    ('counts = { accuracy = ["yes"] }', 'counts = { severity = ["yes"] }', 30,
     "measure 'good' refers to 'severity', which has no options"),
    ('counts = { accuracy = ["yes"] }', 'counts = { quality = ["yes"] }', 30,
     "measure 'good' refers to 'quality', which is not a question of this protocol"),
    ('counts = { accuracy = ["yes"] }', "counts = {}", 30, "measure 'good' needs 'counts', the answers it counts"),
    ('counts = { accuracy = ["yes"] }', "", 27, "measure 'good' needs 'counts', the answers it counts"),
    ('["yes", "no"]', '["no"]', 30, "measure 'good' counts 'yes', which its 'among' excludes; one of the two is wrong"),
    ('label = "Good"', 'label = "Good"\nbetter = "more"', 30, "is 'more', but must be one of: higher, lower, neither"),
    ("[[measures]]", "[measures]", 27, "'measures' of the protocol must be tables headed [[measures]]"),
    ('unit = "sentence"', 'unit = "sentence', 4, "this is not valid TOML"),
    ('unit = "sentence"', 'unit = "sentence"\nunit = "claim"', 5, "the same name seems to be given twice"),
]  # fmt: skip


@pytest.mark.parametrize(("right", "wrong", "line", "message"), MISTAKES, ids=[mistake[3][:60] for mistake in MISTAKES])
def test_a_mistake_is_told_in_plain_words_with_its_line(right: str, wrong: str, line: int, message: str) -> None:
    assert right in SMALL
    problems = problems_of(SMALL.replace(right, wrong, 1))
    assert [problem for problem in problems if problem.line == line and message in problem.message], problems


def test_the_example_itself_has_no_mistake_and_all_mistakes_of_others_are_told_at_once_by_line() -> None:
    protocol = load(SMALL)
    assert protocol.question("severity").max_length == 5_000
    assert protocol.question("severity").required
    assert protocol.left_out("accuracy") == ()
    wrong = SMALL.replace('"sentence"', '"word"').replace('["no"]', '["nope"]', 1).replace('"Good"', "1")
    with pytest.raises(ProtocolError, match=r"(?s)^line 4: 'unit'.*\nline 25: question.*\nline 29: 'label'") as caught:
        load(wrong)
    assert [problem.line for problem in caught.value.problems] == [4, 25, 29]


def test_an_empty_file_is_told_what_a_protocol_needs_and_too_many_questions_are_refused() -> None:
    needed = [problem.message.split("'")[1] for problem in problems_of("")]
    assert needed == ["slug", "version", "title", "unit", "questions", "measures"]
    question = '[[questions]]\nkey = "q{}"\ntext = "?"\nkind = "text"\n'
    many = SMALL + "".join(question.format(n) for n in range(MAX_QUESTIONS))
    assert problems_of(many)[0].message == "the protocol has 32 questions; it needs 1 to 30"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("#" * (MAX_CHARACTERS + 1), 1, "at most 200000 are read"),
        ("a = 1\nb = '\ud800'", 2, "this is not UTF-8"),
        ("a = " + "9" * 5_000, 1, "this is not valid TOML"),
        ('"a\\u0000b" = 1', 1, "the protocol has no field 'a\ufffdb'"),
    ],
    ids=["long", "surrogate", "number", "control character"],
)
def test_hostile_files_are_refused_and_nothing_else_happens(text: str, line: int, message: str) -> None:
    assert [problem for problem in problems_of(text) if problem.line == line and message in problem.message]


@pytest.mark.usefixtures("collected_garbage")
def test_files_nested_deeper_than_the_stack_are_refused() -> None:
    for text, message in (
        ("x = " + "[" * 50_000, "line 1: brackets are nested too deeply"),
        ("b = 1\n" + "a." * 20_000 + "a = 1", "line 2: a key with so many dots is nested too deeply"),
    ):
        assert message in str(problems_of(text)[0])


@given(st.data())
@settings(max_examples=60)
def test_whatever_is_done_to_a_file_it_loads_or_says_where_it_is_wrong(data: st.DataObject) -> None:
    lines = SMALL.split("\n")
    for _ in range(data.draw(st.integers(1, 3))):
        n = data.draw(st.integers(0, len(lines) - 1))
        line, column = lines[n], data.draw(st.integers(0, len(lines[n])))
        pieces = st.sampled_from([*lines, "[", "x = {}", "[[x]]", "key = 1"]) | st.text(max_size=10)
        other = data.draw(pieces)
        changes = [[], [other], [line, other], [line[:column] + line[column + 1 :]], [line[:column] + other]]
        lines[n : n + 1] = data.draw(st.sampled_from(changes))
        lines = lines or [""]
    text = "\n".join(lines)
    try:
        assert isinstance(load(text), Protocol)
    except ProtocolError as error:
        assert error.problems
        assert all(1 <= problem.line <= text.count("\n") + 1 and problem.message for problem in error.problems)


def test_a_protocol_is_known_by_its_text_whatever_its_line_ends_and_cannot_be_changed() -> None:
    protocol = load(SMALL)
    assert load("\ufeff" + SMALL.replace("\n", "\r\n")) == protocol
    assert protocol.source == SMALL
    assert protocol.sha256 == hashlib.sha256(SMALL.encode()).hexdigest()
    with pytest.raises(FrozenInstanceError):
        protocol.title = "Other"
    with pytest.raises(TypeError):
        protocol.measures[0].counts["accuracy"] = ("no",)
    assert hash(protocol) == hash(load(SMALL))
    condition = protocol.measures[0].among
    assert condition == dict(condition) == {"accuracy": ("yes", "no")} == Condition.of({"accuracy": ["yes", "no"]})
    assert not Condition()
    builtin().clear()  # callers may keep theirs apart
    slugs = "article-accuracy article-accuracy-weighted claim-attribution fact-support pairwise-preference"
    assert " ".join(builtin()) == f"{slugs} reference-support web-factuality"


def test_the_page_gets_all_it_needs_to_ask_and_no_source() -> None:
    page = load(SMALL).as_json()
    assert json.loads(json.dumps(page)) == page
    assert list(page) == ["slug", "version", "sha256", "title", "unit", "intro", "questions"]
    assert page["questions"][1] == {
        "key": "severity", "text": "How bad?", "kind": "text", "help": "", "required": True, "options": [],
        "show_when": {"accuracy": ["no"]}, "require_when": {}, "max_length": 5_000, "shortcut": "", "once": False,
        "kinds": [],
    }  # fmt: skip
    first = {"key": "yes", "label": "Yes", "definition": "", "shortcut": "1", "sign": "", "tone": "neutral"}
    assert page["questions"][0]["options"][0] == first
