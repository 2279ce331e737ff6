"""How figures are written for people: one way for pages, tables and papers.

Percentages have one decimal; a share that is not 0 or 1 is never rounded to look as if it were. What is undefined is
said in words.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ..protocols import Mean, Measure, Option, Protocol
from ..stats.intervals import FEWEST_CLUSTERS

NOTHING_TO_ASSESS = "no assessable ratings"
UNDEFINED = "–"
NO_BREAK = "\u00a0"

LEFT_OUT = {
    "unfinished": "in responses that are not finished yet",
    "retired": "of sentences that were merged or split since",
    "training": "given in training",
    "qualification": "given in the qualification",
    "hidden gold": "of responses mixed in as hidden gold",
    "judge": "by model judges",
    "gold": "given as gold",
    "adjudicator": "given in adjudication",
    "adjudicated": "replaced by an adjudication",
    "below_gold": "by raters below the chosen accuracy on gold answers",
    "without_rater": "by raters left out by name",
    "too_fast": "given in less than the chosen time",
    "filtered": "about other systems or prompts than the chosen ones",
}
COEFFICIENTS = {
    "percent": "Agreement",
    "fleiss_kappa": "Fleiss’ kappa",
    "gwet_ac1": "Gwet’s AC1",
    "krippendorff_alpha": "Krippendorff’s alpha",
}
CORRELATIONS = {"pearson": "Pearson’s r", "spearman": "Spearman’s rho", "kendall_tau_b": "Kendall’s tau-b"}
SIGNIFICANT = 0.05
MOST_WITH_FIGURES = 3  # pairs in a sentence: with more systems than three it says how many differ, and which
MOST_PAIRS_NAMED = 8
SKEWED = 0.15  # AC1 less alpha
ALL_SYSTEMS = "All systems"
OVERLAP = "A prompt with several values counts once in each of them"


@dataclass(frozen=True)
class Names:
    """What questions, options and measures are called: the protocol's labels, or their keys made readable."""

    protocol: Protocol | None

    @property
    def unit(self) -> str:
        """What one rating is about."""
        return self.protocol.unit if self.protocol else "item"

    @property
    def first_question(self) -> str:
        return self.protocol.first_measured_question.text if self.protocol else ""

    def measure(self, key: str) -> str:
        """A measure or a mean; no two have one key."""
        found = self._measures.get(key)
        return found.label if found else readable(key)

    def correlation(self, key: str) -> str:
        found = {of.key: of.label for of in self.protocol.correlations} if self.protocol else {}
        return found.get(key, readable(key))

    def better(self, key: str) -> str:
        """Which values of a measure are better: `higher`, `lower` or `neither`."""
        found = self._measures.get(key)
        return found.better if found else "neither"

    @property
    def _measures(self) -> dict[str, Measure | Mean]:
        if self.protocol is None:
            return {}
        return {
            **{measure.key: measure for measure in self.protocol.measures},
            **{mean.key: mean for mean in self.protocol.means},
        }

    def unmeasured(self) -> list[str]:
        """The options of the first measured question that are assessed but have no measure to themselves."""
        if self.protocol is None:
            return []
        first = self.protocol.first_measured_question
        measured = {measure.counts[first.key] for measure in self.protocol.measures if first.key in measure.counts}
        left_out = self.protocol.left_out(first.key)
        return [key for key in first.option_keys if (key,) not in measured and key not in left_out]

    def option(self, key: str) -> str:
        """An option of the first measured question."""
        found = self._option(key)
        return found.label if found else readable(key)

    def option_of(self, question: str, key: str) -> str:
        """An option of any question, or a category that was made from one."""
        asked = {q.key: q for q in self.protocol.questions}.get(question) if self.protocol else None
        labels = {option.key: option.label for option in asked.options} if asked else {}
        return labels.get(key, readable(key))

    def tone(self, key: str) -> str:
        found = self._option(key)
        return found.tone if found else "neutral"

    def sign(self, key: str) -> str:
        found = self._option(key)
        return found.sign if found else ""

    def left_out(self) -> list[str]:
        """The labels of the options that are in no proportion."""
        if self.protocol is None:
            return []
        first = self.protocol.first_measured_question
        return [first.option(key).label for key in self.protocol.left_out(first.key)]

    def _option(self, key: str) -> Option | None:
        options = self.protocol.first_measured_question.options if self.protocol else ()
        return {option.key: option for option in options}.get(key)


