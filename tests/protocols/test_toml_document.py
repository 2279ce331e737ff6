"""TOML texts that are changed by paths: what is not changed stays, comments with their tables."""

import re
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.protocols import builtin
from annotation.protocols.toml_document import TomlDocument

TEXT = '''\
# A protocol of birds.
slug = "birds" # its name

# the first question
[[questions]]
key = "a"

# option one
[[questions.options]]
key = "one"
# below option one

# Here the second question begins.

# the second question
[[questions]]
key = "b"
show_when.a = ["one"] # not two
help = """
[[questions]]
# no comment
"""

[[measures]]
key = "m"

[measures.counts]
a = ["one"] # counted
'''


def changed(*change: object, text: str = TEXT) -> str:
    """Return the text after one call of a method."""
    document = TomlDocument(text)
    name, *arguments = change
    getattr(document, str(name))(*arguments)
    return document.text


def test_a_text_stays_as_it_is_but_for_a_changed_value_and_a_new_one_which_follows_the_others():
    texts = [TEXT, "", "# nothing", "a = 1", "\n\n[[b]]\nc = 1\n# end\n\n# apart"]
    for text in [*texts, *(protocol.source for protocol in builtin().values())]:
        assert TomlDocument(text).text == text
    assert changed("set", ("slug",), 'say "no"') == TEXT.replace('"birds" #', '"say \\"no\\"" #')
    assert changed("set", ("questions", 0, "key"), "c") == TEXT.replace('key = "a"', 'key = "c"')
    text = changed("set", ("questions", 0, "text"), "Is it so?")
    assert text == TEXT.replace('key = "a"\n', 'key = "a"\ntext = "Is it so?"\n')


@pytest.mark.parametrize("value", ["two\nlines", 'a\nb"""\\', " \n", "'''\n\t", "é\u2028\n\U0001f600"])
def test_a_text_of_several_lines_is_written_in_several_lines(value):
    text = changed("set", ("questions", 1, "help"), value)
    assert tomllib.loads(text)["questions"][1]["help"] == value
    assert len(text.split("\n")) > len(changed("set", ("questions", 1, "help"), "one").split("\n"))


def test_conditions_and_lists_keep_their_form_and_their_comments():
    dotted = changed("set", ("questions", 1, "show_when"), {"a": ["one", "two"], "c": ["x"]})
    assert 'show_when.a = ["one", "two"] # not two\nshow_when.c = ["x"]\n' in dotted
    headed = changed("set", ("measures", 0, "counts"), {"a": ["one", "two"]})
    assert headed == TEXT.replace('["one"] # counted', '["one", "two"] # counted')
    assert "counts" not in changed("set", ("measures", 0, "counts"), None)
    inline = changed("set", ("when",), {"a": ["one"], "b": ["x"]}, text='when = { a = ["one"] } # here\n')
    assert inline == 'when = { a = ["one"], b = ["x"] } # here\n'
    text = 'counts = { a = [\n  "x", # first\n  "y", # second\n  "z",\n] }\n'
    text = changed("set", ("counts",), {"a": ["x", "z", "w"]}, text=text)
    assert text == 'counts = { a = [\n  "x", # first\n  "z",\n  "w",\n] }\n'


def test_a_table_moves_and_is_removed_with_its_inner_tables_and_comments():
    text = changed("swap", ("questions",), 0)
    assert text.index("# the second question") < text.index("# the first question") < text.index("# option one")
    assert text.index("# below option one") < text.index("# Here the second question begins.")
    assert changed("swap", ("questions",), 0, text=text).count("#") == TEXT.count("#")
    text = changed("remove", ("questions", 0))
    assert [each["key"] for each in tomllib.loads(text)["questions"]] == ["b"]
    for comment in ("# the first question", "# option one", "# below option one"):
        assert comment not in text
    assert "# Here the second question begins." in text
    assert "# A protocol of birds." in text


