"""The line of each value and table of a TOML text, which tomllib does not return.

The text must have passed tomllib, so nothing is validated here: only keys, headers and ends of values are recognized.
"""

import re
import tomllib
from typing import NamedTuple

KeyPath = tuple[str | int, ...]
"""The keys and list positions that lead to a value: ("questions", 0, "options", 2, "label")."""

_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'  # up to two quotes may precede the closing three
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\])*"'
    r"|'[^']*'"
    r"|\#[^\n]*"
    r"|\n"
    r"|[\[\]{}=,.]"
    r"|[^\s\[\]{}=,.\"'\#]+",
    re.DOTALL,
)
_END = ("", 0)


class Header(NamedTuple):
    """A table's header. `free_line`: the first line after the statement above it; comments may follow there."""

    path: KeyPath
    line: int
    free_line: int


def line_numbers(source: str) -> dict[KeyPath, int]:
    """Return every value, table and list entry of a valid TOML text -> the number of its first line, from 1."""
    follower = _Follower(source)
    follower.statements()
    return follower.lines


def headers(source: str) -> tuple[list[Header], int]:
    """Return the headers of a valid TOML text in order, and the first line after its last statement."""
    follower = _Follower(source)
    follower.statements()
    return follower.headers, follower.free_line


def line_of(lines: dict[KeyPath, int], path: KeyPath) -> int:
    """Return the line of a value, or of the nearest table around it if the value is missing; 1 by default."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)


class _Follower:
    def __init__(self, source: str) -> None:
        self.tokens = _tokens(source)
        self.at = 0
        self.lines: dict[KeyPath, int] = {}
        self.entries: dict[KeyPath, int] = {}  # how often [[path]] has occurred so far
        self.headers: list[Header] = []
        self.free_line = 1

    def statements(self) -> None:
        table: KeyPath = ()
        while (token := self.peek()) != _END:
            if token[0] == "\n":
                self.take()
                continue
            if token[0] == "[":
                table = self.header()
                self.headers.append(Header(table, token[1], self.free_line))
            else:
                self.pair(table)
            text, line = self.tokens[self.at - 1]
            self.free_line = line + text.count("\n") + 1

    def header(self) -> KeyPath:
        line = self.take()[1]
        is_list = self.skip("[")
        path = self.enter(self.key("]"), is_list)
        self.skip("]")
        self.lines.setdefault(path, line)
        return path

    def enter(self, keys: list[str], is_list: bool) -> KeyPath:
        """Return the table that a header opens: parent lists refer to their last entry, `[[…]]` begins a new one."""
        path: KeyPath = ()
        for n, key in enumerate(keys, 1):
            path = (*path, key)
            if n == len(keys) and is_list:
                self.entries[path] = self.entries.get(path, 0) + 1
                self.lines.setdefault(path, self.tokens[self.at - 1][1])
            if path in self.entries:
                path = (*path, self.entries[path] - 1)
        return path

    def pair(self, table: KeyPath) -> None:
        line = self.peek()[1]
        path = table
        for key in self.key("="):
            path = (*path, key)
            self.lines.setdefault(path, line)
        self.value(path)

    def key(self, end: str) -> list[str]:
        keys = []
        while (part := self.take()[0]) not in (end, ""):
            if part != ".":
                keys.append(_unquoted(part))
        return keys

    def value(self, path: KeyPath) -> None:
        if self.skip("["):
            self.elements(path)
        elif self.skip("{"):
            while not self.closes("}"):
                self.pair(path)
        else:
            while self.peek()[0] not in ("\n", ",", "]", "}", ""):
                self.take()

    def elements(self, path: KeyPath) -> None:
        n = 0
        while not self.closes("]"):
            self.lines[(*path, n)] = self.peek()[1]
            self.value((*path, n))
            n += 1

    def closes(self, bracket: str) -> bool:
        """Skip commas and line ends inside brackets; return whether the closing one was read."""
        while self.skip(",") or self.skip("\n"):
            pass
        return self.peek() == _END or self.skip(bracket)

    def peek(self) -> tuple[str, int]:
        return self.tokens[self.at] if self.at < len(self.tokens) else _END

    def take(self) -> tuple[str, int]:
        token = self.peek()
        self.at += 1
        return token

    def skip(self, token: str) -> bool:
        matches = self.peek()[0] == token
        self.at += matches
        return matches


def _tokens(source: str) -> list[tuple[str, int]]:
    tokens, line = [], 1
    for match in _TOKEN.finditer(source):
        if not match[0].startswith("#"):
            tokens.append((match[0], line))
        line += match[0].count("\n")
    return tokens


def _unquoted(key: str) -> str:
    return next(iter(tomllib.loads(f"{key} = 0"))) if key[0] in "\"'" else key