def readable(key: str) -> str:
    """severely_inaccurate -> Severely inaccurate."""
    words = key.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def percent(value: float | None, *, sign: bool = True) -> str:
    """0.914 -> 91.4 %; None is said in words."""
    return NOTHING_TO_ASSESS if value is None else _percentage(value) + (" %" if sign else "")


def percent_or_dash(value: float | None) -> str:
    """As `percent`, for figures that may be undefined for other reasons than a lack of ratings."""
    return UNDEFINED if value is None else percent(value)


def percent_number(value: float) -> str:
    """0.914 -> 91.4."""
    return percent(value, sign=False)


def interval(low: float | None, high: float | None) -> str:
    """0.889, 0.934 -> 88.9 – 93.4; nothing when it is undefined."""
    return "" if low is None or high is None else f"{_percentage(low)} – {_percentage(high)}"


def points(value: float | None) -> str:
    """A difference of shares in percentage points, with its sign."""
    if value is None:
        return UNDEFINED
    text = f"{100 * value:+.1f}".replace("-", "−")
    return "0.0" if text[1:] == "0.0" else text


def coefficient(value: float | None) -> str:
    """0.5234 -> .52, as coefficients of agreement are printed."""
    if value is None:
        return UNDEFINED
    text = f"{value:.2f}".replace("-0.00", "0.00").replace("-", "−")
    return text.replace("0.", ".", 1) if abs(value) < 0.995 else text


def mean(value: float | None) -> str:
    """0.7777 -> 0.778, as scores and means of shares are printed."""
    return UNDEFINED if value is None else f"{value:.3f}".replace("-0.000", "0.000").replace("-", "−")


def mean_bounds(of: dict[str, Any]) -> str:
    """The bounds of a mean; nothing where it has none."""
    return "" if of["low"] is None else f"{mean(of['low'])} – {mean(of['high'])}"


def coefficient_bounds(of: dict[str, Any]) -> str:
    """The bounds of a coefficient of correlation; nothing where it has none."""
    return "" if of["low"] is None else f"{coefficient(of['low'])} – {coefficient(of['high'])}"


def coefficient_change(value: float | None) -> str:
    """A difference of two coefficients, with its sign: +.03."""
    text = coefficient(value)
    return f"+{text}" if value is not None and value > 0 and text != ".00" else text


def agreement_value(name: str, value: float | None) -> str:
    """One of COEFFICIENTS as it is written: 88.2 % or .52."""
    return percent_or_dash(value) if name == "percent" else coefficient(value)


def agreement_bounds(name: str, of: dict[str, Any]) -> str:
    """The bounds of one of the COEFFICIENTS of a question; nothing where it has none."""
    bounds = (of["intervals"] or {}).get(name)
    if not bounds:
        return ""
    return interval(*bounds) if name == "percent" else ", ".join(map(coefficient, bounds))


def p_value(p: float | None) -> str:
    """0.0312 -> .031; what is smaller than .001 is said to be, and no p is rounded across .05: 0.0496 -> .0496."""
    if p is None:
        return UNDEFINED
    digits = 3
    while (round(p, digits) < SIGNIFICANT) != (p < SIGNIFICANT):
        digits += 1
    return "< .001" if p < 0.001 else f"{p:.{digits}f}".replace("0.", ".", 1)


def count(n: int) -> str:
    """11754 -> 11,754."""
    return f"{n:,}"


def listed(words: list[str], joint: str) -> str:
    """["a", "b", "c"], "or" -> a, b or c."""
    return " ".join(words) if len(words) < 2 else f"{', '.join(words[:-1])} {joint} {words[-1]}"


def item_of(row: dict[str, Any]) -> str:
    """Which item a row of `disagreements` is about, by what an import and an export call it: `r17, sentence 3`."""
    responses = row["response"] if row["against"] is None else f"{row['response']} vs {row['against']}"
    return f"{responses}, {row['unit']} {row['item']}"


def answers_to_others(row: dict[str, Any], names: Names) -> str:
    """How often each option of the questions beside the first measured one was chosen: `Severity: Severe × 2`."""
    return "; ".join(
        f"{readable(question)}: {times([(names.option_of(question, key), n) for key, n in options.items()])}"
        for question, options in row["questions"].items()
        if any(options.values())
    )


def times(chosen: Iterable[tuple[str, int]]) -> str:
    """Accurate × 2, Inaccurate × 1; what nobody chose is left out."""
    return ", ".join(f"{label} × {count(n)}" for label, n in chosen if n)


