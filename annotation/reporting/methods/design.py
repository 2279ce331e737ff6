"""The Design paragraph of the Methods: who judged what, how they were asked, and what was not rated or not counted."""

from collections.abc import Iterator

from ...i18n.numbers import localized
from ...i18n.unit_names import counted, unit_words
from ...models import Item
from ...protocols import Question
from ..data.groups import RATER
from ..provenance_record import Provenance
from ..report import Report
from ..sections.scores.text import scores_note
from ..text.figure_format import count, listed, percent
from ..text.names import Names
from ..text.notes import sample_note, verdicts_note, without_unrated_measures
from ..text.provenance import LEFT_OUT, adjudications, excluded_note, filters_in_words, readings_by_language
from .record import process_sentences
from .references import NUMPY, SCIPY

DIGEST = 12  # characters of a hash in a text


def design_text(report: Report, names: Names, record: Provenance | None = None) -> str:
    """Return the paragraph."""
    sentences = [
        _who_judged_what(report, names),
        _lengths(report, names),
        *(process_sentences(record, names) if record else ()),
        *_questions(names),
        _in_translation(report, names),
        sample_note(report, names.unit),
        _skipped(report, names),
        verdicts_note(report),
        _exclusion_sentence(report, names),
        excluded_note(report, names.unit),
        _not_counted(report),
        _filters(report, names),
        _software(report, record),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _who_judged_what(report: Report, names: Names) -> str:
    data = report.data
    adjudicated = adjudications(report)
    judged = {"items": _rated_responses(report, names), "prompts": counted(data.prompts, "prompt")}
    items_and_prompts = ("%(items)s to %(prompts)s") % judged
    item_count, rater_count = data.items or 0, data.raters or 0
    if not adjudicated:
        sentence = (
            "%(raters)s judged %(what)s: %(ratings)s."
            if rater_count == 1
            else "%(raters)s judged %(what)s: %(ratings)s."
        )
        each = _ratings_each(data.ratings, item_count, names)
        return sentence % {"raters": counted(rater_count, "rater"), "what": items_and_prompts, "ratings": each}
    by_adjudication = (
        f"{count(adjudicated)} by adjudication (1 rating)"
        if adjudicated == 1
        else f"{count(adjudicated)} by adjudication (1 rating each)"
    )
    shares = [by_adjudication]
    ratings, items = data.ratings - adjudicated, item_count - adjudicated
    if ratings:
        raters = {"n": count(items), "raters": counted(len(report.by[RATER]), "rater")}
        each = _ratings_each(ratings, items, names)
        shares.insert(0, (("%(n)s by %(raters)s (%(ratings)s)") % {**raters, "ratings": each}))
    sentence = "%(what)s was judged: %(shares)s." if item_count == 1 else "%(what)s were judged: %(shares)s."
    return sentence % {"what": items_and_prompts, "shares": listed(shares, "and")}


def _ratings_each(ratings: int, items: int, names: Names) -> str:
    """Return 1,204 ratings, 3 for each sentence; "on average" if that is no whole number."""
    values = {"ratings": counted(ratings, "rating"), "each": _per_item(ratings, items), "unit": unit_words(names.unit)}
    return ("%(ratings)s, %(each)s for each %(unit)s") % values


def _rated_responses(report: Report, names: Names) -> str:
    """Return 40 sentences of 12 responses by 2 systems. Cells of pairs are pairs of systems, in one order or both."""
    data, cells, item_count = report.data, report.systems, report.data.items or 0
    if names.unit == Item.Unit.PAIR:
        pairs = {frozenset(str(cell.system).split(" vs ")) for cell in cells}
        items = "%(n)s pair of responses" if item_count == 1 else "%(n)s pairs of responses"
        systems = "%(n)s pair of systems" if len(pairs) == 1 else "%(n)s pairs of systems"
        of_pairs = {"items": items % {"n": count(item_count)}, "systems": systems % {"n": count(len(pairs))}}
        return ("%(items)s by %(systems)s") % of_pairs
    values = {
        "items": counted(item_count, names.unit),
        "responses": counted(data.responses, "response"),
        "systems": counted(len(cells), "system"),
    }
    whole = names.unit == Item.Unit.RESPONSE
    return ("%(responses)s by %(systems)s" if whole else "%(items)s of %(responses)s by %(systems)s") % values


def _per_item(ratings: int, items: int) -> str:
    """Return the number of ratings of an item: 3, or on average 2.4."""
    mean = ratings / items
    return f"{mean:.0f}" if ratings % items == 0 else f"on average {localized(f'{mean:.1f}')}"


def _lengths(report: Report, names: Names) -> str:
    """State the mean number of rated items of a response; "" where an item is a whole response."""
    if names.unit in (Item.Unit.RESPONSE, Item.Unit.PAIR) or not report.data.responses:
        return ""
    mean = localized(f"{(report.data.items or 0) / report.data.responses:.1f}")
    sentence = "A response had %(n)s rated %(units)s on average."
    return sentence % {"n": mean, "units": unit_words(names.unit, 2)}


def _questions(names: Names) -> Iterator[str]:
    """Yield the first measured question, then the other choice questions, each with its options as they are defined."""
    if names.protocol is None:
        return
    first = names.protocol.first_measured_question
    sentence = "Raters were asked “%(question)s” and answered %(answers)s."
    yield sentence % {"question": first.text, "answers": listed(_labels(first), "or")}
    yield _definitions(first)
    for question in names.protocol.questions:
        if question.key != first.key and question.options:
            sentence = "A further question was “%(question)s”, answered %(answers)s."
            yield sentence % {"question": question.text, "answers": listed(_labels(question), "or")}
            yield _definitions(question)


def _definitions(question: Question) -> str:
    """State the definitions of a question's options; "" without any."""
    options = [option for option in question.options if option.definition]
    definitions = "; ".join(f"{option.label}: {option.definition.rstrip('.')}" for option in options)
    return f"Definitions: {definitions}." if definitions else ""


def _labels(question: Question) -> list[str]:
    return [option.label for option in question.options]


def _in_translation(report: Report, names: Names) -> str:
    """State that raters saw the questions in translation."""
    shown_counts = report.data.shown_in_translation
    sentence = "In this project some raters were shown the questions in translation: %(counts)s."
    return sentence % {"counts": readings_by_language(shown_counts, names.unit)} if shown_counts else ""


def _skipped(report: Report, names: Names) -> str:
    """State the items that raters were not asked about; "" where all are rated."""
    skipped = report.data.skipped
    if not skipped:
        return ""
    reasons = listed([f"{Item.ClaimFree(reason).label} {count(n)}" for reason, n in skipped.items()], "and")
    sentence = "Not rated: %(items)s marked by their wording as likely free of claims (%(reasons)s)."
    return sentence % {"items": counted(sum(skipped.values()), names.unit), "reasons": reasons}


def _exclusion_sentence(report: Report, names: Names) -> str:
    cell, labels = report.overall, names.left_out()
    n = cell.left_out
    if not n:
        return ""
    excluded_label = listed([f"“{label}”" for label in labels], "or") if labels else "without an assessment"
    sentence = (
        "%(n)s rating (%(share)s) was %(what)s and excluded from every proportion."
        if n == 1
        else "%(n)s ratings (%(share)s) were %(what)s and excluded from every proportion."
    )
    return sentence % {"n": count(n), "share": percent(n / cell.ratings), "what": excluded_label}


def _not_counted(report: Report) -> str:
    left_out = report.data.left_out
    if not left_out:
        return ""
    parts = [f"{count(n)} {LEFT_OUT.get(reason, reason)}" for reason, n in left_out.items()]
    return f"Further ratings do not count: {listed(parts, 'and')}."


def _filters(report: Report, names: Names) -> str:
    """State the filters, so that readers know which ratings the numbers were computed from."""
    phrases = filters_in_words(report.filters, names.unit).values()
    return f"The figures were computed from a selection of ratings: {'; '.join(phrases)}." if phrases else ""


def _software(report: Report, record: Provenance | None) -> str:
    """State the software, the protocol and the data by version and hash; SciPy's version is in the record."""
    sentence = (
        "Ratings were analyzed with Factuary %(factuary)s, NumPy %(numpy)s (%(numpy_citation)s) and SciPy%(scipy)s "
        "(%(scipy_citation)s) under the protocol %(protocol)s, version %(version)s (SHA-256 %(protocol_hash)s…); the "
        "SHA-256 of the data is %(data_hash)s…."
    )
    return sentence % {
        "factuary": report.software.factuary,
        "numpy": report.software.numpy,
        "numpy_citation": NUMPY.citation,
        "scipy": f" {record.scipy}" if record and record.scipy else "",
        "scipy_citation": SCIPY.citation,
        "protocol": report.protocol.slug,
        "version": report.protocol.version,
        "protocol_hash": report.protocol.sha256[:DIGEST],
        "data_hash": report.data.sha256[:DIGEST],
    }


def measures_text(report: Report, names: Names) -> str:
    """Return the paragraph."""
    sentences = [_measures(report, names), _pooled(report), _means(report, names), scores_note(report, names)]
    return " ".join(sentence for sentence in sentences if sentence)


def _measures(report: Report, names: Names) -> str:
    rated = without_unrated_measures(report)[0].overall.measures
    described = [m for m in names.protocol.measures if m.description and m.key in rated] if names.protocol else []
    measures = " ".join(f"{measure.label}: {_sentence(measure.description)}" for measure in described)
    return f"Proportions: {measures}" if described else ""


def _pooled(report: Report) -> str:
    """State how ratings are added up; "" without a measure."""
    if not report.overall.measures:
        return ""
    return "Every rating has the same weight in a proportion (pooled over raters, responses and prompts)."


def _means(report: Report, names: Names) -> str:
    """State which measures are means over responses, and every method that their intervals used."""
    if report.overall.means is None or names.protocol is None:
        return ""
    sentence = " ".join(f"{m.label}: {_sentence(m.description)}" for m in names.protocol.means if m.description)
    cells = [report.overall, *report.systems, *(cell for cells in report.by.values() for cell in cells)]
    used = {mean.method for cell in cells for mean in (cell.means or {}).values()}
    ways = {"bca": "BCa bootstrap", "t": "the linearized ratio with t"}
    intervals = listed([words for method, words in ways.items() if method in used], "or")
    means = f"Means over responses: {sentence}"
    how = "Intervals of means: %(intervals)s, with %(clusters)s as clusters."
    clusters = unit_words(report.method.cluster, 2)
    return f"{means} {how % {'intervals': intervals, 'clusters': clusters}}" if intervals else means


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."
