"""Lines of TOML values. In these texts @ stands for the number of its own line, so that each value says where it is."""

import tomllib
from collections.abc import Iterator

from hypothesis import example, given
from hypothesis import strategies as st

from annotation.protocols.toml_lines import KeyPath, line_numbers, line_of

FRAGMENTS = [
    "key{n} = @", "  indented{n} = @ # a comment with ] }} \" and '''", "# questions = [ \"not this\" ]", "",
    '"quoted = key{n}" = @', "'single \"quoted\" key{n}' = @", 'dotted{n} . "and.quoted".key = @', "[table{n}]",
    "[[list]]", "[[list.inner]]", '[ "a b{n}" . c ]\nn = @', "[[x{n}.y.z]]\nn = @\n[x{n}.y.z.w]\nn = @",
    'text{n} = """\n[[list]]\nkey = "not this" \\\""" = 1\n"""""', "lit{n} = '''\n\n[x]\nit = 'is' no value '''",
    'str{n} = "a # b \\" ] ,"', 'empty{n} = ""', "date{n} = 1979-05-27 07:32:00", "number{n} = 1.5e3",
    "many{n} = [\n @, # one ]\n\n [@, {{ a = @ }}], 'x', {{ deep.er = @, more = [\n @ ] }},\n]",
    "inline{n} = {{ a = @, 'b c'.d = [@, @] }}",
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


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=12))
@example(FRAGMENTS)
def test_values_of_statements_in_any_order_are_found_in_their_lines(fragments: list[str]) -> None:
    opened = ["[[list]]", "[[list.inner]]", *fragments]
    text = numbered("\n".join(f.format(n=n) for n, f in enumerate(opened)))
    numbers = [(path, value) for path, value in values(tomllib.loads(text)) if type(value) is int]
    lines = line_numbers(text)
    assert [(path, lines[path]) for path, _ in numbers] == numbers
    assert len(numbers) == sum(fragment.count("@") for fragment in fragments)


def test_what_is_missing_is_missed_at_the_nearest_thing_around_it() -> None:
    lines = line_numbers("a = 1\n\n[[questions]]\nkey = 'x'\n")
    assert line_of(lines, ("questions", 0, "options", 2, "label")) == 3
    assert line_of(lines, ("measures",)) == 1