def reading(of: dict[str, Any]) -> str:
    """How to read the agreement on a question: what the coefficients say about each other."""
    percent, alpha, ac1 = of["percent"], of["krippendorff_alpha"], of["gwet_ac1"]
    if percent is None:
        return "No sentence has two answers to this question yet."
    if alpha is None:
        return "Only one answer was ever given, so there is no disagreement to expect: alpha is undefined."
    if ac1 is not None and ac1 - alpha > SKEWED:
        return (
            "Alpha is much lower than AC1 because most answers are the same: agreement on a rare answer weighs heavily "
            "in alpha. Read it together with AC1."
        )
    if alpha < 0.667:
        return "Alpha below .667 is usually taken as too low for firm conclusions: look at which answers are mixed up."
    return "Alpha and AC1 tell the same story. From .8 agreement is usually called good, from .667 acceptable."


def of(n: int, singular: str, plural: str | None = None) -> str:
    """3, "prompt" -> 3 prompts."""
    return f"{count(n)} {singular if n == 1 else plural or singular + 's'}"


def _percentage(value: float) -> str:
    text = f"{100 * value:.1f}"
    if text == "100.0" and value < 1:
        return "> 99.9"
    return "< 0.1" if text == "0.0" and value > 0 else text


def breakdown(key: str) -> str:
    """system × question_type -> system and question type."""
    return key.replace(" × ", " and ").replace("_", " ")


def label_columns(key: str, cell: dict[str, Any]) -> list[str]:
    """Heads of the columns that name the cells of a table, `cell` being one of them. The key of a table over metadata
    is whatever a data set calls it, so only the cell can tell.
    """
    system = ["System"] if "system" in cell else []
    value = [readable(key.removeprefix("system × ") if system else key)] if "value" in cell else []
    return system + value


def agreement_of(key: str) -> str:
    """accurate_or_not -> Accurate or not."""
    return readable(key)


def points_between(low: float | None, high: float | None) -> str:
    """The bounds of a difference in percentage points."""
    return UNDEFINED if low is None or high is None else f"{points(low)} to {points(high)}"


def difference_bounds(row: dict[str, Any], cluster: str) -> str:
    """The bounds of a comparison's difference in percentage points, or why it has none."""
    if lacks_an_interval(row):
        return f"too few {cluster}s"
    return points_between(row["low"], row["high"])


def lacks_an_interval(row: dict[str, Any]) -> bool:
    """Whether a comparison has a difference and no bounds."""
    return row["difference"] is not None and row["low"] is None


def mark(method: str, cells: list[dict[str, Any]]) -> str:
    """The sign beside an interval in a table whose intervals have several methods."""
    return "†" if method == "korn-graubard" and "bca" in methods_used(cells) else ""


def methods_used(cells: Iterable[dict[str, Any]]) -> set[str]:
    """The methods of the intervals of some cells, those without a proportion aside."""
    return {of["method"] for cell in cells for of in cell["measures"].values() if of["value"] is not None}


def verdicts(comparisons: list[dict[str, Any]], name: str) -> str:
    """What may be said of the systems' order on one measure: an order only where the difference is significant."""
    known = [row for row in comparisons if row["p_holm"] is not None]
    apart = [row for row in known if is_significant(row)]
    if not known:
        return ""
    if not apart:
        smallest = min(row["p_holm"] for row in known)
        if len(known) == 1:
            which, p = f"{known[0]['a']} and {known[0]['b']} do not", "p"
        else:
            which, p = "No two systems", "smallest p"
        return f"{name}: {which} differ significantly ({p}{NO_BREAK}{_p(smallest)})."
    if len(known) > MOST_WITH_FIGURES:
        how_many = "all" if len(apart) == len(known) else f"{count(len(apart))} of"
        differ = "differ" if len(apart) > 1 else "differs"
        return f"{name}: {how_many} {count(len(known))} pairs of systems {differ} significantly: {_orders(apart)}."
    said = [_higher(row) for row in apart]
    rest = ""
    if len(apart) < len(known):
        rest = " The other pair does not" if len(known) - len(apart) == 1 else " The other pairs do not"
        rest += " differ significantly."
    return f"{name}: {'; '.join(said)}.{rest}"


def best_system(report: dict[str, Any], measure: str, better: str) -> str | None:
    """The system that is significantly better than every other one on a measure, if there is one.

    `better` is `higher` or `lower`; with `neither` no system is better. All its comparisons must have p < .05 after
    Holm's adjustment: a largest value alone is no distinction.
    """
    if better not in ("higher", "lower") or len(report["systems"]) < 2:
        return None
    names = {cell["system"] for cell in report["systems"]}
    beaten: dict[str, set[str]] = {name: set() for name in names}
    for row in report["comparisons"]:
        if row["measure"] == measure and row["difference"] and is_significant(row):
            wins, loses = (
                (row["a"], row["b"]) if (row["difference"] > 0) == (better == "higher") else (row["b"], row["a"])
            )
            beaten[wins].add(loses)
    return next((name for name in sorted(names) if beaten[name] == names - {name}), None)


