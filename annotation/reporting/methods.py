"""The Methods paragraph: what was done, in plain words with the numbers filled in, ready to be pasted into a paper.

It says what is true of this report and nothing else: a method that no interval used is not mentioned.
"""

from collections.abc import Iterator
from typing import Any

from ..models import Item
from ..stats.comparisons import MOST_EXACT
from ..stats.headline import ENOUGH_CLUSTERS, ENOUGH_EVENTS
from ..stats.intervals import FEWEST_CLUSTERS
from .aggregations import MAJORITY, other_ways
from .agreement import ACCURATE_OR_NOT, SEVERITY_SCALE
from .breakdowns import RATER
from .choices import ADJUDICATED
from .notes import difference_intervals, least_p_note, raters_note
from .wording import (
    LEFT_OUT,
    Names,
    agreement_bounds,
    agreement_of,
    agreement_value,
    compared,
    count,
    filters_in_words,
    listed,
    methods_used,
    of,
    percent,
)

DERIVED = {
    ACCURATE_OR_NOT: "on being accurate or not",
    SEVERITY_SCALE: "on severity as a scale (accurate, an issue that is not severe, a severe issue)",
}
NO_RATINGS = "No ratings count yet: the ratings of a response count once its rater has finished it."


def methods_paragraph(report: dict[str, Any], names: Names) -> str:
    """One paragraph of plain text."""
    if not report["data"]["ratings"]:
        return NO_RATINGS
    sentences = [
        _who_judged_what(report, names),
        _asked(names),
        _excluded(report, names),
        _not_counted(report),
        _chosen(report, names),
        _measures(names),
        _means(report, names),
        _intervals(report),
        _comparisons(report),
        _ranks(report, names),
        _aggregations(report, names),
        _agreement(report, names),
        _resampled(report),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _who_judged_what(report: dict[str, Any], names: Names) -> str:
    data = report["data"]
    adjudicated = _adjudications(report)
    what = f"{_judged(report, names)} to {of(data['prompts'], 'prompt')}"
    if not adjudicated:
        ratings = f"{of(data['ratings'], 'rating')}, {_each(data['ratings'], data['items'])} for each {names.unit}"
        return f"{of(data['raters'], 'rater')} judged {what}: {ratings}."
    shares = [f"{count(adjudicated)} by adjudication ({'1 rating' if adjudicated == 1 else '1 rating each'})"]
    ratings, items = data["ratings"] - adjudicated, data["items"] - adjudicated
    if ratings:
        raters = of(len(report["by"][RATER]), "rater")
        each = f"{of(ratings, 'rating')}, {_each(ratings, items)} for each {names.unit}"
        shares.insert(0, f"{count(items)} by {raters} ({each})")
    return f"{what} {'was' if data['items'] == 1 else 'were'} judged: {listed(shares, 'and')}."


def _judged(report: dict[str, Any], names: Names) -> str:
    """40 sentences of 12 responses by 2 systems. A pair's cells are pairs of systems, each in one order or in both."""
    data, cells = report["data"], report["systems"]
    if names.unit == Item.Unit.PAIR:
        pairs = {frozenset(cell["system"].split(" vs ")) for cell in cells}
        items = of(data["items"], "pair of responses", "pairs of responses")
        return f"{items} by {of(len(pairs), 'pair of systems', 'pairs of systems')}"
    responses = of(data["responses"], "response")
    items = responses if names.unit == Item.Unit.RESPONSE else f"{of(data['items'], names.unit)} of {responses}"
    return f"{items} by {of(len(cells), 'system')}"


def _adjudications(report: dict[str, Any]) -> int:
    """How many ratings of the report are adjudications: these are in no rater's cell, and each is all of its item."""
    if report.get("filters", {}).get("answers") != ADJUDICATED:
        return 0
    given: int = report["data"]["ratings"] - sum(cell["ratings"] for cell in report["by"].get(RATER, ()))
    return given


def _each(ratings: int, items: int) -> str:
    """How many ratings an item has: 3, or on average 2.4."""
    mean = ratings / items
    return f"{mean:.0f}" if ratings % items == 0 else f"on average {mean:.1f}"


def _asked(names: Names) -> str:
    if names.protocol is None:
        return ""
    first = names.protocol.first_measured_question
    return f"They were asked “{first.text}” and answered {listed([o.label for o in first.options], 'or')}."


def _excluded(report: dict[str, Any], names: Names) -> str:
    cell, labels = report["overall"], names.left_out()
    n = cell["ratings"] - cell["assessed"]
    if not n:
        return ""
    what = listed([f"“{label}”" for label in labels], "or") if labels else "without an assessment"
    were = "was" if n == 1 else "were"
    return f"{of(n, 'rating')} ({percent(n / cell['ratings'])}) {were} {what} and left out of every proportion."


def _not_counted(report: dict[str, Any]) -> str:
    left_out = report["data"]["left_out"]
    if not left_out:
        return ""
    parts = [f"{count(n)} {LEFT_OUT.get(reason, reason)}" for reason, n in left_out.items()]
    return f"Further ratings do not count: {listed(parts, 'and')}."


def _chosen(report: dict[str, Any], names: Names) -> str:
    """The filters: whoever reads the numbers must know which ratings they were computed from."""
    said = filters_in_words(report.get("filters", {}), names.unit)
    return f"The figures were computed with a choice of ratings: {'; '.join(said)}." if said else ""


def _measures(names: Names) -> str:
    described = [m for m in names.protocol.measures if m.description] if names.protocol else []
    return f"Proportions: {' '.join(f'{m.label}: {_sentence(m.description)}' for m in described)}" if described else ""


def _means(report: dict[str, Any], names: Names) -> str:
    """What is a mean over responses, and how its intervals were made: one clause a method that was used."""
    if "means" not in report["overall"] or names.protocol is None:
        return ""
    said = " ".join(f"{m.label}: {_sentence(m.description)}" for m in names.protocol.means if m.description)
    cells = [report["overall"], *report["systems"], *(cell for cells in report["by"].values() for cell in cells)]
    used = {of["method"] for cell in cells for of in cell["means"].values()}
    ways = {"bca": "BCa bootstrap", "t": "the linearised ratio with t"}
    intervals = listed([words for method, words in ways.items() if method in used], "or")
    cluster = report["method"]["cluster"]
    how = f" Intervals of means: {intervals}, with {cluster}s as clusters." if intervals else ""
    return f"Means over responses: {said}{how}"


def _intervals(report: dict[str, Any]) -> str:
    method, used = report["method"], _methods_used(report)
    cluster = method["cluster"]
    parts = []
    if "bca" in used:
        parts.append(
            f"BCa bootstrap over {cluster}s where a figure rests on at least {ENOUGH_CLUSTERS} {cluster}s and "
            f"{ENOUGH_EVENTS} ratings on either side"
        )
    if "korn-graubard" in used:
        where = " elsewhere" if parts else ""
        parts.append(f"Korn-Graubard bounds on the effective number of ratings, with {cluster}s as clusters{where}")
    none = (
        f"none is given where fewer than {FEWEST_CLUSTERS} {cluster}s have an assessed rating" if "none" in used else ""
    )
    if not parts:
        return (
            f"No intervals are given, as fewer than {FEWEST_CLUSTERS} {cluster}s have an assessed rating."
            if none
            else ""
        )
    said = f"Intervals are {_level(report)}: {'; '.join([*parts, none] if none else parts)}."
    return f"{said} {raters_note(report)}".strip()


def _methods_used(report: dict[str, Any]) -> set[str]:
    return methods_used(
        [report["overall"], *report["systems"], *(cell for cells in report["by"].values() for cell in cells)]
    )


def _comparisons(report: dict[str, Any]) -> str:
    if not report["comparisons"]:
        return ""
    cluster = report["method"]["cluster"]
    how = _swaps(report) if _swaps_are_drawn(report) else "all"
    bounds = difference_intervals(compared(report), cluster)
    said = (
        "Systems were compared in pairs on the prompts that both have assessed ratings for; "
        f"{f'intervals of differences: {bounds}; ' if bounds else ''}p values come from "
        f"{how} swaps of the two systems within {cluster}s and are adjusted for the pairs of a measure (Holm)."
    )
    return f"{said} {least_p_note(report['comparisons'], cluster)}".strip()


def _swaps_are_drawn(report: dict[str, Any]) -> bool:
    """Reports of before the number was kept draw them where prompts are many."""
    return any(bool(row["swaps"]) if "swaps" in row else row["prompts"] > MOST_EXACT for row in report["comparisons"])


def _swaps(report: dict[str, Any]) -> str:
    """How many random swaps a test had: 10,000 random (100,000 where that left p close to .05 in doubt)."""
    usual = report["method"]["resamples"]
    more = {row["swaps"] for row in report["comparisons"] if (row.get("swaps") or 0) > usual}
    doubt = f" ({count(max(more))} where that left p close to .05 in doubt)" if more else ""
    exact = any("swaps" in row and row["swaps"] is None for row in report["comparisons"])
    few = f" (all, where {MOST_EXACT} {report['method']['cluster']}s or fewer are in common)" if exact else ""
    return f"{count(usual)} random{doubt}{few}"


def _ranks(report: dict[str, Any], names: Names) -> str:
    if not any(row["low"] is not None for row in report.get("ranks", [])):
        return ""
    return (
        f"Intervals of ranks are {_level(report)} percentile intervals of the systems’ ranks over the resamples, one "
        "system at a time."
    )


def _aggregations(report: dict[str, Any], names: Names) -> str:
    """How the headline sums up, and how far the other ways are from it on the first measure."""
    found = next((row["measures"] for row in report.get("aggregations", []) if row["system"] is None), None)
    if not found:
        return ""
    first = next(iter(found))
    others = other_ways(found[first], names.unit)
    if found[first]["pooled"] is None or not others:
        return ""
    undecided = found[first]["majority"]["undecided"]
    ties = {MAJORITY: f" ({of(undecided, 'tie')} undecided)"} if undecided else {}
    said = listed([f"{percent(value)} {way}{ties.get(way, '')}" for way, value in others.items()], "and")
    return (
        f"All ratings count the same in these proportions (pooled); {names.measure(first).lower()} would be {said}, "
        f"instead of {percent(found[first]['pooled'])}."
    )


def _level(report: dict[str, Any]) -> str:
    return percent(report["method"]["level"]).replace(".0", "")


def _agreement(report: dict[str, Any], names: Names) -> str:
    parts = list(_agreements(report, names))
    bounds = f", with {_level(report)} percentile bootstrap intervals" if _agreement_is_resampled(report) else ""
    return f"Agreement between raters{bounds}: {'; '.join(parts)}." if parts else ""


def _agreement_is_resampled(report: dict[str, Any]) -> bool:
    return any(any((found["intervals"] or {}).values()) for found in report["agreement"].values())


def _resampled(report: dict[str, Any]) -> str:
    """How often, of what and with which seed: whoever does it again must know."""
    method = report["method"]
    differences = any(row.get("method") == "bca" for row in compared(report))
    used = {
        "proportions": "bca" in _methods_used(report),
        "differences": differences,
        "ranks": any(row["low"] is not None for row in report.get("ranks", [])),
        "agreement": _agreement_is_resampled(report),
    }
    what = [name for name, is_used in used.items() if is_used]
    swaps = _swaps_are_drawn(report)
    if not what:
        return f"Random swaps were drawn with seed {method['seed']}." if swaps else ""
    return (
        f"The resampled intervals (of {listed(what, 'and')}) come from {count(method['resamples'])} resamples of "
        f"{method['cluster']}s, seed {method['seed']}{' as for the swaps' if swaps else ''}."
    )


def _agreements(report: dict[str, Any], names: Names) -> Iterator[str]:
    for question, found in report["agreement"].items():
        if found["percent"] is not None and found["items"]:
            yield (
                f"{_asked_about(question, names)} {percent(found['percent'])} of pairs of raters on the average of "
                f"{of(found['items'], names.unit)} (Gwet’s AC1 {_with_bounds(found, 'gwet_ac1')}, Krippendorff’s "
                f"{'ordinal ' if question == SEVERITY_SCALE else ''}alpha "
                f"{_with_bounds(found, 'krippendorff_alpha')})"
            )


def _asked_about(key: str, names: Names) -> str:
    """What an agreement is about: the answers to choose from, those that are missing labels aside."""
    if key in DERIVED:
        return DERIVED[key]
    if names.protocol is None:
        return agreement_of(key).lower()
    left_out = names.protocol.left_out(key)
    kept = [option.label for option in names.protocol.question(key).options if option.key not in left_out]
    return f"on the answers {listed(kept, 'or')}"


def _with_bounds(found: dict[str, Any], name: str) -> str:
    if found[name] is None:
        return "undefined"
    value, between = agreement_value(name, found[name]), agreement_bounds(name, found)
    return f"{value} [{between}]" if between else value


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."
