"""The Design and Measures paragraphs of the Methods: who judged what, how they were asked, what was not rated or not
counted, and what the proportions and means are.
"""

from collections.abc import Iterator, Sequence

from ...i18n.unit_names import ITEM_KINDS, counted, unit_words
from ...models import Item
from ...protocols import Mean, Measure, Question
from ..data.groups import RATER
from ..parts import Share
from ..provenance_record import Provenance
from ..report import Report
from ..sections.scores.tables import scores_note
from ..text.figure_format import UNDEFINED, count, listed, percent
from ..text.names import Names
from ..text.notes import sample_note, verdicts_note, without_unrated_measures
from ..text.provenance import LEFT_OUT, adjudications, excluded_note, filters_in_words, readings_by_language
from .references import NUMPY, PUNKT, SCIPY

DAY = 10  # characters of a date in a time
DIGEST = 12  # characters of a hash in a text


def design_sentences(report: Report, names: Names, record: Provenance | None = None) -> Iterator[str]:
    data = report.data
    yield _who_judged_what(report, names)
    if names.unit not in (Item.Unit.RESPONSE, Item.Unit.PAIR) and data.responses:
        mean = (data.items or 0) / data.responses
        yield f"A response had {mean:.1f} rated {unit_words(names.unit, 2)} on average."
    if record:
        yield from process_sentences(record, names)
    if names.protocol is not None:
        first = names.protocol.first_measured_question
        yield f"Raters were asked “{first.text}” and answered {_answers(first)}"
        for question in names.protocol.questions:
            if question.key != first.key and question.options:
                yield f"A further question was “{question.text}”, answered {_answers(question)}"
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
    if names.unit == Item.Unit.PAIR:  # cells of pairs are pairs of systems, in one order or both
        pairs = len({frozenset(str(cell.system).split(" vs ")) for cell in report.systems})
        of_responses = f"{counted(items, 'pair')} of responses by {counted(pairs, 'pair')} of systems"
    else:
        of_responses = f"{counted(data.responses, 'response')} by {counted(len(report.systems), 'system')}"
        if names.unit != Item.Unit.RESPONSE:
            of_responses = f"{counted(items, names.unit)} of {of_responses}"
    judged = f"{of_responses} to {counted(data.prompts, 'prompt')}"
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


def _ratings_each(ratings: int, items: int, names: Names) -> str:
    """Return 1,204 ratings, 3 for each sentence; "on average" if that is no whole number."""
    mean = ratings / items
    each = f"{mean:.0f}" if ratings % items == 0 else f"on average {mean:.1f}"
    return f"{counted(ratings, 'rating')}, {each} for each {unit_words(names.unit)}"


def _answers(question: Question) -> str:
    """Return the answers, and in a sentence of its own the definitions of those that have one."""
    answers = listed([option.label for option in question.options], "or")
    definitions = [
        f"{option.label}: {option.definition.rstrip('.')}" for option in question.options if option.definition
    ]
    return f"{answers}. Definitions: {'; '.join(definitions)}." if definitions else f"{answers}."


def measures_sentences(report: Report, names: Names) -> Iterator[str]:
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


def process_sentences(record: Provenance, names: Names) -> Iterator[str]:
    imported = record.blinding.imported
    all_imported = imported >= record.ratings
    if record.first_rating is not None and record.last_rating is not None:
        first, last = record.first_rating[:DAY], record.last_rating[:DAY]
        period = f"on {first}" if first == last else f"from {first} to {last}"
        assigned = "" if all_imported else f"; each response was assigned to {counted(record.overlap, 'rater')}"
        yield f"The ratings were given {period}{assigned}."
    preparation = record.preparation
    if preparation.training_responses:
        responses = counted(preparation.training_responses, "response")
        share = _of_gold(preparation.training, "correct")
        yield f"Raters were trained on {responses}; {count(preparation.trained)} completed it{share}."
    if preparation.qualification_responses:
        responses = counted(preparation.qualification_responses, "response")
        share = _of_gold(preparation.qualification, "correct")
        yield (
            f"They had to pass a qualification test of {responses} (at least {percent(preparation.pass_mark)} correct, "
            f"up to {count(preparation.tries)} attempts); {count(preparation.passed)} passed, and it was waived for "
            f"{count(preparation.waived)}{share}."
        )
    if not preparation.training_responses and not preparation.qualification_responses:
        yield "There was neither training nor a qualification test in the software."
    if preparation.hidden_gold_every:
        share = _of_gold(preparation.hidden_gold, "equal to gold")
        yield f"One response in {count(preparation.hidden_gold_every)} was hidden gold{share}."
    if imported:
        were = "was" if imported == 1 else "were"
        yield (
            f"{counted(imported, 'rating')} {were} imported, given under conditions that the software did not control."
        )
    if not all_imported:
        yield "Factuary does not show raters which system produced a response, and assigns responses in random order."
        aids = ["likely passages were suggested"] if record.blinding.suggestions else []
        aids += ["the reference answer was shown"] if record.blinding.reference_shown else []
        if aids:
            yield f"During rating, {listed(aids, 'and')}."
    yield from _items(record, names)


def _of_gold(share: Share | None, verdict: str) -> str:
    return f" ({percent(share.value)} of {count(share.n)} answers {verdict})" if share and share.n else ""


def _items(record: Provenance, names: Names) -> Iterator[str]:
    """Yield what the responses were split into, what is not rated of them, and each system's mean lengths with the
    variation that widens intervals.
    """
    units = unit_words(names.unit, 2)
    if versions := [version for version in record.splitters if version]:
        yield (
            f"Responses were split into {units} by Factuary’s splitter, version {listed(versions, 'and')}, which uses "
            f"Punkt ({PUNKT.citation})."
        )
    elif record.splitters:
        yield f"The {units} came with the data."
    if record.not_rated:
        kinds = listed([f"{ITEM_KINDS.get(kind, kind)} {count(n)}" for kind, n in record.not_rated.items()], "and")
        yield f"Not rated because of their kind: {counted(sum(record.not_rated.values()), 'item')} ({kinds})."
    if record.nothing_to_rate:
        systems = listed([f"{system} ({count(n)})" for system, n in record.nothing_to_rate.items()], "and")
        yield f"Not in any figure, because nothing in them is rated: responses of {systems}."
    if record.marked_claim_free:
        n = sum(record.marked_claim_free.values())
        marked = "was rated is marked by its" if n == 1 else "were rated are marked by their"
        reasons = [f"{Item.ClaimFree(reason).label} {count(n)}" for reason, n in record.marked_claim_free.items()]
        yield f"{counted(n, names.unit)} that {marked} wording as likely free of claims ({listed(reasons, 'and')})."
    lengths = []
    for row in record.lengths:
        variation = UNDEFINED if row.items.cv2 is None else f"{row.items.cv2:.2f}"
        words = "word" if round(row.words.mean) == 1 else "words"
        lengths.append(f"{row.system} {row.items.mean:.1f} {units} (CV² {variation}) and {row.words.mean:.0f} {words}")
    if lengths:
        yield f"Mean lengths of responses: {'; '.join(lengths)}."
