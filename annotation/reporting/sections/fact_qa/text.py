"""Fact-QA scores in words: labels of groups and figures, the sentence of a judge, notes, and the Methods."""

from collections.abc import Iterator, Mapping

from ....i18n.unit_names import counted, unit_words
from ....stats.interval_choice import ENOUGH_CLUSTERS
from ....stats.intervals import MIN_CLUSTERS
from ...methods.references import SYLLABUS_QA
from ...parts import MeanEstimate
from ...report import Report
from ...text.figure_format import count, mean, mean_bounds
from .figures import FactQAReport

FIGURES = {"precision": "Precision", "recall": "Recall", "f1": "F1"}
GROUPS = {
    "systems": "Systems",
    "source_classes": "Source classes",
    "question_types": "Question types",
}
"""Parts of the JSON with the means of groups -> what the groups are."""
_NAMES: Mapping[str, Mapping[str, str]] = {
    "systems": {},
    "source_classes": {
        "explicit": "Explicit",
        "implicit": "Implicit",
        "insufficient": "Insufficient",
    },
    "question_types": {
        "yes/no": "Yes/no",
        "single factual": "Single factual",
        "multi factual": "Multi factual",
        "single reasoning": "Single reasoning",
        "multi reasoning": "Multi reasoning",
        "summarization": "Summarization",
        "no answer": "No answer",
    },
}


def group_name(part: str, value: str | None) -> str:
    """Return the label of a group of one of GROUPS; a system and a type of another data set keep their names."""
    if value is None:
        return "All responses"
    name = _NAMES[part].get(value)
    return name if name else value


def with_bounds(estimate: MeanEstimate) -> str:
    """Format a mean with its interval: 0.812 [0.774 – 0.850]."""
    bounds = mean_bounds(estimate)
    return f"{mean(estimate.value)} [{bounds}]" if bounds else mean(estimate.value)


def fact_qa_sentence(part: FactQAReport) -> str:
    """Return the means over all responses that the judge has scored."""
    sentence = "%(judge)s: precision %(precision)s, recall %(recall)s, F1 %(f1)s, from %(scored)s of %(responses)s."
    return sentence % {
        "judge": part.judge,
        "precision": with_bounds(part.overall.precision),
        "recall": with_bounds(part.overall.recall),
        "f1": with_bounds(part.overall.f1),
        "scored": count(part.scored),
        "responses": counted(part.responses, "response"),
    }


def not_scored(part: FactQAReport) -> str:
    """Return what is not scored, or counts 0; "" where nothing is."""
    reasons = []
    if part.failed:
        reasons.append(f"failed, in no mean: {count(part.failed)}")
    if part.tuned:
        reasons.append(f"tuned the judge’s prompt, in no figure: {count(part.tuned)}")
    if part.missing:
        reasons.append(f"not scored yet: {count(part.missing)}")
    if part.unreadable:
        reasons.append(
            f"{count(part.unreadable)} unreadable answer counts 0"
            if part.unreadable == 1
            else f"{count(part.unreadable)} unreadable answers count 0"
        )
    return "; ".join(reasons)


def fact_qa_note(part: FactQAReport) -> str:
    """State what the figures of a judge are."""
    if part.fact_source == "document":
        source = "Precision: the share of a response’s facts that the document supports, as the judge finds them."
    else:
        source = (
            "Precision: the share of a response’s facts that the reference answer supports, as the judge finds them."
        )
    recall = "Recall: the share of the reference answer’s facts that the response supports."
    if part.precision_only:
        recall = "No recall: the judge was not asked about reference answers."
    means = "Means over responses, which have equal weights; undefined figures are in no mean."
    return " ".join([source, recall, means, _intervals(part)])


def _intervals(part: FactQAReport) -> str:
    sentence = (
        "Intervals are 95 %%, over %(clusters)s: BCa bootstrap from %(enough)s of them, linearized with t on the logit "
        "scale from %(least)s, none with fewer."
    )
    values = {"clusters": unit_words(part.method.cluster, 2), "enough": ENOUGH_CLUSTERS, "least": MIN_CLUSTERS}
    return sentence % values


def correlation_note() -> str:
    """State what the correlations are."""
    return (
        "Pearson’s r of the judge’s figures with those of people, response by response, where both are defined. "
        "Intervals are by Fisher’s z, which takes responses as independent."
    )


def fact_qa_methods(report: Report) -> str:
    """Return the sentences of the Methods; "" without scores."""
    return " ".join(sentence for part in report.fact_qa or () for sentence in _methods(part))


def _methods(part: FactQAReport) -> Iterator[str]:
    sentence = (
        "Judge %(judge)s scored responses by Fact-QA (%(citation)s; mode: %(mode)s): it splits a response into facts, "
        "and judges which of them are supported."
    )
    modes = {"published": "as published", "strict": "strict"}
    yield sentence % {"judge": part.judge, "citation": SYLLABUS_QA.citation, "mode": modes[part.mode]}
    yield fact_qa_note(part)
    yield fact_qa_sentence(part)
    if reasons := not_scored(part):
        yield f"Of judge {part.judge}: {reasons}."
    if part.is_compared:
        yield correlation_note()
