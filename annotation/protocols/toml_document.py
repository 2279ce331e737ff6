"""A TOML text that is changed by paths: values, and tables in lists. Comments, order and format of the rest stay.

The text is read as blocks. A block is a table: its header, the comments directly above it, and its lines; it moves as a
whole. Comments with an empty line below them stay where they are. Within a block tomlkit changes the values.
"""

import io
import tomllib
from collections.abc import Callable, Iterator, Mapping, MutableMapping, MutableSequence, Sequence
from dataclasses import dataclass
from typing import cast

import tomlkit
from tomlkit.items import InlineTable, Item

from .toml_lines import KeyPath, headers

TomlValue = str | bool | int | float | Sequence["TomlValue"] | Mapping[str, "TomlValue"]
_Container = MutableMapping[str | int, object]
_Change = Callable[[_Container, str | int], None]


@dataclass
class _Block:
    """The lines of one table. `path`: () for the first lines, None for comments between tables."""

    path: KeyPath | None
    head: str
    body: str

    def is_within(self, path: KeyPath) -> bool:
        return self.path is not None and self.path[: len(path)] == path

    def holds(self, path: KeyPath) -> bool:
        return self.path is not None and self.path == path[: len(self.path)] and len(self.path) < len(path)


class TomlDocument:
    """A valid TOML text with LF line ends."""

    def __init__(self, source: str) -> None:
        self._blocks = list(_blocks(source))

    @property
    def text(self) -> str:
        texts = [text for block in self._blocks if (text := block.head + block.body)]
        return "".join(text if text.endswith("\n") else f"{text}\n" for text in texts[:-1]) + "".join(texts[-1:])

    @property
    def fields(self) -> dict[str, object]:
        return tomllib.loads(self.text)

    def set(self, path: KeyPath, value: TomlValue | None) -> None:
        """Set a value in an existing table; None removes it."""
        own = next((block for block in self._blocks if block.path == path), None)
        if own is None:
            self._edit(path, lambda container, key: _set(container, key, value))
        elif isinstance(value, Mapping):
            own.body = _edited(own.body, lambda body: _merge(body, value))
        else:
            self.remove(path)
            self.set(path, value)

    def append(self, path: KeyPath, fields: Mapping[str, TomlValue]) -> None:
        """Append a table to the list at `path`; a new list is written with headers where that is possible."""
        block, inside = self._locate(path)
        if len(inside) > 1 or inside[0] in tomllib.loads(block.body):
            self._edit(path, lambda container, key: _append(container, key, fields))
            return
        names = [part for part in path if isinstance(part, str)]
        entries = [n for n, each in enumerate(self._blocks) if each.is_within(path)]
        parent = [n for n, each in enumerate(self._blocks) if each.is_within(path[:-1])]
        self._insert((entries or parent)[-1] + 1, _table_text(names, fields))

    def add_table(self, path: KeyPath, fields: Mapping[str, TomlValue]) -> None:
        """Add a table that is in no list, with its header, behind the last one of the table that it is in."""
        parent = [n for n, each in enumerate(self._blocks) if each.is_within(path[:-1])]
        if path[:-1] and not parent:  # in an inline table
            self._edit(path, lambda container, key: _set(container, key, fields))
            return
        self._insert(parent[-1] + 1, _table_text(cast(Sequence[str], path), fields, "[{}]"))

    def remove(self, path: KeyPath) -> None:
        """Remove a table with the comments directly above it, or an entry of an inline list."""
        others = [block for block in self._blocks if not block.is_within(path)]
        if len(others) == len(self._blocks):
            self._edit(path, lambda container, key: container.__delitem__(key))
            return
        self._blocks = others
        self._read_again()

    def swap(self, path: KeyPath, n: int) -> None:
        """Swap the entries `n` and `n + 1` of the list at `path`."""
        second = [block for block in self._blocks if block.is_within((*path, n + 1))]
        if not second:
            self._edit(path, lambda container, key: _swap(cast(MutableSequence[object], container[key]), n))
            return
        others = [block for block in self._blocks if not block.is_within((*path, n + 1))]
        position = next(index for index, block in enumerate(others) if block.is_within((*path, n)))
        self._blocks = [*others[:position], *second, *others[position:]]
        self._read_again()

    def _insert(self, position: int, table: str) -> None:
        self._blocks.insert(position, _Block(None, "", table))
        self._read_again()

    def _read_again(self) -> None:
        self._blocks = list(_blocks(self.text))

    def _locate(self, path: KeyPath) -> tuple[_Block, KeyPath]:
        """Return the block that holds a value, and the value's path in the block."""
        holders = [(len(block.path or ()), block) for block in self._blocks if block.holds(path)]
        length, block = max(holders, key=lambda holder: holder[0])
        return block, path[length:]

    def _edit(self, path: KeyPath, change: _Change) -> None:
        block, inside = self._locate(path)

        def change_inside(container: _Container) -> None:
            for part in inside[:-1]:
                container = cast(_Container, container[part])
            change(container, inside[-1])

        block.body = _edited(block.body, change_inside)