def compared(report: dict[str, Any]) -> list[dict[str, Any]]:
    """The comparisons as readers are shown them: on fewer than 10 clusters the data have t bounds for whoever computes
    with them, but, as with proportions, no table or figure calls them an interval.
    """
    return [
        row if _has_enough(row) else {**row, "low": None, "high": None, "method": "none"}
        for row in report["comparisons"]
    ]


def _has_enough(row: dict[str, Any]) -> bool:
    return bool(row.get("clusters", row["prompts"]) >= FEWEST_CLUSTERS)


def is_significant(row: dict[str, Any]) -> bool:
    """Whether a comparison's difference may be called one: p < .05 after Holm's adjustment."""
    return row["p_holm"] is not None and row["p_holm"] < SIGNIFICANT


def _orders(apart: list[dict[str, Any]]) -> str:
    """Which systems are above which, those above most others first, and how many pairs are not named."""
    below: dict[str, list[str]] = {}
    for first, second in sorted(map(_in_order, apart)):
        below.setdefault(first, []).append(second)
    said, left = [], MOST_PAIRS_NAMED
    for first, others in sorted(below.items(), key=lambda found: (-len(found[1]), found[0])):
        if others[:left]:
            said.append(f"{first} is above {listed(others[:left], 'and')}")
        left = max(0, left - len(others))
    more = len(apart) - MOST_PAIRS_NAMED
    return "; ".join([*said, of(more, "more pair")] if more > 0 else said)


def _in_order(row: dict[str, Any]) -> tuple[str, str]:
    """The two systems of a comparison, the one with the higher share first."""
    return (row["a"], row["b"]) if row["difference"] > 0 else (row["b"], row["a"])


def _higher(row: dict[str, Any]) -> str:
    first, second = _in_order(row)
    return f"{first} is above {second} by {abs(100 * row['difference']):.1f} points (p{NO_BREAK}{_p(row['p_holm'])})"


def _p(p: float) -> str:
    """With spaces that do not break."""
    text = p_value(p)
    return (text if text.startswith("<") else f"= {text}").replace(" ", NO_BREAK)


def filters_in_words(filters: dict[str, Any], unit: str = "item") -> list[str]:
    """What a report leaves out or replaces by choice, a phrase each; nothing where nothing was chosen."""
    return [_FILTERS[name](value, unit) for name, value in filters.items() if name in _FILTERS]


def left_out_in_words(reasons: dict[str, int]) -> str:
    """215 given as gold answers, 3 in responses that are not finished yet."""
    return ", ".join(f"{count(n)} {LEFT_OUT.get(reason, reason)}" for reason, n in reasons.items())


def origin(part: str, what: str, value: Any, unit: str) -> str:
    """One thing that a report was made from (see `differences.origins`) in words; "none" where it has none."""
    if value in (None, {}, []):
        return "none"
    if part == "filters":
        return "; ".join(filters_in_words({what: value}, unit))
    if what == "left_out":
        return left_out_in_words(value)
    return count(value) if isinstance(value, int) else str(value)


def _answers(value: str, unit: str) -> str:
    return f"where a {unit} was adjudicated, the adjudication stands as its one rating"


def _least_gold(value: float, unit: str) -> str:
    return f"without raters who were right on fewer than {100 * value:.4g} % of their gold answers"


def _without_raters(value: list[str], unit: str) -> str:
    return f"without the ratings of {listed(list(value), 'and')}"


def _least_seconds(value: float, unit: str) -> str:
    return f"without ratings given in less than {value:g} second{'' if value == 1 else 's'}"


def _systems(value: list[str], unit: str) -> str:
    return f"{listed(list(value), 'and')} only"


def _metadata(value: dict[str, list[str]], unit: str) -> str:
    said = [f"whose {breakdown(key)} is {listed(list(values), 'or')}" for key, values in value.items()]
    return f"only prompts {listed(said, 'and')}"


_FILTERS: dict[str, Callable[[Any, str], str]] = {
    "answers": _answers,
    "least_gold": _least_gold,
    "without_raters": _without_raters,
    "least_seconds": _least_seconds,
    "systems": _systems,
    "metadata": _metadata,
}
