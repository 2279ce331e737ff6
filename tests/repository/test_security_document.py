import re
from collections import Counter
from typing import NamedTuple

from tests.conftest import CODE

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


def test_all_requirements_of_levels_1_and_2_are_there_once_and_in_order() -> None:
    assert [line.id for line in LINES if not re.fullmatch(r"V\d+\.\d+\.\d+", line.id)] == []
    numbers = [tuple(map(int, line.id[1:].split("."))) for line in LINES]
    assert numbers == sorted(set(numbers))
    assert Counter(chapter for chapter, _, _ in numbers) == REQUIREMENTS
    assert Counter(line.level for line in LINES) == LEVELS


def test_each_line_has_a_state_and_says_how_or_why() -> None:
    assert [line.id for line in LINES if line.state not in STATES or not line.how or not line.requirement] == []


def test_what_is_met_names_a_test_and_what_is_documented_a_page() -> None:
    with_test = [line for line in LINES if any(name.startswith("tests/") for name in names(line))]
    with_pages = [line for line in LINES if names(line) and all(n.endswith((".md", ".yaml")) for n in names(line))]
    assert with_test == [line for line in LINES if line.state == "met"]
    assert with_pages == [line for line in LINES if line.state == "documented"]


def test_each_proof_exists() -> None:
    proofs = {name for line in LINES for name in names(line)}
    without_file = {name for name in proofs if not (CODE / name).is_file()}
    assert {name for name in without_file if not re.search(rf"^(?:\w+ = )*{name}\b", SETTINGS, re.MULTILINE)} == set()


def test_the_summary_counts_the_lines() -> None:
    summary = dict(re.findall(r"^\| (met|documented|not met|not applicable) \| (\d+) \|", PAGE, re.MULTILINE))
    assert summary == {state: str(count) for state, count in Counter(line.state for line in LINES).items()}
