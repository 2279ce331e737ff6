"""What differs between the test of a difference and that of the crossed model, which stand side by side."""

from collections.abc import Callable

from ...i18n.unit_names import unit_words
from ..compute.comparisons import SIGNIFICANCE_LEVEL
from ..report import Report
from .crossed_models import is_reliable
from .figure_format import listed, p_value
from .names import Names


def two_tests(report: Report, names: Names, label: Callable[[str], str]) -> str:
    """State what differs, and name the pairs that are significant in one test only; "" where no pair has both.

    `label` names a measure. Models that are not reliable are not compared.
    """
    differences = {(row.measure, row.a, row.b): row.p_holm for row in report.comparisons}
    contradictions: list[str] = []
    random: dict[str, None] = {}
    for model in filter(is_reliable, report.crossed_models or ()):
        for row in model.odds_ratios:
            p, p_of_model = differences.get((model.measure, row.a, row.b)), row.p_holm
            if p is None or p_of_model is None:
                continue
            random |= dict.fromkeys(_plural(part.grouping, names) for part in model.components)
            if (p < SIGNIFICANCE_LEVEL) != (p_of_model < SIGNIFICANCE_LEVEL):
                pair = "%(measure)s, %(a)s / %(b)s (difference: p %(p)s; model: p %(model)s)"
                contradictions.append(
                    pair % {
                        "measure": label(model.measure), "a": row.a, "b": row.b, "p": _p(p), "model": _p(p_of_model),
                    }
                )  # fmt: skip
    if not random:
        return ""
    return " ".join(filter(None, [_what_differs(report, names, list(random)), _which(contradictions)]))


def _what_differs(report: Report, names: Names, random: list[str]) -> str:
    sentence = (
        "The differences and the crossed model answer different questions, so their p-values can disagree. A "
        "difference weights all ratings alike, so that long responses and documents count more; its sampling unit is "
        "the %(cluster)s, and its raters are fixed. The model is about a single %(unit)s, holds systems fixed, and has "
        "random effects of %(random)s."
    )
    words = {"cluster": unit_words(report.method.cluster), "unit": unit_words(names.unit)}
    return sentence % {**words, "random": listed(random, "and")}


def _plural(grouping: str, names: Names) -> str:
    return unit_words(names.unit if grouping == "item" else grouping, 2)


def _which(contradictions: list[str]) -> str:
    """Name the pairs that are significant after Holm in one of the two only."""
    if not contradictions:
        return ""
    sentence = (
        "Significant after Holm’s correction in only one of the two: %(pairs)s. Report the test that your analysis "
        "plan names."
    )
    return sentence % {"pairs": "; ".join(contradictions)}


def _p(p: float) -> str:
    text = p_value(p)
    return text if text.startswith("<") else f"= {text}"
