"""Cautions about the proportions. Above all figures: ratings that may have been given without reading. Below the
proportions: few clusters of a rare answer, one large document, narrow intervals by document.
"""

from collections import defaultdict
from collections.abc import Mapping

from ...i18n.unit_names import counted
from ..choices import DOCUMENT
from ..compute.agreement import is_by_chance
from ..compute.raters import MIN_SECONDS, is_too_fast
from ..report import Agreement, Bounds, Comparison, MeasureProportion, Report, ScoreEstimate
from .figure_format import coefficient, count, duration, percent
from .names import Names
from .notes import rare_note


def cautions(report: Report, names: Names) -> list[str]:
    """Return the sentences that apply to the proportions and differences of a report."""
    return [
        sentence
        for sentence in (rare_note(report, names), concentration_note(report), narrower_note(report, names))
        if sentence
    ]


def unread_warning(report: Report, names: Names) -> str:
    """Say which ratings look as if they were given without reading, by time and by agreement; "" for none."""
    seconds = [row.seconds for row in report.raters or () if row.seconds is not None and is_too_fast(row)]
    sentences = [chance_sentence(report.agreement, names)]
    if seconds:
        too_fast = (
            "The median time per answer of %(n)s of %(raters)s is below %(least)s, too short to read "
            "(shortest: %(time)s)."
        )
        values = {
            "n": count(len(seconds)), "raters": counted(len(report.raters or ()), "rater"),
            "least": duration(MIN_SECONDS), "time": duration(min(seconds)),
        }  # fmt: skip
        sentences.insert(0, too_fast % values)
    if not any(sentences):
        return ""
    return " ".join(filter(None, [*sentences, "Check some of these answers before you use the figures."]))


def chance_sentence(agreement: Mapping[str, Agreement], names: Names) -> str:
    """Say that the answers to the first measured question agree little more than by chance; "" where they do."""
    key = names.protocol.first_measured_question.key if names.protocol else next(iter(agreement), "")
    first = agreement.get(key)
    if first is None or not is_by_chance(first):
        return ""
    sentence = "The raters agree little more than by chance: Krippendorff’s alpha %(alpha)s over %(items)s."
    return sentence % {"alpha": coefficient(first.krippendorff_alpha, 3), "items": counted(first.items, names.unit)}


def concentration_note(report: Report) -> str:
    """Name the systems of which one document has more than a quarter of the ratings; "" without any."""
    if not report.concentration:
        return ""
    sentence = (
        "One document has more than a quarter of the ratings of each of these systems: %(systems)s. Proportions and "
        "differences weight all ratings alike, so they are largely about such a document: compare the averages in "
        "which all responses have equal weight."
    )
    systems = [f"{system} ({percent(share)})" for system, share in report.concentration.items()]
    return sentence % {"systems": ", ".join(systems)}


def narrower_note(report: Report, names: Names) -> str:
    """Name the figures whose interval by document is narrower than that by prompt, and say why; "" without any."""
    if report.method.cluster != DOCUMENT:
        return ""
    cells = report.systems if len(report.systems) == 1 else [*report.systems, report.overall]
    systems, pairs = defaultdict(list), defaultdict(list)
    for cell in cells:
        figures: dict[str, MeasureProportion | ScoreEstimate] = {**cell.measures, **(cell.scores or {})}
        for key, figure in figures.items():
            if _is_narrower(figure):
                systems[names.measure(key)].append(cell.system or names.all_systems)
    for row in (*report.comparisons, *(report.score_comparisons or ())):
        if _is_narrower(row):
            pairs[f"difference in {names.measure(row.measure)}"].append(f"{row.a} − {row.b}")
    narrower = [f"{name} ({', '.join(cases)})" for name, cases in (*systems.items(), *pairs.items())]
    if not narrower:
        return ""
    sentence = (
        "These intervals are narrower by document than by prompt: %(figures)s. Where prompts about one document are no "
        "more alike than others, this happens by chance in about two of five intervals, which are then often too "
        "narrow: quote the wider interval, by prompt."
    )
    return sentence % {"figures": ", ".join(narrower)}


def _is_narrower(figure: MeasureProportion | ScoreEstimate | Comparison) -> bool:
    by_document, by_prompt = _width(figure), _width(figure.by_prompt)
    return by_document is not None and by_prompt is not None and by_document < by_prompt


def _width(bounds: MeasureProportion | ScoreEstimate | Comparison | Bounds | None) -> float | None:
    return None if bounds is None or bounds.low is None or bounds.high is None else bounds.high - bounds.low
