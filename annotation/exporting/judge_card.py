"""The judge card, one page of Markdown that says what a judge is and what it is good for; and a summary in lines."""

from collections.abc import Iterable, Iterator

from ..i18n.unit_names import counted
from ..protocols import Protocol
from ..reporting.sections.judge.figures import JudgeComparison
from ..reporting.sections.judge.tables import shown_parts
from ..reporting.sections.judge.text import LEFT_OUT, alternative_sentence
from ..reporting.tables import Figure
from ..reporting.tables.kinds import POINTS
from ..reporting.tables.markdown import escaped, lines_of
from ..reporting.text.figure_format import count
from ..reporting.text.names import Names, readable

FEW_ITEMS = 5
"""Differing items on the card; all are in the JSON."""
EXCLUDED = {
    "verdict_shown": "ratings given or changed after a verdict was shown",
    "adjudications_verdict_shown": "adjudications after a verdict was shown, which resolve no tie",
    "not_drawn": "ratings of items that were not drawn, which have no weight",
    "skipped": "items that raters are not asked about, as they are likely free of claims",
}
"""What is excluded but not among the verdicts that are left out."""


def summary(comparison: JudgeComparison, protocol: Protocol) -> list[str]:
    """Return the figures, a line for each row of the tables of the card."""
    names = Names(protocol)
    lines = [
        f"judge {comparison.judge.name}: {count(comparison.items)} of {count(comparison.verdicts)} verdicts compared",
        *_not_compared(comparison, names),
        *(f"use: {sentence}" for sentence in comparison.use),
    ]
    for part in shown_parts(comparison, names):
        for table in part.tables:
            for row in table.cells:
                label = "" if table.head[0] else row[0].words
                figures = [f"{head} {cell.words}" for head, cell in zip(table.head, row, strict=True) if head]
                lines.append(f"{part.heading}: {label} {', '.join(figures)}")
    return [*(" ".join(line.split()) for line in lines), *_more(comparison, names)]


def judge_card(comparison: JudgeComparison, protocol: Protocol) -> str:
    names, judge, method, pinned = Names(protocol), comparison.judge, comparison.method, comparison.protocol
    if judge.rule is not None:
        description = [f"Rule: {judge.rule}"]
    else:
        description = [f"Model: {judge.model}; sees: {judge.sees}; a request rates: {judge.rates}"]
        if judge.returned_model is not None:
            description.append(f"The endpoint answered as: {judge.returned_model or 'it names no model'}")
        description.append(f"Samples: {judge.samples}; temperature: {judge.temperature}")
        description.append(f"Prompt, SHA-256: {judge.prompt_sha256}")
    description += [
        f"Version: {judge.version}",
        f"Protocol: {pinned.slug} {pinned.version}, SHA-256: {pinned.sha256}",
        f"Items compared: {count(comparison.items)} of {count(comparison.verdicts)} verdicts",
        *_not_compared(comparison, names),
        f"Intervals: {method.level:.0%}, sampling unit (cluster): {method.cluster}, "
        f"{count(method.resamples)} resamples, seed {method.seed}",
    ]
    blocks = [f"# Judge card: {escaped(judge.name)}", _bullets(description)]
    blocks += ["## Use", _bullets(comparison.use)]
    for part in shown_parts(comparison, names):
        blocks += [f"## {escaped(part.heading)}", *map(lines_of, part.tables), escaped(part.note)]
    blocks += ["## Tests and cost", _bullets(_more(comparison, names))]
    differing = []
    for row in comparison.differing_items[:FEW_ITEMS]:
        people = ", ".join(f"{readable(key)} × {n}" for key, n in row.people.items())
        response = row.response if row.against is None else f"{row.response} vs {row.against}"
        differing.append(
            f"{response}, {row.unit} {row.item + 1}: judge {readable(row.judge)}; people {people}: {row.text}"
        )
    blocks += ["## Items where judge and people differ most", _bullets(differing)]
    return "\n\n".join(filter(None, blocks)) + "\n"


def _not_compared(comparison: JudgeComparison, names: Names) -> Iterator[str]:
    """Yield what is not compared, and what must be known to read the figures."""
    yield from (f"Not compared, {LEFT_OUT[reason]}: {count(n)}" for reason, n in comparison.left_out.items())
    for reason, text in EXCLUDED.items():
        if n := comparison.excluded.get(reason):
            yield f"Excluded, {text}: {count(n)}"
    yield from comparison.notes
    yield from weights_sentence(comparison, names)


def weights_sentence(comparison: JudgeComparison, names: Names) -> list[str]:
    """Return the sentence about the weights, where items have different ones."""
    weights = comparison.weights
    if weights is None or weights.smallest is None or weights.largest is None:
        return []
    worth = f"{counted(comparison.items, names.unit)} are worth {count(round(weights.effective_items))} of equal weight"
    return [f"Weights are {weights.smallest:.3g} to {weights.largest:.3g}: {worth}."]


def _more(comparison: JudgeComparison, names: Names) -> Iterator[str]:
    """Yield what is in no table: the test, its own model, and the cost."""
    yield alternative_sentence(comparison)
    if (own := comparison.own_model) is not None:
        yield (
            f"Responses of its own model ({', '.join(own.systems)}): {names.measure(own.measure)} "
            f"{POINTS.show(Figure(own.difference, own.low, own.high)).words} points beyond its difference on the others"
        )
    if comparison.cost_usd.per_item is not None:
        yield f"Cost: USD {comparison.cost_usd.per_item:.6f} per item, {comparison.cost_usd.total:.4f} in total"


def _bullets(lines: Iterable[str]) -> str:
    return "\n".join(f"- {escaped(line)}" for line in lines)
