"""Commands of the documentation, run by tests as they are written there, with other paths and names."""

import re
from pathlib import Path

CODE = Path(__file__).resolve().parents[1]


def code_blocks(page: str, heading: str) -> list[str]:
    """Return the code blocks of a section of a page in `docs`, without their indent."""
    text = (CODE / "docs" / page).read_text(encoding="utf-8")
    _, _, section = text.partition(f"\n## {heading}\n")
    section = section.split("\n## ")[0]
    blocks = re.findall(r"^( *)```\n(.*?)^ *```$", section, re.MULTILINE | re.DOTALL)
    return [re.sub(f"^{indent}", "", block, flags=re.MULTILINE) for indent, block in blocks]


def inline_command(page: str, start: str) -> str:
    """Return the command that begins with `start` and stands between backticks in a page of `docs`."""
    text = (CODE / "docs" / page).read_text(encoding="utf-8")
    [found] = re.findall(f"`({re.escape(start)}[^`]*)`", text)
    return " ".join(found.split())


def replaced(command: str, names: dict[str, str]) -> str:
    """Return the command with other names. Raises AssertionError if one does not occur."""
    for old, new in names.items():
        assert old in command, f"{old!r} is not in {command!r}"
        command = command.replace(old, new)
    return command