def test_a_new_table_stands_after_the_last_one_of_its_list_or_else_of_its_parent():
    text = changed("append", ("questions",), {"key": "c", "options": [{"key": "x"}, {"key": "y"}]})
    assert tomllib.loads(text)["questions"][2] == {"key": "c", "options": [{"key": "x"}, {"key": "y"}]}
    assert text.index('key = "c"') < text.index("[[measures]]")
    text = changed("append", ("questions", 1, "options"), {"key": "x"})
    assert tomllib.loads(text)["questions"][1]["options"] == [{"key": "x"}]
    assert tomllib.loads(changed("append", ("scores",), {"key": "s"}))["scores"] == [{"key": "s"}]
    assert tomllib.loads(changed("append", ("a",), {"b": 1}, text="c = 1"))["a"] == [{"b": 1}]
    text = changed("add_table", ("example",), {"prompt": "", "items": [{"text": ""}]}, text="c = 1\n[[a]]\nb = 1\n")
    assert text == 'c = 1\n[[a]]\nb = 1\n\n[example]\nprompt = ""\n\n[[example.items]]\ntext = ""\n'
    text = changed("add_table", ("example", "practice"), {"text": "x"}, text=f"{text}\n[[d]]\n")
    assert text.endswith('[[example.items]]\ntext = ""\n\n[example.practice]\ntext = "x"\n\n[[d]]\n')
    inline = changed("add_table", ("example", "practice"), {"text": "x"}, text='example = { prompt = "" }\n')
    assert tomllib.loads(inline) == {"example": {"prompt": "", "practice": {"text": "x"}}}


def test_tables_in_inline_lists_and_between_others_are_changed():
    text = "weights = [\n  # heavy first\n  { weight = 5 }, # five\n  { weight = 1 },\n]\n"
    assert "# heavy first\n  { weight = 1 }, # five\n  { weight = 5 }," in changed("swap", ("weights",), 0, text=text)
    assert "  { weight = 1 },\n  { weight = 2 },\n]" in changed("append", ("weights",), {"weight": 2}, text=text)
    assert tomllib.loads(changed("remove", ("weights", 0), text=text)) == {"weights": [{"weight": 1}]}
    assert "{ weight = 0.5 }, # five" in changed("set", ("weights", 0, "weight"), 0.5, text=text)
    text = "[[a]]\nn = 1\n[[b]]\n[[a.c]]\nm = 1\n[[a]]\nn = 2\n"
    swapped = tomllib.loads(changed("swap", ("a",), 0, text=text))
    assert swapped == {"a": [{"n": 2}, {"n": 1, "c": [{"m": 1}]}], "b": [{}]}
    assert tomllib.loads(changed("remove", ("a", 0), text=text)) == {"a": [{"n": 2}], "b": [{}]}


values = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, dict]:
    """Draw a TOML text with comments and empty lines in many places, and its fields."""
    lines = []

    def put(*new: str) -> None:
        lines.extend(draw(st.lists(st.sampled_from(["", "# note", "  # [[a]]", '# "x']), max_size=3)))
        lines.extend(new)

    put('key = "k" # end')
    for name in draw(st.lists(st.sampled_from("ab"), max_size=5)):
        put(f"[[{name}]]")
        put(f"n = {len(lines)}")
        for _ in range(draw(st.integers(0, 2))):
            put(f"  [[{name}.inner]] # inner", f"m = {len(lines)}")
    text = "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n# end", "\n# end\n\n"]))
    return text, tomllib.loads(text)


@given(documents(), st.data())
def test_any_change_has_the_effect_of_the_same_change_of_the_fields(drawn, data):
    text, fields = drawn
    document, comments = TomlDocument(text), len(re.findall("#", text))
    lists = [(name, fields[name]) for name in fields if name != "key"]
    if lists:
        name, entries = data.draw(st.sampled_from(lists))
        n = data.draw(st.integers(0, len(entries) - 1))
        if n + 1 < len(entries):
            document.swap((name,), n)
            entries[n], entries[n + 1] = entries[n + 1], entries[n]
        value = data.draw(values)
        document.set((name, n, "text"), value)
        entries[n]["text"] = value
        document.append((name, n, "inner"), {"m": 1})
        entries[n].setdefault("inner", []).append({"m": 1})
        assert document.fields == fields
        assert len(re.findall("#", document.text.replace(value, ""))) >= comments
        document.remove((name, n))
        del entries[n]
    assert {key: value for key, value in document.fields.items() if value} == {k: v for k, v in fields.items() if v}
