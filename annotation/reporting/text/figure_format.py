"""Number formats of pages, tables and papers, and how to read a coefficient of agreement.

Numbers that pages in the reader's language show, too, have its separators; others are in English, as reports are.
Percentages have one decimal; a share that is not 0 or 1 is never rounded to 0 or 100 %. Undefined figures are worded.
"""

from collections.abc import Iterable, Mapping

from ...i18n.english import localized
from ...i18n.unit_names import counted, unit_words
from ...stats.planning import Plan
from ..choices import DOCUMENT
from ..parts import MeanEstimate, Proportion
from ..sections.agreement.figures import Agreement, Disagreement
from ..sections.differences.figures import SIGNIFICANCE_LEVEL
from .names import Names

NOTHING_TO_ASSESS = "not estimable: no assessed rating"
UNDEFINED = "–"
NO_BREAK = "\u00a0"
COEFFICIENTS = {
    "percent": "Agreement",
    "fleiss_kappa": "Fleiss’ kappa",
    "gwet_ac1": "Gwet’s AC1",
    "krippendorff_alpha": "Krippendorff’s alpha",
}
AGREEMENT_DIGITS = 3
CORRELATIONS = {
    "pearson": "Pearson’s r",
    "spearman": "Spearman’s rho",
    "kendall_tau_b": "Kendall’s tau-b",
}
SKEWED = 0.15  # AC1 less alpha
ACCEPTABLE = 0.667  # the least alpha for tentative conclusions (Krippendorff)
OVERLAP = "A prompt with several values counts once in each value"


def percent(value: float | None, *, sign: bool = True) -> str:
    """Format a share: 0.914 -> 91.4 %; None in words."""
    return NOTHING_TO_ASSESS if value is None else _percentage(value) + (" %" if sign else "")


def _percentage(value: float) -> str:
    text = f"{100 * value:.1f}"
    if text == "100.0" and value < 1:
        return localized("> 99.9")
    return localized("< 0.1" if text == "0.0" and value > 0 else text)


def percent_or_dash(value: float | None) -> str:
    """Format a share that may be undefined for other reasons than a lack of ratings."""
    return UNDEFINED if value is None else percent(value)


def interval(low: float | None, high: float | None) -> str:
    """Format bounds: 0.889, 0.934 -> 88.9 – 93.4; "" when undefined."""
    return "" if low is None or high is None else f"{_percentage(low)} – {_percentage(high)}"


def points(value: float | None) -> str:
    """Format a difference of shares in percentage points, with its sign."""
    if value is None:
        return UNDEFINED
    text = f"{100 * value:+.1f}".replace("-", "−")
    return localized("0.0" if text[1:] == "0.0" else text)


def points_between(low: float | None, high: float | None) -> str:
    """Format the bounds of a difference in percentage points."""
    return UNDEFINED if low is None or high is None else f"{points(low)} to {points(high)}"


def coefficient(value: float | None, digits: int = 2) -> str:
    """Format a coefficient: 0.5234 -> .52; with a decimal comma 0,52."""
    if value is None:
        return UNDEFINED
    rounded = round(value, digits) or 0.0  # no −.00
    text = localized(f"{rounded:.{digits}f}".replace("-", "−"))
    return text.replace("0.", ".", 1) if abs(rounded) < 1 else text


def duration(seconds: float | None) -> str:
    """Format seconds with two or three digits: 4.6 s, 14 s; from 100 seconds in minutes: 1.7 min, 33 min."""
    if seconds is None:
        return UNDEFINED
    value, unit = (seconds, "s") if seconds < 99.5 else (seconds / 60, "min")
    return localized(f"{value:.1f} {unit}" if value < 9.95 else f"{value:,.0f} {unit}")


def plan_size(plan: Plan, unit: str) -> str:
    """Format what a plan takes: 236 prompts; 60 documents with 3 prompts each."""
    if unit != DOCUMENT:
        return counted(plan.prompts, "prompt")
    prompts = localized(f"{plan.design.prompts:.3g}")
    return f"{counted(plan.units, 'document')} with {prompts} prompts each"


def mean(value: float | None) -> str:
    """Format a score or a mean of shares: 0.7777 -> 0.778."""
    return UNDEFINED if value is None else localized(f"{value:.3f}".replace("-0.000", "0.000").replace("-", "−"))


def score(value: float | None) -> str:
    """Format weighted errors per 100 ratings: 12.345 -> 12.3."""
    return UNDEFINED if value is None else f"{value:.1f}"


def mean_bounds(estimate: MeanEstimate) -> str:
    """Format the bounds of a mean; "" where it has none."""
    return "" if estimate.low is None else f"{mean(estimate.low)} – {mean(estimate.high)}"


def design_effect(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:.2f}"


def agreement_value(name: str, value: float | None) -> str:
    """Format one of COEFFICIENTS: 88.2 %, or .520 with three digits, as studies publish them."""
    return percent_or_dash(value) if name == "percent" else coefficient(value, AGREEMENT_DIGITS)