def _blocks(source: str) -> Iterator[_Block]:
    """Yield the blocks of a text, whose lines joined are the text; the first has the path ()."""
    lines = list(io.StringIO(source))
    tables, end = headers(source)
    path: KeyPath = ()
    head: list[str] = []
    start = 0
    for table in tables:
        gap = lines[table.free_line - 1 : table.line - 1]
        own, apart, above = _split_gap(gap)
        yield _Block(path, "".join(head), "".join(lines[start : table.free_line - 1] + own))
        if apart:
            yield _Block(None, "", "".join(apart))
        path, head, start = table.path, [*above, lines[table.line - 1]], table.line
    body_end = next((n for n in range(end - 1, len(lines)) if not lines[n].strip()), len(lines))
    yield _Block(path, "".join(head), "".join(lines[start:body_end]))
    yield _Block(None, "", "".join(lines[body_end:]))


def _split_gap(gap: list[str]) -> tuple[list[str], list[str], list[str]]:
    """Divide the lines above a header: comments of the table before, comments of no table, lines of the header."""
    above = len(gap)
    while above and gap[above - 1].strip():
        above -= 1
    while above and not gap[above - 1].strip():
        above -= 1
    own = next((n for n in range(above) if not gap[n].strip()), above)
    return gap[:own], gap[own:above], gap[above:]


def _edited(body: str, change: Callable[[_Container], None]) -> str:
    table = tomlkit.parse(body)
    change(cast(_Container, table))
    return tomlkit.dumps(table)


def _set(container: _Container, key: str | int, value: TomlValue | None) -> None:
    current = container.get(key) if isinstance(container, Mapping) else container[key]
    if value is None:
        container.pop(key, None)
    elif isinstance(value, Mapping) and isinstance(current, MutableMapping) and _can_merge(current, value):
        _merge(cast(_Container, current), value)
    elif isinstance(value, list) and isinstance(current, MutableSequence):
        _merge_list(current, value)
    elif current != value or isinstance(current, bool) is not isinstance(value, bool):
        container[key] = _item(value)


def _can_merge(current: MutableMapping[str, object], value: Mapping[str, TomlValue]) -> bool:
    """Return whether to change the entries of an inline table; a table without comments is written again."""
    return not isinstance(current, InlineTable) or set(current) == set(value) or "#" in current.as_string()


def _merge(container: _Container, values: Mapping[str, TomlValue]) -> None:
    for key in [key for key in container if key not in values]:
        container.pop(key)
    for name, value in values.items():
        _set(container, name, value)


def _merge_list(current: MutableSequence[object], values: Sequence[TomlValue]) -> None:
    """Change a list to these values: by removing some and appending others, or each in its place."""
    staying = [value for value in current if value in values]
    if len(current) == len(values) and staying != values[: len(staying)]:
        for n, value in enumerate(values):
            _set(cast(_Container, current), n, value)
        return
    for n in reversed(range(len(current))):
        if current[n] not in values or current[n] in current[:n]:
            del current[n]
    for value in values:
        if value not in current:
            current.append(value)


def _append(container: _Container, key: str | int, fields: Mapping[str, TomlValue]) -> None:
    current = container.get(key) if isinstance(key, str) else None
    if isinstance(current, MutableSequence):
        current.append(_item(fields))
    else:
        container[key] = _item([fields])


def _swap(entries: MutableSequence[object], n: int) -> None:
    first, second = entries[n], entries[n + 1]
    entries[n], entries[n + 1] = second, first


def _item(value: TomlValue) -> Item:
    return cast(Item, tomlkit.parse(f"value = {_written(value)}\n")["value"])


def _written(value: TomlValue) -> str:
    """Return a value as TOML, inline tables with spaces inside their braces."""
    if isinstance(value, str):
        return tomlkit.string(value, multiline="\n" in value).as_string()
    if isinstance(value, Mapping):
        entries = ", ".join(f"{_key(key)} = {_written(inner)}" for key, inner in value.items())
        return f"{{ {entries} }}" if entries else "{}"
    if isinstance(value, Sequence):
        return f"[{', '.join(map(_written, value))}]"
    return tomlkit.item(value).as_string()


def _table_text(names: Sequence[str], fields: Mapping[str, TomlValue], header: str = "[[{}]]") -> str:
    """Return a table with its header, then the tables of its lists."""
    tables = {key: value for key, value in fields.items() if _is_tables(value)}
    lines = [f"{_key(key)} = {_written(value)}\n" for key, value in fields.items() if key not in tables]
    inner = [
        _table_text([*names, key], cast(Mapping[str, TomlValue], table))
        for key, value in tables.items()
        for table in cast(Sequence[TomlValue], value)
    ]
    return "".join([f"\n{header.format('.'.join(map(_key, names)))}\n", *lines, *inner])


def _is_tables(value: TomlValue) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(entry, Mapping) for entry in value)


def _key(name: str) -> str:
    return tomlkit.key(name).as_string()
