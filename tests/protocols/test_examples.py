"""Examples of protocols: of built-in ones, in a file of one's own, and what is wrong with them, by line."""

import hashlib
from pathlib import Path

import pytest

from annotation.protocols import ProtocolError, builtin, choices, earlier_builtin, load, problems, texts_of

EXAMPLE = """
[example]
prompt = "How far do terns fly?"
passage = "Terns fly 11.8 km."

[[example.items]]
text = "They fly 11.8 km."
answers = { accuracy = "accurate" }
explanation = "The passage says so."

[example.practice]
text = "They fly 12.8 km."
answers = { accuracy = "inaccurate", severity = "severe" }
explanation = "One kilometer too far."
"""
# SHA-256 of the built-in protocols' files. A stored version is pinned by it, and translated because of it.
PINNED = {
    "article-accuracy": "0be7a111",
    "article-accuracy-weighted": "e47231f2",
    "claim-attribution": "3824c8bb",
    "fact-support": "5ef603e5",
    "pairwise-preference": "83c92bff",
    "reference-support": "f6fa83bc",
    "web-factuality": "e1452cd1",
}


def source(example: str = EXAMPLE) -> str:
    return builtin()["article-accuracy"].source.replace('slug = "article-accuracy"', 'slug = "own"') + example


def problems_of(example: str) -> list[str]:
    """Return the problems with line numbers within `example`."""
    before = source("").count("\n")
    with pytest.raises(ProtocolError) as caught:
        load(source(example))
    return [f"{problem.line - before}: {problem.message}" for problem in caught.value.problems]


def test_the_example_of_a_file_is_read():
    protocol = load(source())
    example = protocol.example
    assert (example.prompt, example.passage, example.response) == ("How far do terns fly?", "Terns fly 11.8 km.", "")
    assert [(item.text, item.answers) for item in example.items] == [("They fly 11.8 km.", (("accuracy", "accurate"),))]
    assert example.practice.answers == (("accuracy", "inaccurate"), ("severity", "severe"))
    assert {"Terns fly 11.8 km.", "One kilometer too far."} <= set(texts_of(protocol))
    assert load(source("")).example is None


@pytest.mark.parametrize("slug", PINNED)
def test_built_in_protocols_keep_the_pinned_text_and_have_examples_whose_explained_answers_could_be_saved(slug):
    protocol = builtin()[slug]
    assert "[example" not in protocol.source
    assert protocol.sha256 == hashlib.sha256(protocol.source.encode()).hexdigest()
    assert protocol.sha256.startswith(PINNED[slug])
    assert protocol.slug == slug and load(protocol.source) == protocol
    for item in (*protocol.example.items, protocol.example.practice):
        asked = protocol.for_item(is_last=False, kind=item.kind)
        answers = {key: answer for key, answer in item.answers if key not in protocol.once_keys}
        assert problems(asked, answers) == {}
        assert choices(asked, answers)
        assert item.explanation


def test_earlier_versions_keep_their_text_and_the_examples_of_all_fit_files_of_ones_own():
    earlier = earlier_builtin()
    assert {sha256[:8]: f"{each.slug} {each.version}" for sha256, each in earlier.items()} == {
        "61cb735e": "fact-support 1"
    }
    for sha256, protocol in earlier.items():
        assert hashlib.sha256(protocol.source.encode()).hexdigest() == sha256
        assert protocol.example and protocol.example.practice
        assert load(protocol.source) == protocol
    versions = builtin() | {f"{each.slug}-{each.version}": each for each in earlier.values()}
    for path in Path("annotation/protocols/builtin/examples").glob("*.toml"):
        version = versions[path.stem]
        own = version.source.replace(f'slug = "{version.slug}"', 'slug = "own"')
        assert load(f"{own}\n{path.read_text(encoding='utf-8')}").example == version.example


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('prompt = "How far do terns fly?"', "", "2: the example needs 'prompt', a text in quotes"),
        ('{ accuracy = "accurate" }', "{ }", "8: item 1 of the example, 'accuracy': This question needs an answer."),
        ('"accurate"', '"acurate"', "8: item 1 of the example, 'accuracy': 'acurate' is not one of the options: accur"),
        ('"accurate" }', '"accurate", severity = "severe" }', "8: item 1 of the example answers 'severity', which is"),
        ("passage", "pasage", "4: the example has no field 'pasage'; did you mean 'passage'?"),
        (', severity = "severe"', "", "13: the practice item, 'severity': This question needs an answer."),
        ("[example.practice]", "[example.practise]", "11: the example has no field 'practise'; did you mean 'practi"),
        ('explanation = "One kilometer too far."', "", "11: the practice item needs 'explanation', a text in quotes"),
    ],
)
def test_each_problem_of_an_example_is_named_with_its_line(old, new, expected):
    [problem] = problems_of(EXAMPLE.replace(old, new, 1))
    assert problem.startswith(expected)


def test_the_items_of_an_example_of_pairs_have_two_texts():
    pairs = builtin()["pairwise-preference"]
    assert pairs.example.items[0].against
    own = pairs.source.replace('slug = "pairwise-preference"', 'slug = "own"')
    text = '\n[example]\nprompt = "Why?"\n[[example.items]]\ntext = "So."\nexplanation = "Yes."\n'
    with pytest.raises(ProtocolError, match="item 1 of the example needs 'against'"):
        load(own + text + 'answers = { preference = "a" }\n')
