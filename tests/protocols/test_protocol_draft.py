"""Protocols that are edited part by part: new keys in all references, parts that are added, moved and removed."""

import pytest

from annotation.protocols import Protocol, ProtocolError, builtin, load, read
from annotation.protocols.draft_fields import conditions, has_parts, tables
from annotation.protocols.protocol_draft import STARTER, ProtocolDraft
from tests.protocol_text import choice, protocol_text

TEXT = (
    protocol_text(
        "own",
        choice("a", "A?", {"yes": "Yes", "no": "No", "cannot": "Can't"}, "123"),
        choice("b", "B?", {"yes": "Yes", "no": "No"}, show_when={"a": ["yes", "no"]}),
        counts={"a": ["yes"], "b": ["yes"]},
        among={"a": ["yes", "no"]},
    )
    + """
[[means]]
key = "proportion"
label = "Proportion"
of = ["a"]
[[means]]
key = "value"
label = "Value"
question = "a"
values = { yes = 1, no = 0 }
[[correlations]]
key = "both"
label = "Both"
between = ["proportion", "value"]
"""
)
EXAMPLE = """
[example]
prompt = "P?"
[[example.items]]
text = "One."
answers = { a = "yes", b = "yes" }
explanation = "Because."
[example.practice]
text = "Two."
answers = { a = "cannot" }
explanation = "Because."
"""


def renamed(keys: dict[tuple, str], text: str = TEXT) -> Protocol:
    """Return the protocol with these new keys."""
    draft = ProtocolDraft(text)
    draft.rename(keys)
    return load(draft.source)


def test_questions_options_measures_and_means_have_their_new_keys_wherever_they_are_named():
    protocol = renamed({("questions", 0): "first", ("questions", 1): "a"})
    assert protocol.question("a").show_when == {"first": ("yes", "no")}
    assert protocol.measures[0].counts == {"first": ("yes",), "a": ("yes",)}
    assert protocol.means[1].question == "first"
    protocol = renamed({("questions", 0, "options", 0): "true", ("measures", 0): "m", ("means", 1): "v"})
    assert protocol.measures[0].counts == {"a": ("true",), "b": ("yes",)}
    assert protocol.question("b").show_when == {"a": ("true", "no")}
    assert protocol.means[0].of == ("m",)
    assert protocol.means[1].values == (("true", 1.0), ("no", 0.0))
    assert protocol.correlations[0].between == ("proportion", "v")
    both = 'both"\nlabel = "Both"\nof = ["proportion", "value"]\n[[correlations]]'
    text = TEXT.replace("[[correlations]]", f'[[means]]\nkey = "{both}', 1)
    assert renamed({("means", 1): "v"}, text).means[2].of == ("proportion", "v")
    example = renamed({("questions", 0): "first", ("questions", 0, "options", 0): "true"}, TEXT + EXAMPLE).example
    assert example.items[0].answers == (("first", "true"), ("b", "yes"))
    assert example.practice.answers == (("first", "cannot"),)


def test_a_key_that_another_part_has_too_leaves_the_references_as_they_are():
    draft = ProtocolDraft(TEXT)
    draft.rename({("questions", 1): "a"})
    assert read(draft.source)[0].measures[0].counts == {"a": ("yes",)}
    assert 'counts = { a = ["yes"], b = ["yes"] }' in draft.source


@pytest.mark.parametrize("slug", sorted(builtin()))
def test_new_keys_of_a_built_in_protocol_and_the_old_ones_again_give_the_same_text(slug):
    text = builtin()[slug].source
    draft = ProtocolDraft(text)
    keys = {path: str(table["key"]) for path, table in tables(draft.fields) if "key" in table}
    draft.rename({path: f"new_{key}"[:40] for path, key in keys.items()})
    renamed = load(draft.source)
    assert all(question.key.startswith("new_") for question in renamed.questions)
    draft.rename(keys)
    assert draft.source == text


def test_new_parts_have_keys_of_their_own_and_a_shortcut_that_is_free():
    draft = ProtocolDraft(TEXT)
    path = draft.add("questions")
    assert path == ("questions", 2)
    assert draft.add("options", ("questions", 2)) == ("questions", 2, "options", 2)
    question = read(draft.source)[0].question("question_1")
    assert question.option_keys == ("option_1", "option_2", "option_3")
    assert question.options[2].shortcut == "4"
    for name in ("measures", "means", "correlations", "scores"):
        draft.add(name)
    draft.add("weights", ("scores", 0))
    keys = [table.get("key") for path, table in tables(draft.fields) if path[0:1] not in ((), ("questions",))]
    assert keys == ["a", "measure_1", "proportion", "value", "mean_1", "both", "correlation_1", "score_1", None]


def test_parts_move_within_their_list_only():
    draft = ProtocolDraft(TEXT)
    assert draft.move(("questions", 0, "options", 0), 1) == ("questions", 0, "options", 1)
    assert read(draft.source)[0].questions[0].option_keys == ("no", "yes", "cannot")
    assert draft.move(("questions", 0), -1) == ("questions", 0)
    assert draft.move(("questions", 1), 1) == ("questions", 1)
    assert [question.key for question in load(draft.source).questions] == ["a", "b"]
    draft.move(("questions", 1), -1)
    with pytest.raises(ProtocolError, match="which is not an earlier question"):
        load(draft.source)


def test_a_removed_option_leaves_the_conditions_that_name_others_too():
    draft = ProtocolDraft(TEXT)
    draft.remove(("questions", 0, "options", 1))
    protocol = load(draft.source.replace(", no = 0", ""))
    assert protocol.question("b").show_when == protocol.measures[0].among == {"a": ("yes",)}
    draft.remove(("questions", 0, "options", 0))
    assert "'yes', which is not an option of 'a'" in "\n".join(map(str, read(draft.source)[1]))


def test_problems_name_the_field_that_they_are_about():
    assert load(STARTER.replace('slug = ""', 'slug = "own"').replace('title = ""', 'title = "Own"'))
    assert [problem.path for problem in read(STARTER)[1]] == [("slug",), ("title",)]
    text = TEXT.replace('between = ["proportion", "value"]', 'between = ["proportion"]').replace('"B?"', "2")
    text = text.replace('b = ["yes"]', 'b = ["yess"]').replace("yes = 1", 'yes = "x"')
    assert {problem.path for problem in read(text)[1]} == {
        ("questions", 1, "text"),
        ("measures", 0, "counts", "b", 0),
        ("means", 1, "values", "yes"),
        ("correlations", 0, "between"),
    }


def test_parts_can_be_edited_where_lists_hold_tables_and_conditions_are_read_as_far_as_possible():
    for text in ("", "[[scores]]\n[[scores.weights]]"):
        assert has_parts(ProtocolDraft(text).fields)
    for text in ("questions = 3", "questions = [1]", '[[questions]]\noptions = "x"'):
        assert not has_parts(ProtocolDraft(text).fields)
    draft = ProtocolDraft('[[questions]]\nshow_when = 3\nrequire_when = { a = "x", b = ["y", 1] }\n')
    assert dict(conditions(draft.fields)) == {
        ("questions", 0, "show_when"): {},
        ("questions", 0, "require_when"): {"a": [], "b": ["y"]},
    }
