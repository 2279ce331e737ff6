"""Labels of questions, options, measures, metadata keys and tables, and the order of the values of a breakdown."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...i18n.protocol_translation import protocol_word
from ...protocols import Mean, Measure, Option, Protocol, Score
from ..parts import Cell, Proportion


@dataclass(frozen=True)
class Names:
    """Labels of questions, options and measures: those of the protocol, or the keys made readable."""

    protocol: Protocol | None

    @property
    def unit(self) -> str:
        return self.protocol.unit if self.protocol else "item"

    @property
    def system_head(self) -> str:
        return "Pair of systems" if self.unit == "pair" else "System"

    @property
    def all_systems(self) -> str:
        return "All pairs" if self.unit == "pair" else "All systems"

    @property
    def system_word(self) -> str:
        return "pair of systems" if self.unit == "pair" else "system"

    @property
    def first_question(self) -> str:
        return self.protocol.first_measured_question.text if self.protocol else ""

    def measure(self, key: str) -> str:
        """Return the label of a measure, a mean or a score; no two have the same key."""
        measure = self._measure(key)
        return measure.label if measure else readable(key)

    def correlation(self, key: str) -> str:
        correlations = self.protocol.correlations if self.protocol else ()
        return next((each.label for each in correlations if each.key == key), readable(key))

    def better(self, key: str) -> str:
        """Return which values of a measure are better: `higher`, `lower` or `neither`."""
        measure = self._measure(key)
        return measure.better if measure else "neither"

    def _measure(self, key: str) -> Measure | Mean | Score | None:
        protocol = self.protocol
        measures: list[Measure | Mean | Score] = []
        if protocol:
            measures = [*protocol.measures, *protocol.means, *protocol.scores]
        return next((measure for measure in measures if measure.key == key), None)

    def question(self, key: str) -> str:
        """Return a question's key in readable form, where its text would be too long: Severity."""
        return protocol_word(self.protocol, readable(key)) if self.protocol else readable(key)

    def question_text(self, key: str) -> str:
        questions = self.protocol.questions if self.protocol else ()
        return next((question.text for question in questions if question.key == key), readable(key))

    def option(self, key: str) -> str:
        return self._options[key].label if key in self._options else readable(key)

    def checked_option(self, key: str) -> str:
        """Return the label of an option of a checked question, or "not asked"."""
        questions = self.protocol.checked_questions if self.protocol else ()
        options = [option for question in questions for option in question.options]
        return next((option.label for option in options if option.key == key), readable(key)) if key else "not asked"

    def option_of(self, question: str, key: str) -> str:
        """Return the label of an option of any question, or of a derived category."""
        questions = self.protocol.questions if self.protocol else ()
        labels = {option.key: option.label for each in questions if each.key == question for option in each.options}
        return labels.get(key) or ("Not accurate" if key == "not_accurate" else self.option(key))

    def tone(self, key: str) -> str:
        return self._options[key].tone if key in self._options else "neutral"

    def sign(self, key: str) -> str:
        return self._options[key].sign if key in self._options else ""

    def left_out(self) -> list[str]:
        """Return the labels of the options outside all proportions."""
        keys = self.protocol.left_out(self.protocol.first_measured_question.key) if self.protocol else ()
        return [self._options[key].label for key in keys]

    @property
    def _options(self) -> dict[str, Option]:
        options = self.protocol.first_measured_question.options if self.protocol else ()
        return {option.key: option for option in options}


def readable(key: str) -> str:
    """Make a key readable: severely_inaccurate -> Severely inaccurate."""
    words = key.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def breakdown_label(key: str, names: Names | None = None) -> str:
    """Return system and question type for system × question_type. Keys of prompts need no `names`."""
    system = names.system_word if names else "system"
    return " and ".join(system if part == "system" else part.replace("_", " ") for part in key.split(" × "))


def label_columns(key: str, cell: Cell, names: Names) -> list[str]:
    """Return the heads of the columns that name the cells of a table, `cell` being one of them.

    The key of a table over metadata can be any text, so `cell` shows whether it is about a system.
    """
    heads = [] if cell.system is None else [names.system_head]
    if cell.value is not None:
        heads.append(readable(key.removeprefix("system × ") if cell.system is not None else key))
    return heads


def agreement_of(key: str, names: Names) -> str:
    """Return the label of an agreement: accurate_or_not -> Accurate or not."""
    derived = {"accurate_or_not": "Accurate or not", "severity_scale": "Severity scale"}
    return derived.get(key) or names.question(key)


MAX_SHARES = 8  # in a row of the paper's table, so that it fits a page; options have a table of their own


