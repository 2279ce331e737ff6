"""Lines of TOML values. In these texts @ stands for the number of its own line, so that each value says where it is."""

import tomllib
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from annotation.protocols.toml_lines import KeyPath, line_numbers, line_of

ODD = '''# questions = [ "not this" ]
plain = @
  indented = @ # a comment with ] } " and \'\'\'
"quoted = key" = @
'single "quoted" key' = @
dotted . "and.quoted".key = @
text = """
[[questions]]
key = "not this either" \\""" still text
"""""
literal = \'\'\'
it = 'is' not a value \'\'\'
empty = ""
after_empty = @
date = 1979-05-27 07:32:00
number = 1.5e3
list = [ @, [ @, @ ],   # ]
  @,
  "x", { inside = @, deep.er = @, more = [
    @ ] },
]
table = { a = @, b = { c = @ } }

[[questions]]
n = @
  [[questions.options]]
  n = @
  [[questions.options]]
  n = @
  [questions.show_when]
  n = [ @ ]

[[questions]]
n = @
  [[questions.options]]
  n = @
[ "a b" . c ]
n = @
[[x.y.z]]
n = @
[x.y.z.w]
n = @'''

FRAGMENTS = [
    "key{n} = @", "[table{n}]", "[[list]]", "[[list.inner]]", "# comment ' \" [ {{", "",
    'text{n} = """\n[[list]]\n\\""" = 1\n"""', "lit{n} = '''\n\n[x]'''", 'str{n} = "a # b \\" ] ,"',
    "many{n} = [\n @, # one\n\n [@, {{ a = @ }}],\n]", "inline{n} = {{ a = @, 'b c'.d = [@, @] }}",
]  # fmt: skip


def numbered(text: str) -> str:
    return "\n".join(line.replace("@", str(n)) for n, line in enumerate(text.split("\n"), 1))


def values(data: object, path: KeyPath = ()) -> Iterator[tuple[KeyPath, object]]:
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else None
    if entries is None:
        yield path, data
    else:
        for key, inside in entries:
            yield from values(inside, (*path, key))


def assert_every_number_is_its_line(text: str) -> int:
    numbers = [(path, value) for path, value in values(tomllib.loads(text)) if type(value) is int]
    lines = line_numbers(text)
    assert [(path, lines[path]) for path, _ in numbers] == numbers
    return len(numbers)


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=12))
def test_statements_in_any_order_are_found_in_their_lines(fragments: list[str]) -> None:
    opened = ["[[list]]", "[[list.inner]]", *fragments]
    assert_every_number_is_its_line(numbered("\n".join(f.format(n=n) for n, f in enumerate(opened))))


def test_every_value_of_an_odd_text_is_found_in_its_line_and_what_is_missing_at_the_nearest_thing_around_it() -> None:
    assert assert_every_number_is_its_line(numbered(ODD)) == ODD.count("@")
    lines = line_numbers("a = 1\n\n[[questions]]\nkey = 'x'\n")
    assert line_of(lines, ("questions", 0, "options", 2, "label")) == 3
    assert line_of(lines, ("measures",)) == 1
