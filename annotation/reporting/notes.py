"""What is said below tables and figures: how intervals were computed, what is in no row, what was chosen."""

from typing import Any

from .breakdowns import RATER, WITHIN_SYSTEM
from .frozen import choices_in_words
from .naming import Names
from .significance import lacks_an_interval
from .wording import OVERLAP, SIGNIFICANT, count, mark, methods_used, of, p_value

Report = dict[str, Any]

METHODS = {
    "bca": "BCa bootstrap over {cluster}s",
    "korn-graubard": "Korn-Graubard with the effective number of ratings",
}
TOO_FEW = "No interval where fewer than 10 {cluster}s have an assessed rating."
DIFFERENCE_METHODS = {
    "bca": "BCa bootstrap over {cluster}s with the resamples of the proportions",
    "t": "t bounds of the linearised difference of two ratios",
}
FOR_ONE_PAIR = "each is for one pair alone, not adjusted for the number of pairs"
TOO_FEW_IN_COMMON = "none where two systems have fewer than 10 {cluster}s in common"
ONLY_FEW_IN_COMMON = "none, as the systems have fewer than 10 {cluster}s in common"
COMPARISON_NOTE = (
    "Differences of unrounded shares, in percentage points, on the prompts that both systems have an assessed rating "
    "for. {intervals}p from swapping the systems within {cluster}s, adjusted over all pairs of a measure (Holm).{least}"
)
AGREEMENT_NOTE = (
    "Options that are left out of every proportion are missing labels; items with two labels or more. Intervals, where "
    "given, are 95 % percentile bootstrap intervals over {cluster}s. On the severity scale alpha is the ordinal one."
)
SEVERAL_VALUES = f"{OVERLAP}, so the rows add up to more than the ratings of these prompts."


def interval_note(cells: list[dict[str, Any]], cluster: str = "prompt") -> str:
    """Which methods the intervals of some cells have: named, because they differ in what they promise."""
    found = methods_used(cells)
    named = [f"{mark(method, cells)} {METHODS[method]}".strip() for method in METHODS if method in found]
    note = f"95 % intervals: {'; '.join(named)}." if named else ""
    return (f"{note} {TOO_FEW}".strip() if "none" in found else note).format(cluster=cluster)


def raters_note(report: Report) -> str:
    """Whom the intervals of the proportions are about; nothing where there is none."""
    raters = report["data"]["raters"]
    if not methods_used([report["overall"], *report["systems"]]) & set(METHODS):
        return ""
    who = "the raters" if raters is None else f"the {count(raters)} raters" if raters != 1 else "the one rater"
    return (
        f"The intervals take {who} as they are: were the raters to stand for raters in general, their habits would add "
        "to the width, and no number of prompts would take that away."
    )


def difference_intervals(comparisons: list[dict[str, Any]], cluster: str) -> str:
    """How the intervals of differences were computed, and where there is none; nothing where there is no difference.

    Reports of before the method was kept have linearised ones.
    """
    used = {row.get("method", "t") for row in comparisons if row["low"] is not None}
    said = ["; elsewhere ".join(way for method, way in DIFFERENCE_METHODS.items() if method in used)] if used else []
    if any(map(lacks_an_interval, comparisons)):
        said.append(TOO_FEW_IN_COMMON if said else ONLY_FEW_IN_COMMON)
    if used and len({(row["a"], row["b"]) for row in comparisons}) > 1:
        said.append(FOR_ONE_PAIR)
    return "; ".join(said).format(cluster=cluster)


def least_p_note(comparisons: list[dict[str, Any]], cluster: str) -> str:
    """Where so few clusters are in common that no swap test can find anything, the least adjusted p there is."""
    tested = [row for row in comparisons if row["p"] is not None]
    if not tested:
        return ""
    clusters = min(row.get("clusters", row["prompts"]) for row in tested)
    pairs = max(sum(row["measure"] == one["measure"] for row in tested) for one in tested)
    least = min(1.0, pairs * 2.0 ** (1 - clusters))
    if least < SIGNIFICANT:
        return ""
    adjusted = f" after adjusting for {pairs} pairs" if pairs > 1 else ""
    return f"On {of(clusters, cluster)} no p below {p_value(least)} is possible{adjusted}, whatever the difference."


def comparison_note(comparisons: list[dict[str, Any]], cluster: str = "prompt") -> str:
    """What the figures of a table of differences are."""
    how = difference_intervals(comparisons, cluster)
    intervals = f"95 % intervals: {how}. " if how else ""
    least = f" {least_p_note(comparisons, cluster)}".rstrip()
    return COMPARISON_NOTE.format(intervals=intervals, cluster=cluster, least=least)


def agreement_note(cluster: str = "prompt") -> str:
    """What the coefficients of a table of agreement rest on."""
    return AGREEMENT_NOTE.format(cluster=cluster)


def breakdown_note(report: Report, key: str) -> str:
    """What the table of a breakdown does not show by itself: methods, rows that overlap, ratings that are in none."""
    parts = [
        interval_note(report["by"][key], report["method"]["cluster"]),
        SEVERAL_VALUES if overlaps(report, key) else "",
        _in_no_row(report, key),
    ]
    return " ".join(filter(None, parts))


def overlaps(report: Report, key: str) -> bool:
    """Whether some prompt is in several rows; a report of before this was kept shows it in its sums, if at all."""
    if "multi_valued" in report:
        return key.removeprefix(WITHIN_SYSTEM) in report["multi_valued"]
    return bool(_in_rows(report, key) > report["data"]["ratings"])


def _in_no_row(report: Report, key: str) -> str:
    """Ratings of prompts without a value, and adjudications among the raters'. Where rows overlap, their sum cannot
    tell, and a report of before the number was kept says nothing.
    """
    rest = 0 if overlaps(report, key) else max(0, report["data"]["ratings"] - _in_rows(report, key))
    n = report.get("without_value", {}).get(key.removeprefix(WITHIN_SYSTEM), rest)
    if not n:
        return ""
    ratings = of(n, "adjudication") if key == RATER else f"{of(n, 'rating')} of prompts without a value"
    return f"{ratings} {'is' if n == 1 else 'are'} in no row."


def _in_rows(report: Report, key: str) -> int:
    return sum(cell["ratings"] for cell in report["by"][key])


def chosen_note(report: Report, names: Names) -> str:
    """Which choice of the ratings a table is of: it may be pasted without the paragraph that says so."""
    said = choices_in_words(report.get("filters", {}), report["method"], names.unit)
    return f"Computed with a choice: {'; '.join(said)}." if said else ""
