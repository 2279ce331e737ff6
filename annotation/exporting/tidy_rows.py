"""The rows of a report's CSV files: one row per figure, table after table."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import UNSET

from ..reporting.compute.cells import ratings_asked
from ..reporting.report import (
    BoundedShare,
    Cell,
    Coefficient,
    Comparison,
    CrossedModel,
    DawidSkene,
    Disagreement,
    Leniency,
    MeanEstimate,
    MeasureAggregation,
    Proportion,
    Report,
    ScoreEstimate,
    SensitivityEstimate,
    SensitivityScore,
    Share,
)
from ..reporting.text.figure_format import item_of
from .fact_qa_tables import fact_qa_rows
from .hybrid_tables import hybrid_rows, weighted_rows
from .judge_tables import judge_rows
from .metric_grids import metric_rows_of
from .table_names import table_name
from .unit_tables import prompt_unit_rows

COLUMNS = [
    "table", "system", "value", "figure", "key", "k", "n", "estimate", "low", "high", "method", "deff", "icc", "p",
    "p_holm",
]  # fmt: skip

Value = str | float | None
Row = dict[str, Value]


def tidy_rows(report: Report) -> Iterator[Row]:
    """Yield shares of measures and options, differences, ranks, aggregations, means, scores, raters and the rest."""
    yield from _cell("overall", report.overall, report.overall)
    for cell in report.systems:
        yield from _cell("systems", cell, report.overall)
    for name, cells in report.by.items():
        for cell in cells:
            yield from _cell(table_name(name), cell, report.overall)
    yield from _differences("comparisons", report.comparisons)
    yield from _differences("score_comparisons", report.score_comparisons or ())
    yield from prompt_unit_rows(report)
    for rank in report.ranks or ():
        yield {
            "table": "ranks", "system": rank.system, "figure": "rank", "key": rank.measure, "estimate": rank.rank,
            "low": rank.low, "high": rank.high,
        }  # fmt: skip
    yield from _aggregations(report)
    yield from _means(report)
    yield from _agreement(report)
    for item in report.disagreements or ():
        yield from _disagreement(item, report.overall)
    if tie := report.disagreement_tie:
        yield {"table": "disagreements", "figure": "tie", "k": tie.shown, "n": tie.items}
    yield from _raters(report)
    yield from _sensitivity(report)
    yield from _crossed_models(report.crossed_models or ())
    yield from weighted_rows(report)
    yield from hybrid_rows(report)
    yield from fact_qa_rows(report)
    yield from judge_rows(report)
    yield from metric_rows_of(report)


def _differences(table: str, comparisons: Sequence[Comparison]) -> Iterator[Row]:
    for pair in comparisons:
        yield {
            "table": table, "system": pair.a, "value": pair.b, "figure": "difference", "key": pair.measure,
            "n": pair.prompts, "estimate": pair.difference, "low": pair.low, "high": pair.high, "method": pair.method,
            "p": pair.p, "p_holm": pair.p_holm,
        }  # fmt: skip


def _cell(table: str, cell: Cell, overall: Cell) -> Iterator[Row]:
    where: Row = {"table": table, "system": cell.system or "", "value": cell.value or ""}
    for key, p in cell.measures.items():
        icc = None if p.icc is UNSET else p.icc
        yield {**where, "figure": "measure", "key": key, "k": p.k, "n": p.n, **_estimate(p), "deff": p.deff, "icc": icc}
    for key, mean in (cell.means or {}).items():
        yield {**where, "figure": "mean", "key": key, "n": mean.n, **_estimate(mean)}
    for key, score in (cell.scores or {}).items():
        yield {**where, "figure": "score", "key": key, "k": score.points, "n": score.n, **_estimate(score)}
    yield from _options(where, "option", cell.options, ratings_asked(cell, overall), cell.shares or {})
    yield from _questions(where, cell.questions)
    for key, share in (cell.shares_of_assessed or {}).items():
        yield {**where, "figure": "assessed option", "key": key, "k": share.k, "n": share.n, **_estimate(share)}


def _estimate(estimate: Proportion | MeanEstimate | ScoreEstimate | Coefficient) -> Row:
    return {"estimate": estimate.value, "low": estimate.low, "high": estimate.high, "method": estimate.method}


def _options(
    where: Row, figure: str, options: Mapping[str, int], n: int, shares: Mapping[str, Proportion]
) -> Iterator[Row]:
    """Yield the number of choices of each option; with the intervals of `shares` if there are any."""
    for key, k in options.items():
        bounds = _estimate(shares[key]) if key in shares else {}
        yield {**where, **bounds, "figure": figure, "key": key, "k": k, "n": n, "estimate": k / n if n else None}


def _questions(where: Row, questions: Mapping[str, Mapping[str, int]]) -> Iterator[Row]:
    for question, options in questions.items():
        yield from _options(where, question, options, sum(options.values()), {})


def _disagreement(item: Disagreement, overall: Cell) -> Iterator[Row]:
    """Yield the score and the counts of one item; `value` is the item. Its text is in the JSON."""
    where: Row = {"table": "disagreements", "system": item.system, "value": item_of(item)}
    yield {**where, "figure": "disagreement", "n": item.ratings, "estimate": item.disagreement}
    yield from _options(where, "option", item.options, ratings_asked(item, overall), {})
    yield from _questions(where, item.questions)


def _aggregations(report: Report) -> Iterator[Row]:
    """Yield aggregations as `figure`; the system is empty for all together."""
    for row in report.aggregations or ():
        for key, measure in row.measures.items():
            where: Row = {"table": "aggregations", "system": row.system or "", "key": key}
            for name, numbers in _aggregation(measure):
                yield {**where, "figure": name, **numbers}


def _aggregation(measure: MeasureAggregation) -> Iterator[tuple[str, Row]]:
    model = measure.dawid_skene
    yield "pooled", {"estimate": measure.pooled}
    yield "majority", _share(measure.majority)
    yield "macro_item", {"estimate": measure.macro_item}
    yield "macro_response", {"estimate": measure.macro_response}
    yield "macro_prompt", {"estimate": measure.macro_prompt}
    yield "responses_with_any", _share(measure.responses_with_any)
    yield "dawid_skene", _dawid_skene(model) if model else {"estimate": None}


def _dawid_skene(model: DawidSkene) -> Row:
    return {"estimate": model.value, "n": model.items, "low": model.low, "high": model.high}


def _share(p: Share) -> Row:
    return {"estimate": p.value, "k": p.k, "n": p.n}


def _means(report: Report) -> Iterator[Row]:
    """Yield correlations, then responses: `value` is a response's imported id; the system is empty for all together."""
    for row in report.correlations or ():
        where: Row = {"table": "correlations", "system": row.system or "", "value": row.key, "figure": "correlation"}
        for name, coefficient in row.coefficients.items():
            yield {**where, "key": name, "n": row.n, **_estimate(coefficient)}
    for response in report.responses or ():
        where = {"table": "responses", "system": response.system, "value": response.response, "figure": "mean"}
        yield from ({**where, "key": key, "estimate": value} for key, value in response.means.items())


