"""The table of ASVS requirements in docs/security.md is complete, and what it names as proof exists."""

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

CODE = Path(__file__).resolve().parents[2]
PAGE = (CODE / "docs" / "security.md").read_text(encoding="utf-8")
SETTINGS = (CODE / "annotation" / "settings.py").read_text(encoding="utf-8")
STATES = ["met", "documented", "not met", "not applicable"]
# Requirements of ASVS 5.0 by chapter, levels 1 and 2.
REQUIREMENTS = dict(enumerate((27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7), start=1))
LEVELS = {"1": 70, "2": 183}


class Line(NamedTuple):
    id: str
    level: str
    requirement: str
    state: str
    how: str
    proof: str


def lines() -> list[Line]:
    """Return the lines of the tables below the heading of the ASVS, without heads and rulers."""
    table = re.findall(r"^\| (?!id |---|chapter )(.*) \|$", PAGE.split("\n### V1 ")[1], re.MULTILINE)
    return [Line(*(cell.strip() for cell in f"{row} ".split(" | "))) for row in table]


LINES = lines()


def names(line: Line) -> list[str]:
    return re.findall(r"`([^`]+)`", line.proof)


def names_pages_alone(line: Line) -> bool:
    return bool(names(line)) and all(name.endswith((".md", ".yaml")) for name in names(line))


def test_each_id_has_the_form_of_the_standard_and_is_there_once() -> None:
    assert [line.id for line in LINES if not re.fullmatch(r"V\d+\.\d+\.\d+", line.id)] == []
    assert [name for name, count in Counter(line.id for line in LINES).items() if count > 1] == []


def test_all_requirements_of_levels_1_and_2_are_there_in_order() -> None:
    numbers = [tuple(map(int, line.id[1:].split("."))) for line in LINES]
    assert numbers == sorted(numbers)
    assert Counter(chapter for chapter, _, _ in numbers) == REQUIREMENTS
    assert Counter(line.level for line in LINES) == LEVELS


def test_each_line_has_a_state_and_says_how_or_why() -> None:
    assert [line.id for line in LINES if line.state not in STATES or not line.how or not line.requirement] == []


def test_what_is_met_names_a_test_and_what_is_documented_a_page() -> None:
    assert [
        line.id for line in LINES if (line.state == "met") != any(n.startswith("tests/") for n in names(line))
    ] == []
    assert [line.id for line in LINES if (line.state == "documented") != names_pages_alone(line)] == []


def test_each_proof_exists() -> None:
    missing = [
        (line.id, name)
        for line in LINES
        for name in names(line)
        if not ((CODE / name).is_file() or re.search(rf"^(?:\w+ = )*{name}\b", SETTINGS, re.MULTILINE))
    ]
    assert missing == []


def test_the_summary_counts_the_lines() -> None:
    summary = dict(re.findall(r"^\| (met|documented|not met|not applicable) \| (\d+) \|", PAGE, re.MULTILINE))
    assert summary == {state: str(count) for state, count in Counter(line.state for line in LINES).items()}
