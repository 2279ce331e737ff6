"""The Methods paragraph of a paper: the procedure in plain words with the numbers of this report.

It describes this report only: a method that no interval used is not mentioned.
"""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext
from msgspec import UNSET

from ...i18n.numbers import localized
from ...i18n.unit_names import counted, unit_words
from ...models import Item
from ...stats.interval_choice import ENOUGH_CLUSTERS, ENOUGH_EVENTS
from ...stats.intervals import MIN_CLUSTERS
from ...stats.swap_tests import MAX_EXACT
from ..compute.breakdowns import RATER
from ..compute.significance import comparisons_shown, nothing_in_common
from ..report import Report
from .aggregation_names import MAJORITY, other_aggregations
from .comparison_notes import difference_intervals, least_p_note
from .figure_format import count, listed, methods_used, percent
from .methods_agreement import agreement_is_resampled, agreement_sentence, level_of
from .names import Names
from .notes import documents_note, raters_note
from .provenance import LEFT_OUT, adjudications, filters_in_words, readings_by_language
from .scores import scores_note
from .unrated_measures import without_unrated_measures

NO_RATINGS = gettext_noop("No ratings count yet: the ratings of a response count once its rater has finished it.")


def methods_paragraph(report: Report, names: Names) -> str:
    """Return one paragraph of plain text."""
    if not report.data.ratings:
        return _(NO_RATINGS)
    sentences = [
        _who_judged_what(report, names),
        _question_sentence(names),
        _in_translation(report, names),
        _exclusion_sentence(report, names),
        _not_counted(report),
        _filters(report, names),
        _measures(report, names),
        _means(report, names),
        scores_note(report, names),
        _intervals(report),
        _comparisons(report),
        _ranks(report, names),
        _aggregations(report, names),
        agreement_sentence(report, names),
        _resampled(report),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _who_judged_what(report: Report, names: Names) -> str:
    data = report.data
    adjudicated = adjudications(report)
    judged = {"items": _rated_responses(report, names), "prompts": counted(data.prompts, "prompt")}
    items_and_prompts = _("%(items)s to %(prompts)s") % judged
    item_count, rater_count = data.items or 0, data.raters or 0
    if not adjudicated:
        sentence = ngettext(
            "%(raters)s judged %(what)s: %(ratings)s.", "%(raters)s judged %(what)s: %(ratings)s.", rater_count
        )
        each = _ratings_each(data.ratings, item_count, names)
        return sentence % {"raters": counted(rater_count, "rater"), "what": items_and_prompts, "ratings": each}
    by_adjudication = ngettext(
        "%(n)s by adjudication (1 rating)", "%(n)s by adjudication (1 rating each)", adjudicated
    ) % {"n": count(adjudicated)}
    shares = [by_adjudication]
    ratings, items = data.ratings - adjudicated, item_count - adjudicated
    if ratings:
        raters = {"n": count(items), "raters": counted(len(report.by[RATER]), "rater")}
        each = _ratings_each(ratings, items, names)
        shares.insert(0, _("%(n)s by %(raters)s (%(ratings)s)") % {**raters, "ratings": each})
    sentence = ngettext("%(what)s was judged: %(shares)s.", "%(what)s were judged: %(shares)s.", item_count)
    return sentence % {"what": items_and_prompts, "shares": listed(shares, _("and"))}


def _ratings_each(ratings: int, items: int, names: Names) -> str:
    """Return 1,204 ratings, 3 for each sentence; "on average" if that is no whole number."""
    values = {"ratings": counted(ratings, "rating"), "each": _per_item(ratings, items), "unit": unit_words(names.unit)}
    return _("%(ratings)s, %(each)s for each %(unit)s") % values


def _rated_responses(report: Report, names: Names) -> str:
    """Return 40 sentences of 12 responses by 2 systems. Cells of pairs are pairs of systems, in one order or both."""
    data, cells, item_count = report.data, report.systems, report.data.items or 0
    if names.unit == Item.Unit.PAIR:
        pairs = {frozenset(str(cell.system).split(" vs ")) for cell in cells}
        items = ngettext("%(n)s pair of responses", "%(n)s pairs of responses", item_count)
        systems = ngettext("%(n)s pair of systems", "%(n)s pairs of systems", len(pairs))
        of_pairs = {"items": items % {"n": count(item_count)}, "systems": systems % {"n": count(len(pairs))}}
        return _("%(items)s by %(systems)s") % of_pairs
    values = {
        "items": counted(item_count, names.unit),
        "responses": counted(data.responses, "response"),
        "systems": counted(len(cells), "system"),
    }
    whole = names.unit == Item.Unit.RESPONSE
    return (_("%(responses)s by %(systems)s") if whole else _("%(items)s of %(responses)s by %(systems)s")) % values


def _per_item(ratings: int, items: int) -> str:
    """Return the number of ratings of an item: 3, or on average 2.4."""
    mean = ratings / items
    return f"{mean:.0f}" if ratings % items == 0 else _("on average %(n)s") % {"n": localized(f"{mean:.1f}")}


def _question_sentence(names: Names) -> str:
    if names.protocol is None:
        return ""
    first = names.protocol.first_measured_question
    answers = listed([option.label for option in first.options], _("or"))
    return _("They were asked “%(question)s” and answered %(answers)s.") % {"question": first.text, "answers": answers}


def _in_translation(report: Report, names: Names) -> str:
    """State that raters saw the questions in translation."""
    shown_counts = report.data.shown_in_translation
    sentence = _("In this project some raters were shown the questions in translation: %(counts)s.")
    return sentence % {"counts": readings_by_language(shown_counts, names.unit)} if shown_counts else ""


def _exclusion_sentence(report: Report, names: Names) -> str:
    cell, labels = report.overall, names.left_out()
    n = cell.left_out
    if not n:
        return ""
    excluded_label = (
        listed([_("“%(text)s”") % {"text": label} for label in labels], _("or"))
        if labels
        else _("without an assessment")
    )
    sentence = ngettext(
        "%(n)s rating (%(share)s) was %(what)s and left out of every proportion.",
        "%(n)s ratings (%(share)s) were %(what)s and left out of every proportion.",
        n,
    )
    return sentence % {"n": count(n), "share": percent(n / cell.ratings), "what": excluded_label}


def _not_counted(report: Report) -> str:
    left_out = report.data.left_out
    if not left_out:
        return ""
    parts = [f"{count(n)} {_(LEFT_OUT.get(reason, reason))}" for reason, n in left_out.items()]
    return _("Further ratings do not count: %(parts)s.") % {"parts": listed(parts, _("and"))}


def _filters(report: Report, names: Names) -> str:
    """State the filters, so that readers know which ratings the numbers were computed from."""
    phrases = filters_in_words(report.filters, names.unit).values()
    return (
        _("The figures were computed with a choice of ratings: %(choice)s.") % {"choice": "; ".join(phrases)}
        if phrases
        else ""
    )


def _measures(report: Report, names: Names) -> str:
    rated = without_unrated_measures(report)[0].overall.measures
    described = [m for m in names.protocol.measures if m.description and m.key in rated] if names.protocol else []
    measures = " ".join(f"{measure.label}: {_sentence(measure.description)}" for measure in described)
    return _("Proportions: %(measures)s") % {"measures": measures} if described else ""


def _means(report: Report, names: Names) -> str:
    """State which measures are means over responses, and every method that their intervals used."""
    if report.overall.means is None or names.protocol is None:
        return ""
    sentence = " ".join(f"{m.label}: {_sentence(m.description)}" for m in names.protocol.means if m.description)
    cells = [report.overall, *report.systems, *(cell for cells in report.by.values() for cell in cells)]
    used = {mean.method for cell in cells for mean in (cell.means or {}).values()}
    ways = {"bca": _("BCa bootstrap"), "t": _("the linearised ratio with t")}
    intervals = listed([words for method, words in ways.items() if method in used], _("or"))
    means = _("Means over responses: %(measures)s") % {"measures": sentence}
    how = _("Intervals of means: %(intervals)s, with %(clusters)s as clusters.")
    clusters = unit_words(report.method.cluster, 2)
    return f"{means} {how % {'intervals': intervals, 'clusters': clusters}}" if intervals else means


def _intervals(report: Report) -> str:
    method, used = report.method, _methods_used(report)
    values = {"clusters": unit_words(method.cluster, 2), "fewest": MIN_CLUSTERS}
    if used == {"none"}:
        return _("No intervals are given, as fewer than %(fewest)s %(clusters)s have an assessed rating.") % values
    parts = []
    if "bca" in used:
        words = _(
            "BCa bootstrap over %(clusters)s where a figure rests on at least %(enough)s %(clusters)s and %(events)s "
            "ratings on either side"
        )
        if report.has_effective_degrees:
            words = _(
                "BCa bootstrap over %(clusters)s where a figure rests on at least %(enough)s %(clusters)s of similar "
                "size (CV² of their ratings up to .5) and %(events)s ratings on either side"
            )
        parts.append(words % {**values, "enough": ENOUGH_CLUSTERS, "events": ENOUGH_EVENTS})
    if "korn-graubard" in used:
        elsewhere = _(
            "Korn-Graubard bounds on the effective number of ratings, with %(clusters)s as clusters elsewhere"
        )
        alone = _("Korn-Graubard bounds on the effective number of ratings, with %(clusters)s as clusters")
        parts.append((elsewhere if parts else alone) % values)
    if not parts:
        return ""
    if "none" in used:
        parts.append(_("none is given where fewer than %(fewest)s %(clusters)s have an assessed rating") % values)
    whole = _("Intervals are %(level)s: %(parts)s.") % {"level": level_of(report), "parts": "; ".join(parts)}
    return " ".join(filter(None, [whole, documents_note(report), raters_note(report)]))


def _methods_used(report: Report) -> set[str]:
    cells = [report.overall, *report.systems, *(cell for cells in report.by.values() for cell in cells)]
    return methods_used(cell.measures for cell in cells)


def _comparisons(report: Report) -> str:
    if not report.comparisons:
        return ""
    if nothing_in_common(report):
        return _("Systems were not compared in pairs, as no two of them have assessed ratings for the same prompt.")
    cluster = report.method.cluster
    bounds = difference_intervals(comparisons_shown(report), cluster)
    ps = _(
        "p values come from %(how)s swaps of the two systems within %(clusters)s and are adjusted for the pairs of a "
        "measure (Holm)."
    )
    if report.is_studentized:
        ps = _(
            "p values come from two-sided permutation tests of the studentized difference (the difference over its "
            "standard error), with %(how)s swaps of the two systems within %(clusters)s, and are adjusted for the "
            "pairs of a measure (Holm)."
        )
    how = _swaps(report) if _swaps_are_drawn(report) else _("all")
    sentences = [
        _("Systems were compared in pairs on the prompts that both have assessed ratings for;"),
        _("intervals of differences: %(bounds)s;") % {"bounds": bounds} if bounds else "",
        ps % {"how": how, "clusters": unit_words(cluster, 2)},
        least_p_note(report.comparisons, cluster),
    ]
    return " ".join(filter(None, sentences))


def _swaps_are_drawn(report: Report) -> bool:
    """Return whether swaps were drawn at random; older reports, without their number, did so for many prompts."""
    return any(row.prompts > MAX_EXACT if row.swaps is UNSET else bool(row.swaps) for row in report.comparisons)


def _swaps(report: Report) -> str:
    """State the number of random swaps of a test: 10,000 random (100,000 if that left p close to .05 in doubt)."""
    usual = report.method.resamples
    more = {row.swaps for row in report.comparisons if isinstance(row.swaps, int) and row.swaps > usual}
    exact = any(row.swaps is None for row in report.comparisons)
    few = {"most": MAX_EXACT, "clusters": unit_words(report.method.cluster, 2)}
    phrases = [
        _("%(n)s random") % {"n": count(usual)},
        _("(%(n)s where that left p close to .05 in doubt)") % {"n": count(max(more))} if more else "",
        _("(all, where %(most)s %(clusters)s or fewer are in common)") % few if exact else "",
    ]
    return " ".join(filter(None, phrases))


def _ranks(report: Report, names: Names) -> str:
    if not any(row.low is not None for row in report.ranks or ()):
        return ""
    sentence = _(
        "Intervals of ranks are %(level)s percentile intervals of the systems’ ranks over the resamples, one system at "
        "a time."
    )
    return sentence % {"level": level_of(report)}


def _aggregations(report: Report, names: Names) -> str:
    """State how ratings are aggregated, and the values of the other aggregations for the first measure."""
    measures = next((row.measures for row in report.aggregations or () if row.system is None), None)
    if not measures:
        return ""
    first = next(iter(measures))
    others = other_aggregations(measures[first], names.unit)
    if measures[first].pooled is None or not others:
        return ""
    undecided = measures[first].majority.undecided
    undecided_ties = ngettext("(%(n)s tie undecided)", "(%(n)s ties undecided)", undecided) % {"n": count(undecided)}
    ties = {_(MAJORITY): f" {undecided_ties}"} if undecided else {}
    ways = listed([f"{percent(value)} {way}{ties.get(way, '')}" for way, value in others.items()], _("and"))
    sentence = _(
        "All ratings count the same in these proportions (pooled); %(measure)s would be %(ways)s, instead of "
        "%(pooled)s."
    )
    return sentence % {"measure": names.measure(first).lower(), "ways": ways, "pooled": percent(measures[first].pooled)}


def _resampled(report: Report) -> str:
    """State the number, the unit and the seed of the resamples, which others need to repeat them."""
    method = report.method
    differences = any(row.method == "bca" for row in comparisons_shown(report))
    used = {
        _("proportions"): "bca" in _methods_used(report),
        _("differences"): differences,
        _("ranks"): any(row.low is not None for row in report.ranks or ()),
        _("agreement"): agreement_is_resampled(report),
    }
    resampled_names = [name for name, is_used in used.items() if is_used]
    swaps = _swaps_are_drawn(report)
    if not resampled_names:
        return _("Random swaps were drawn with seed %(seed)s.") % {"seed": method.seed} if swaps else ""
    sentence = (
        _(
            "The resampled intervals (of %(what)s) come from %(n)s resamples of %(clusters)s, seed %(seed)s as for the "
            "swaps."
        )
        if swaps
        else _("The resampled intervals (of %(what)s) come from %(n)s resamples of %(clusters)s, seed %(seed)s.")
    )
    return sentence % {
        "what": listed(resampled_names, _("and")),
        "n": count(method.resamples),
        "clusters": unit_words(method.cluster, 2),
        "seed": method.seed,
    }


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."