def _agreement(report: Report) -> Iterator[Row]:
    for question, agreement in report.agreement.items():
        for name, value in agreement.coefficients.items():
            low, high = (agreement.intervals or {}).get(name) or (None, None)
            yield {
                "table": "agreement", "value": question, "figure": "agreement", "key": name, "n": agreement.items,
                "estimate": value, "low": low, "high": high,
            }  # fmt: skip


def _raters(report: Report) -> Iterator[Row]:
    """Yield pairs of raters, raters, then their weeks: `figure` is the week, `n` the ratings in it."""
    for question, agreement in report.agreement.items():
        for pair in agreement.rater_pairs or ():
            where: Row = {"table": "rater_pairs", "system": pair.a, "value": pair.b, "figure": question}
            yield {**where, "key": "percent", "n": pair.items, "estimate": pair.percent}
            yield {**where, "key": "ac1", "n": pair.items, "estimate": pair.ac1}
    for rater in report.raters or ():
        where = {"table": "raters", "value": rater.rater, "figure": "rater"}
        yield {**where, "key": "assessed", "k": rater.assessed, "n": rater.ratings}
        yield {**where, "key": "seconds", "estimate": rater.seconds}
        yield {**where, "key": "gold", **_rater_figure(rater.gold)}
        yield {**where, "key": "adjudicated", **_rater_figure(rater.adjudicated)}
        yield {**where, "key": "leave_one_out", **_rater_figure(rater.leave_one_out)}
        yield {**where, "key": "leniency", **_rater_figure(rater.leniency)}
        yield {**where, "key": "quick", **_rater_figure(rater.quick)}
        yield from ({**where, "figure": "flag", "key": flag} for flag in rater.flags)
    for rater in report.raters or ():
        for week in rater.weeks:
            where = {"table": "rater_weeks", "value": rater.rater, "figure": week.week, "n": week.ratings}
            yield {**where, "key": "accurate", "estimate": week.accurate}
            yield {**where, "key": "leave_one_out", "estimate": week.leave_one_out}
            yield {**where, "key": "leniency", "estimate": week.leniency}