def other_options(cell: Cell, names: Names) -> dict[str, Proportion]:
    """Return the shares of the assessed ratings that the first measured question's options without a measure of their
    own have; none of two options, where one is the complement of the other, nor where a row has many measures.

    Older reports have counts and a share of these options, without an interval.
    """
    if names.protocol is None:
        return {}
    first = names.protocol.first_measured_question
    measured = {measure.counts[first.key] for measure in names.protocol.measures if first.key in measure.counts}
    assessed = [key for key in first.option_keys if key not in names.protocol.left_out(first.key)]
    keys = [key for key in assessed if (key,) not in measured and key in cell.options]
    if len(assessed) < 3 or len(cell.measures) + len(keys) > MAX_SHARES:
        return {}
    shares = {}
    for key in keys:
        k, n = cell.options[key], cell.assessed
        share = Proportion(value=k / n if n else None, k=k, n=n, low=None, high=None, method="none")
        shares[key] = (cell.shares_of_assessed or {}).get(key) or share
    return shares


_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = {
    **{word: float(n) for n, word in enumerate(_UNITS)},
    **{word: 10.0 * n for n, word in enumerate(_TENS, start=2)},
    **{f"{tens}-{_UNITS[n]}": 10.0 * t + n for t, tens in enumerate(_TENS, start=2) for n in range(1, 10)},
    "hundred": 100.0,
    "thousand": 1e3,
    "million": 1e6,
    **{word: float("inf") for word in ("infinity", "infinite", "inf", "∞")},
    **dict.fromkeys(("none", "no"), -0.5),
}
_JUST_BESIDE = {"<": -2e-6, "≤": -1e-6, "≥": 1e-6, ">": 2e-6}  # where a value with this sign is in the order
_NUMBER = re.compile(r"(?P<sign>[<≤>≥]=?)?\s*(?P<value>[-−]?\d+(?:[.,]\d+)*)\s*(?:%|\+|[-–—].*|(?:to|or|and) .*)?")
SCALES = tuple(
    tuple(scale.split(", "))
    for scale in (
        "unfamiliar, familiar, research",
        "none, very low, low, medium low, medium, moderate, medium high, high, very high",
        "never, almost never, very rarely, rarely, seldom, occasionally, sometimes, often, frequently, very often, "
        "usually, almost always, always",
        "none, few, a few, some, several, many, most, all",
        "trivial, very easy, easy, medium, moderate, normal, intermediate, difficult, hard, very difficult, very hard",
        "novice, beginner, basic, elementary, intermediate, proficient, advanced, expert",
        "tiny, very small, small, medium, large, very large, huge",
        "very short, short, medium, long, very long",
        "very bad, bad, very poor, poor, fair, average, acceptable, good, very good, excellent",
        "strongly disagree, disagree, somewhat disagree, neutral, neither, somewhat agree, agree, strongly agree",
        "not at all, slightly, somewhat, moderately, very, extremely",
        "no, partly, partially, somewhat, maybe, yes",
        "false, true",
        "minor, moderate, major, severe, critical",
        "young, middle-aged, old",
        "weak, moderate, strong",
        "past, present, future",
        "first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth",
        "monday, tuesday, wednesday, thursday, friday, saturday, sunday",
        "january, february, march, april, may, june, july, august, september, october, november, december",
    )
)


def ordered_values(values: Iterable[str]) -> list[str]:
    """Return distinct values in ascending order if they are all numbers or all of one scale, else as they are."""
    distinct = list(dict.fromkeys(values))
    words = {value: " ".join(value.lower().replace("_", " ").split()) for value in distinct}
    for scale in SCALES:
        if all(word in scale for word in words.values()):
            return sorted(distinct, key=lambda value: scale.index(words[value]))
    numbers = {value: number for value, word in words.items() if (number := _number(word)) is not None}
    return sorted(distinct, key=numbers.__getitem__) if len(numbers) == len(distinct) else distinct


def ordered_cells(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells of a breakdown: systems in their order, the values of each ascending."""
    systems = {system: n for n, system in enumerate(dict.fromkeys(cell.system for cell in cells))}
    values = {value: n for n, value in enumerate(ordered_values(str(cell.value) for cell in cells))}
    return sorted(cells, key=lambda cell: (systems[cell.system], values[str(cell.value)]))


def _number(word: str) -> float | None:
    """Return the number that a value begins with: `5`, `five`, `10-20`, `< 5` (just below 5), `20+`."""
    if word in _WORDS:
        return _WORDS[word]
    match = _NUMBER.fullmatch(word)
    if not match:
        return None
    try:
        number = float(re.sub(r",(?=\d{3}\b)", "", match["value"].replace("−", "-")))
    except ValueError:  # such as a version, 1.2.3
        return None
    return number + _JUST_BESIDE.get((match["sign"] or "")[:1], 0)


_TURNING = {ord(sign): f"(U+{ord(sign):04X})" for sign in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"}


def show_direction_marks(text: str) -> str:
    """Write out embeddings, overrides and isolates, U+202E as `(U+202E)`: in a text file they would reverse the rest of
    the line. Marks, which right-to-left scripts need, stay.
    """
    return text.translate(_TURNING)
