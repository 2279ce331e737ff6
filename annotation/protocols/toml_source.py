"""Parse a TOML text that a person wrote: one problem with its line where it is not TOML."""

import re
import tomllib
from typing import Any

from .toml_lines import KeyPath, line_numbers
from .toml_tables import Problem

MAX_CHARACTERS = 200_000
# tomllib takes minutes and gigabytes for a key with thousands of parts. Parts begin at word starts.
_DEEP_KEY = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){20}""")


class TomlError(ValueError):
    """An invalid file; `problems` are all its problems in the order of its lines."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


def normalized(text: str) -> str:
    """Return the text without a byte order mark, line ends LF."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def parse_toml(source: str, error: type[TomlError]) -> tuple[dict[str, Any], dict[KeyPath, int]]:
    """Return the fields of a TOML text and the line of each. Raises `error` where it is not TOML."""
    if len(source) > MAX_CHARACTERS:
        message = f"the file has {len(source)} characters; at most {MAX_CHARACTERS} are read"
        raise error([Problem(1, message)])
    if deep := _DEEP_KEY.search(source):
        line = source.count("\n", 0, deep.start()) + 1
        raise error([Problem(line, "a key with so many dots is nested too deeply")])
    try:
        source.encode()
        return tomllib.loads(source), line_numbers(source)
    except RecursionError:
        raise error([Problem(1, "brackets are nested too deeply")]) from None
    except UnicodeEncodeError as invalid:
        line = source.count("\n", 0, invalid.start) + 1
        raise error([Problem(line, "this is not UTF-8; save the file as UTF-8")]) from None
    except ValueError as invalid:
        raise error([_syntax_problem(source, str(invalid))]) from None


def _syntax_problem(source: str, error: str) -> Problem:
    """Return the problem in tomllib's message, which ends "(at line 3, column 5)" or "(at end of document)"."""
    message, _, location = error.partition(" (at ")
    position = re.match(r"line (\d+), column (\d+)", location)
    line = int(position[1]) if position else source.rstrip("\n").count("\n") + 1
    if re.search("overwrite|twice|mutate|Duplicate", message):
        message = f"{message}; the same name seems to be given twice"
    if position is None:
        return Problem(line, f"this is not valid TOML: {message}")
    return Problem(line, f"this is not valid TOML: {message}, at character {position[2]}")