def _crossed_models(models: Sequence[CrossedModel]) -> Iterator[Row]:
    """Yield odds ratios (system and `value` are the pair), proportions, variances (`value` is the grouping), then the
    models (`value` is the status).
    """
    for where, model in ((_laplace("odds_ratios", "odds ratio", model), model) for model in models):
        for row in model.odds_ratios:
            bounds: Row = {"estimate": row.value, "low": row.low, "high": row.high}
            yield {**where, "system": row.a, "value": row.b, **bounds, "p": row.p, "p_holm": row.p_holm}
    for where, model in ((_laplace("marginal_proportions", "proportion", model), model) for model in models):
        for share in model.marginal:
            yield {**where, "system": share.system, "estimate": share.value, "low": share.low, "high": share.high}
    for where, model in ((_laplace("variance_components", "variance", model), model) for model in models):
        for part in model.components:
            yield {**where, "value": part.grouping, "n": part.levels, "estimate": part.variance}
    for model in models:
        where = _laplace("crossed_models", "log likelihood", model)
        yield {**where, "value": model.status, "n": model.ratings, "estimate": model.log_likelihood}
        if model.undecided is not None:
            yield {**where, "figure": "undecided", "n": model.undecided}


def _laplace(table: str, figure: str, model: CrossedModel) -> Row:
    method = "laplace of majorities" if model.is_of_majorities else "laplace"
    return {"table": table, "figure": figure, "key": model.measure, "method": method}


def _rater_figure(figure: Share | Leniency | None) -> Row:
    if figure is None:
        return {}
    if isinstance(figure, Leniency):
        return {"n": figure.items, "estimate": figure.value, "low": figure.low, "high": figure.high}
    bounds = {"low": figure.low, "high": figure.high} if isinstance(figure, BoundedShare) else {}
    return {**_share(figure), **bounds}


def _sensitivity(report: Report) -> Iterator[Row]:
    """Yield the estimates of each analysis: `figure` names it, `value` the excluded raters; the system is empty for all
    together.
    """
    for row in report.sensitivity or ():
        estimates: list[SensitivityEstimate | SensitivityScore] = [*row.estimates, *(row.scores or ())]
        for p in estimates:
            yield {
                "table": "sensitivity", "system": p.system or "", "value": ", ".join(row.without or ()),
                "figure": row.analysis, "key": p.measure, "n": p.n, "estimate": p.value, "low": p.low, "high": p.high,
                "method": p.method,
            }  # fmt: skip
