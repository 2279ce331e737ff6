"""Fact-QA scores: means by groups, and correlations with people's scores."""

from collections.abc import Iterator, Sequence

from ....i18n.unit_names import counted, unit_words
from ....stats.interval_choice import ENOUGH_CLUSTERS
from ....stats.intervals import MIN_CLUSTERS
from ...data.response_scores import QUESTION_TYPES, SOURCE_CLASSES
from ...methods.references import SYLLABUS_QA
from ...parts import MeanEstimate
from ...report import Report
from ...tables import Column, Figure, Row, Table
from ...tables.kinds import COEFFICIENT, COUNT, LABEL, MEAN
from ...text.figure_format import count, mean, mean_bounds
from ...text.names import Names
from .figures import FactQAReport


def tables(report: Report, names: Names) -> Iterator[Table]:
    if report.fact_qa:
        yield from tables_of(report.fact_qa, names)


def tables_of(parts: Sequence[FactQAReport], names: Names) -> Iterator[Table]:
    rows = []
    for part in parts:
        groups = [(key, means) for key in GROUPS for means in getattr(part, key)]
        for key, means in [*groups, ("", part.overall)]:
            judge = part.judge if key in ("", "systems") else f"{part.judge}: {means.value}"
            figures = [Figure.of(getattr(means, figure)) for figure in FIGURES]
            rows.append(
                Row(
                    [part.judge, GROUPS.get(key, "All"), group_name(key, means.value), *figures, means.responses],
                    {"system": (means.value or "") if key == "systems" else "", "value": judge},
                )
            )
    columns = [
        Column("Judge", LABEL),
        Column("By", LABEL),
        Column("Value", LABEL),
        *(Column(head, MEAN, "mean", figure) for figure, head in FIGURES.items()),
        Column("Responses", COUNT),
    ]
    notes = [
        *dict.fromkeys(map(fact_qa_note, parts)),
        *(f"{part.judge}: {not_scored(part)}." for part in parts if not_scored(part)),
    ]
    yield Table("fact_qa", "Fact-QA: precision and recall of facts", columns, rows, " ".join(notes))
    correlations = [
        Row(
            [part.judge, FIGURES[row.figure], Figure.of(row, estimate=row.pearson), row.n],
            {"value": part.judge, "key": row.figure},
            is_hidden=not part.is_compared,
        )
        for part in parts
        for row in part.correlations
    ]
    columns = [
        Column("Judge", LABEL),
        Column("Figure", LABEL),
        Column("Pearson’s r", COEFFICIENT, "pearson"),
        Column("Responses", COUNT),
    ]
    yield Table("fact_qa_correlations", "Fact-QA: correlation with people", columns, correlations, CORRELATION_NOTE)


FIGURES = {"precision": "Precision", "recall": "Recall", "f1": "F1"}
GROUPS = {"systems": "System", "source_classes": "Source class", "question_types": "Question type"}
"""Parts of the JSON with the means of groups -> what a group is."""
CORRELATION_NOTE = (
    "Pearson’s r of the judge’s figures with those of people, response by response, where both are defined. Intervals "
    "are by Fisher’s z, which takes responses as independent."
)


def group_name(part: str, value: str | None) -> str:
    """Return the label of a group of one of GROUPS; a system and a type of another data set keep their names."""
    if value is None:
        return "All responses"
    words = {"source_classes": SOURCE_CLASSES, "question_types": QUESTION_TYPES}.get(part, ())
    return value.capitalize() if value in words else value


def fact_qa_sentence(part: FactQAReport) -> str:
    means = part.overall
    return (
        f"{part.judge}: precision {_with_bounds(means.precision)}, recall {_with_bounds(means.recall)}, F1 "
        f"{_with_bounds(means.f1)}, from {count(part.scored)} of {counted(part.responses, 'response')}."
    )


def _with_bounds(estimate: MeanEstimate) -> str:
    """Format a mean with its interval: 0.812 [0.774 – 0.850]."""
    bounds = mean_bounds(estimate)
    return f"{mean(estimate.value)} [{bounds}]" if bounds else mean(estimate.value)


def not_scored(part: FactQAReport) -> str:
    """Return what is not scored, or counts 0; "" where nothing is."""
    reasons = [
        f"failed, in no mean: {count(part.failed)}" if part.failed else "",
        f"tuned the judge’s prompt, in no figure: {count(part.tuned)}" if part.tuned else "",
        f"not scored yet: {count(part.missing)}" if part.missing else "",
    ]
    if part.unreadable:
        answers = "unreadable answer counts" if part.unreadable == 1 else "unreadable answers count"
        reasons.append(f"{count(part.unreadable)} {answers} 0")
    return "; ".join(filter(None, reasons))


def fact_qa_note(part: FactQAReport) -> str:
    source = "document" if part.fact_source == "document" else "reference answer"
    recall = (
        "No recall: the judge was not asked about reference answers."
        if part.precision_only
        else "Recall: the share of the reference answer’s facts that the response supports."
    )
    return (
        f"Precision: the share of a response’s facts that the {source} supports, as the judge finds them. {recall} "
        "Means over responses, which have equal weights; undefined figures are in no mean. Intervals are 95 %, over "
        f"{unit_words(part.method.cluster, 2)}: BCa bootstrap from {ENOUGH_CLUSTERS} of them, linearized with t on the "
        f"logit scale from {MIN_CLUSTERS}, none with fewer."
    )


def fact_qa_methods(report: Report) -> str:
    """Return the sentences of the Methods; "" without scores."""
    sentences = []
    for part in report.fact_qa or ():
        mode = {"published": "as published", "strict": "strict"}[part.mode]
        sentences.append(
            f"Judge {part.judge} scored responses by Fact-QA ({SYLLABUS_QA.citation}; mode: {mode}): it splits a "
            "response into facts, and judges which of them are supported."
        )
        sentences += [fact_qa_note(part), fact_qa_sentence(part)]
        if reasons := not_scored(part):
            sentences.append(f"Of judge {part.judge}: {reasons}.")
        sentences += [CORRELATION_NOTE] if part.is_compared else []
    return " ".join(sentences)