def agreement_change(name: str, value: float | None) -> str:
    """Format a difference of two COEFFICIENTS, with its sign: +1.2 points or +.030."""
    if name == "percent":
        return points(value)
    plus = "+" if value is not None and round(value, AGREEMENT_DIGITS) > 0 else ""
    return plus + coefficient(value, AGREEMENT_DIGITS)


def agreement_bounds(name: str, agreement: Agreement) -> str:
    """Format the bounds of one of the COEFFICIENTS of a question; "" where it has none."""
    bounds = (agreement.intervals or {}).get(name)
    if not bounds:
        return ""
    return interval(*bounds) if name == "percent" else joined_bounds(agreement_value(name, end) for end in bounds)


def joined_bounds(bounds: Iterable[str]) -> str:
    """Join formatted bounds as studies publish them: .486, .534."""
    return ", ".join(bounds)


def p_value(p: float | None) -> str:
    """Format p: 0.0312 -> .031, below .001 as `< .001`; rounding never moves p across .05: 0.0496 -> .0496."""
    if p is None:
        return UNDEFINED
    digits = 3
    while (round(p, digits) < SIGNIFICANCE_LEVEL) != (p < SIGNIFICANCE_LEVEL):
        digits += 1
    return "< .001" if p < 0.001 else f"{p:.{digits}f}".removeprefix("0")


def p_with_sign(p: float | None) -> str:
    """Format p with its sign, for figures: p = .031, p < .001; "not tested" without one."""
    if p is None:
        return "not tested"
    return f"p {p_value(p)}" if p < 0.001 else f"p = {p_value(p)}"


def count(n: int) -> str:
    """Format a whole number: 11754 -> 11,754."""
    return localized(f"{n:,}")


def listed(words: list[str], joint: str) -> str:
    """Join words: ["a", "b", "c"], "or" -> a, b or c."""
    return " ".join(words) if len(words) < 2 else f"{', '.join(words[:-1])} {joint} {words[-1]}"


def item_of(row: Disagreement, first: int = 0) -> str:
    """Name the item of a disagreement by imported ids: `r17, sentence 3`; positions begin with `first`."""
    responses = row.response if row.against is None else f"{row.response} vs {row.against}"
    return f"{responses}, {unit_words(row.unit)} {row.item + first}"


def answers_to_others(row: Disagreement, names: Names) -> str:
    """Format the option counts of all questions but the first measured one: `Severity: Severe × 2`."""
    return "; ".join(
        f"{names.question(question)}: {times([(names.option_of(question, key), n) for key, n in options.items()])}"
        for question, options in row.questions.items()
        if any(options.values())
    )


def times(options: Iterable[tuple[str, int]]) -> str:
    """Format counts, without zeros: Accurate × 2, Inaccurate × 1."""
    return ", ".join(f"{label} × {count(n)}" for label, n in options if n)


def interpretation(agreement: Agreement) -> str:
    """Explain how to read the agreement on a question from its coefficients together."""
    alpha, ac1 = agreement.krippendorff_alpha, agreement.gwet_ac1
    if agreement.percent is None:
        return "No item has two answers to this question yet."
    if alpha is None:
        return "Only one answer was ever given, so there is no disagreement to expect: alpha is undefined."
    percent, kappa = agreement.percent, agreement.fleiss_kappa
    # The agreement that Fleiss' kappa expects by chance, the sum of the answers' squared shares, never exceeds the
    # largest share. If no answer prevails, AC1 is above alpha because it spreads chance over all options.
    by_chance = 0.0 if kappa is None or kappa >= 1 else (percent - kappa) / (1 - kappa)
    if ac1 is not None and ac1 - alpha > SKEWED and by_chance >= 0.5:
        if ac1 < ACCEPTABLE:
            return (
                "Alpha and AC1 are below .667, usually considered too low for firm conclusions. Alpha is the lower one "
                "because most answers are the same and raters seldom give a rare answer to the same items."
            )
        return (
            "Alpha is much lower than AC1 because most answers are the same: agreement on a rare answer "
            "has a large weight in alpha. Read it together with AC1."
        )
    if alpha < ACCEPTABLE:
        return "Alpha below .667 is usually considered too low for firm conclusions: check which answers are confused."
    return "The coefficients agree. From .8 agreement is usually called good, from .667 acceptable."


def methods_used(figures: Iterable[Mapping[str, Proportion]]) -> set[str]:
    """Return the methods of the intervals of some cells' measures or shares, without undefined proportions."""
    return {p.method for proportions in figures for p in proportions.values() if p.value is not None}


def points_range(values: list[float]) -> str:
    """Format shares in order as points: 7.4, or 7.4 to 9.1."""
    least, most = (f"{100 * value:.1f}" for value in (values[0], values[-1]))
    return least if least == most else f"{least} to {most}"
