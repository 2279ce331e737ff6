"""The Design and Measures paragraphs of the Methods: who judged what, how they were asked, what was not rated or not
counted, and what the proportions and means are.
"""

from collections.abc import Iterator, Sequence

from ...i18n.unit_names import counted, unit_words
from ...models import Item
from ...protocols import Mean, Measure, Question
from ..data.groups import RATER
from ..provenance_record import Provenance
from ..report import Report
from ..sections.scores.text import scores_note
from ..text.figure_format import count, listed, percent
from ..text.names import Names
from ..text.notes import sample_note, verdicts_note, without_unrated_measures
from ..text.provenance import LEFT_OUT, adjudications, excluded_note, filters_in_words, readings_by_language
from .record import DIGEST, process_sentences
from .references import NUMPY, SCIPY


def design_sentences(report: Report, names: Names, record: Provenance | None = None) -> Iterator[str]:
    """Yield who judged what, how, and from which ratings and with which software the figures were computed."""
    data = report.data
    yield _who_judged_what(report, names)
    if names.unit not in (Item.Unit.RESPONSE, Item.Unit.PAIR) and data.responses:
        mean = (data.items or 0) / data.responses
        yield f"A response had {mean:.1f} rated {unit_words(names.unit, 2)} on average."
    if record:
        yield from process_sentences(record, names)
    yield from _questions(names)
    if data.shown_in_translation:
        readings = readings_by_language(data.shown_in_translation, names.unit)
        yield f"In this project some raters were shown the questions in translation: {readings}."
    yield sample_note(report, names.unit)
    if data.skipped:
        reasons = listed([f"{Item.ClaimFree(reason).label} {count(n)}" for reason, n in data.skipped.items()], "and")
        items = counted(sum(data.skipped.values()), names.unit)
        yield f"Not rated: {items} marked by their wording as likely free of claims ({reasons})."
    yield verdicts_note(report)
    if n := report.overall.left_out:
        were = "was" if n == 1 else "were"
        labels = listed([f"“{label}”" for label in names.left_out()], "or") or "without an assessment"
        share = percent(n / report.overall.ratings)
        yield f"{counted(n, 'rating')} ({share}) {were} {labels} and excluded from every proportion."
    yield excluded_note(report, names.unit)
    if data.left_out:
        left_out = [f"{count(n)} {LEFT_OUT.get(reason, reason)}" for reason, n in data.left_out.items()]
        yield f"Further ratings do not count: {listed(left_out, 'and')}."
    if filters := filters_in_words(report.filters, names.unit):
        yield f"The figures were computed from a selection of ratings: {'; '.join(filters.values())}."
    software, protocol = report.software, report.protocol
    scipy = f"SciPy {record.scipy}" if record and record.scipy else "SciPy"
    yield (
        f"Ratings were analyzed with Factuary {software.factuary}, NumPy {software.numpy} ({NUMPY.citation}) and "
        f"{scipy} ({SCIPY.citation}) under the protocol {protocol.slug}, version {protocol.version} (SHA-256 "
        f"{protocol.sha256[:DIGEST]}…); the SHA-256 of the data is {data.sha256[:DIGEST]}…."
    )


def _who_judged_what(report: Report, names: Names) -> str:
    data = report.data
    items = data.items or 0
    judged = f"{_rated_responses(report, names)} to {counted(data.prompts, 'prompt')}"
    adjudicated = adjudications(report)
    if not adjudicated:
        ratings = _ratings_each(data.ratings, items, names)
        return f"{counted(data.raters or 0, 'rater')} judged {judged}: {ratings}."
    ways = [f"{count(adjudicated)} by adjudication (1 rating{'' if adjudicated == 1 else ' each'})"]
    if data.ratings > adjudicated:
        rated = items - adjudicated
        raters = counted(len(report.by[RATER]), "rater")
        ratings = _ratings_each(data.ratings - adjudicated, rated, names)
        ways.insert(0, f"{count(rated)} by {raters} ({ratings})")
    return f"{judged} {'was' if items == 1 else 'were'} judged: {listed(ways, 'and')}."


def _rated_responses(report: Report, names: Names) -> str:
    """Return 40 sentences of 12 responses by 2 systems. Cells of pairs are pairs of systems, in one order or both."""
    items = report.data.items or 0
    if names.unit == Item.Unit.PAIR:
        pairs = len({frozenset(str(cell.system).split(" vs ")) for cell in report.systems})
        return f"{counted(items, 'pair')} of responses by {counted(pairs, 'pair')} of systems"
    rated = f"{counted(report.data.responses, 'response')} by {counted(len(report.systems), 'system')}"
    return rated if names.unit == Item.Unit.RESPONSE else f"{counted(items, names.unit)} of {rated}"


def _ratings_each(ratings: int, items: int, names: Names) -> str:
    """Return 1,204 ratings, 3 for each sentence; "on average" if that is no whole number."""
    mean = ratings / items
    each = f"{mean:.0f}" if ratings % items == 0 else f"on average {mean:.1f}"
    return f"{counted(ratings, 'rating')}, {each} for each {unit_words(names.unit)}"


def _questions(names: Names) -> Iterator[str]:
    """Yield the first measured question, then the other choice questions, each with its options as they are defined."""
    if names.protocol is None:
        return
    first = names.protocol.first_measured_question
    yield f"Raters were asked “{first.text}” and answered {_answers(first)}"
    for question in names.protocol.questions:
        if question.key != first.key and question.options:
            yield f"A further question was “{question.text}”, answered {_answers(question)}"


def _answers(question: Question) -> str:
    """Return the answers, and in a sentence of its own the definitions of those that have one."""
    answers = listed([option.label for option in question.options], "or")
    definitions = [
        f"{option.label}: {option.definition.rstrip('.')}" for option in question.options if option.definition
    ]
    return f"{answers}. Definitions: {'; '.join(definitions)}." if definitions else f"{answers}."


def measures_sentences(report: Report, names: Names) -> Iterator[str]:
    """Yield what the measures, means and scores are, how ratings are added up, and the intervals of means."""
    protocol = names.protocol
    if protocol is not None:
        rated = without_unrated_measures(report)[0].overall.measures
        if described := [measure for measure in protocol.measures if measure.description and measure.key in rated]:
            yield f"Proportions: {_descriptions(described)}"
    if report.overall.measures:
        yield "Every rating has the same weight in a proportion (pooled over raters, responses and prompts)."
    if report.overall.means is not None and protocol is not None:
        yield f"Means over responses: {_descriptions([mean for mean in protocol.means if mean.description])}"
        cells = [report.overall, *report.systems, *(cell for cells in report.by.values() for cell in cells)]
        methods = {mean.method for cell in cells for mean in (cell.means or {}).values()}
        words = {"bca": "BCa bootstrap", "t": "the linearized ratio with t"}
        if used := [words[method] for method in words if method in methods]:
            clusters = unit_words(report.method.cluster, 2)
            yield f"Intervals of means: {listed(used, 'or')}, with {clusters} as clusters."
    yield scores_note(report, names)


def _descriptions(measures: Sequence[Measure | Mean]) -> str:
    return " ".join(f"{measure.label}: {measure.description.removesuffix('.')}." for measure in measures)
