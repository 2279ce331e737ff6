"""The raters by name, for leads: no ranking, and not visible to raters."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import itemgetter
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.views.decorators.http import require_safe

from ...access import project_for
from ...accounts.names import DisplayNames
from ...exporting.rater_names import shown_rater_rows
from ...i18n.unit_names import unit_words
from ...models import Project
from ...pseudonyms import data_name_of, in_shown_order, shown_rater
from ...qualification.rules import hidden_gold_by_name, stopped_raters
from ...reporting import live
from ...reporting.choices import Choices
from ...reporting.sections.agreement.figures import ACCURATE
from ...reporting.sections.raters import figures as quality
from ...reporting.sections.raters.figures import RaterDetails, RaterQuality, RaterWeek, WeekCount
from ...reporting.sections.raters.tables import NOTE
from ...reporting.sections.sensitivity.figures import alerted_raters
from ...reporting.tables import Column, Figure, Kind, Row, Table
from ...reporting.tables.kinds import CHANGE, COUNT, LABEL, MEASURE, POINTS, SHARE, TEXT
from ...reporting.text import figure_format
from ...reporting.text.figure_format import count, duration, listed, points
from ...reporting.text.names import Names
from ..authentication import Request
from ..projects.attention import stopped_notices
from ..projects.trends import monday_of, rater_trend
from .agreement import PairCount, pair_count

WIDTH, HEIGHT, EDGE = 96, 22, 2  # of a line of weeks
MAX_RESAMPLED = 3  # exclusions whose intervals are resampled; with more, a page has closed-form intervals
ALERT_RULES = {
    quality.BELOW_GOLD: (
        f"The upper bound of the accuracy on gold answers is below {100 * quality.MIN_GOLD_SHARE:.0f} %."
    ),
    quality.LENIENT: (
        "Chose the counted answer more often than the others on the same sentences: the whole interval lies beyond "
        f"+{100 * quality.BEYOND:g} points. Raters are checked one at a time, the most extreme first, so that one "
        "outlier does not affect the others."
    ),
    quality.STRICT: (
        "Chose the counted answer less often than the others on the same sentences: the whole interval lies beyond "
        f"−{100 * quality.BEYOND:g} points."
    ),
    quality.DISAGREES: (
        "The upper bound of the agreement with the majority of the others lies more than "
        f"{100 * quality.APART:g} points below the other raters’ share."
    ),
    quality.MUCH_FASTER: (
        f"The median time is below 1/{1 / quality.FASTER:.0f} of the other raters’ median, over at least "
        f"{quality.MIN_TIMED_RATINGS} timed ratings, and the accuracy on gold or the agreement with other raters is "
        "also below theirs: being faster than others is not enough for an alert."
    ),
    quality.TOO_FAST: (
        f"The median time is below {duration(quality.MIN_SECONDS)}, too short to read, over at least "
        f"{quality.MIN_TIMED_RATINGS} timed ratings."
    ),
}
ALERT_LINK = '<a class="badge" data-tone="warning" href="#rules">{}</a>'
ConfusionTable = tuple[str, str, list[tuple[str, list[PairCount]]]]
"""A rater's answers by those of others: title, label of the others, rows of (label, cells)."""


@require_safe
def raters(request: Request, slug: str) -> HttpResponse:
    """List every rater, the meaning of the quality alerts, and the measures without some raters (`?without=`); at first
    without each rater with an alert, then without all of them.
    """
    project = project_for(request.user, slug, needs="lead")
    rows = shown_rater_rows(live.live_figures(project, quality.raters_of))
    alerted = alerted_raters(rows)
    rater_names = {row.rater for row in rows}
    requested = [name for name in request.GET.getlist("without") if name in rater_names]
    if "without" in request.GET or "compare" in request.GET:
        excluded = [requested] if requested else []
    else:  # each alone, too: errors in opposite directions cancel in one figure without all
        excluded = [[name] for name in alerted] + [alerted] * (len(alerted) > 1)
    is_slow = live.is_large(project) or len(excluded) > MAX_RESAMPLED
    extent = live.Extent.CLOSED_FORM if is_slow else live.Extent.COMPLETE
    display_name = DisplayNames()
    context = {
        "project": project,
        "rows": [(row.rater, display_name(row.rater), row.rater in requested) for row in rows],
        "table": _table(project, rows, display_name, is_list=True),
        "rules": ALERT_RULES,
        "alerted": alerted,
        "exclusions": [
            (
                f"these {len(group)} raters" if len(group) > 3 else ", ".join(map(display_name, group)),
                _report_without(project, group),
                _changes_without(project, group, extent),
            )
            for group in excluded
        ],
        "notices": stopped_notices(stopped_raters([project]).get(project.pk, [])),
        "hidden": in_shown_order(
            ((display_name(username), score) for username, score in hidden_gold_by_name(project)), itemgetter(0)
        ),
    }
    return render(request, "reports/raters.html", context)


@require_safe
def rater(request: Request, slug: str, username: str) -> HttpResponse:
    project = project_for(request.user, slug, needs="lead")
    name = data_name_of(username)
    rated = live.live_figures(project, quality.rater_details, name)
    if rated is None:
        raise Http404(f"{username} has no rating that counts in this project.")
    display_name, trend = DisplayNames(), rater_trend(project, name)
    by_week = {row.monday: row for row in trend.rows}
    weeks = []
    for week in rated.row.weeks:
        monday = monday_of(week.week)
        counts = by_week.get(monday)
        figures = [
            figure_format.percent_or_dash(week.accurate),
            _share(counts.same if counts else None),
            _share(counts.gold if counts else None),
            week.leniency,
        ]
        weeks.append(Row([date_format(monday, "j M Y"), week.ratings, *figures]))
    columns = [
        Column("Week from", LABEL),
        Column("Ratings", COUNT),
        Column(_counted_label(project), Kind(str)),
        Column("Agreement with other raters", SHARE),
        Column("Accuracy on gold", SHARE),
        Column("Leniency, points", CHANGE),
    ]
    context = {
        "project": project,
        "rater": display_name(name),
        "alerts": [(alert, ALERT_RULES[alert]) for alert in rated.row.flags],
        "table": _table(project, [rated.row], display_name, is_list=False),
        "trend": trend,
        "weeks": Table("weeks", "Figures by week", columns, weeks),
        "confusion_tables": list(_confusion_tables(rated, Names(project.protocol.definition))),
        "without_report": _report_without(project, [shown_rater(name)]),
    }
    return render(request, "reports/rater.html", context)


def _share(counts: WeekCount | None) -> Figure | None:
    return Figure(counts.share.value if counts.share else None, k=counts.k, n=counts.n) if counts else None


def _counted_label(project: Project) -> str:
    """Return the label of the measure of leniency: `accurate`, or the protocol's first."""
    measures = project.protocol.definition.measures
    return next((measure for measure in measures if measure.key == ACCURATE), measures[0]).label


def _table(project: Project, rows: Sequence[RaterQuality], display_name: DisplayNames, *, is_list: bool) -> Table:
    """Return the figures of raters, in a list with links to their pages and to the rules of the alerts."""
    left_out = listed(Names(project.protocol.definition).left_out(), "or")
    is_adjudicated, is_timed = any(row.adjudicated for row in rows), any(row.quick for row in rows)
    columns = [
        Column("Rater", LABEL, shown="everywhere" if is_list else "csv"),
        Column("Ratings", COUNT),
        Column(left_out or "Not assessed", SHARE),
        Column("Accuracy on gold", replace(SHARE, undefined="no gold")),
        Column("As adjudicated", replace(SHARE, undefined="none"), shown="everywhere" if is_adjudicated else "csv"),
        Column("Agreement with other raters", replace(SHARE, undefined="no other rater")),
        Column("Leniency, points", replace(POINTS, undefined="no other rater")),
        Column(
            "Median time",
            Kind(duration, undefined="no time recorded"),
            shown="everywhere" if is_timed else "csv",
        ),
        Column("By week", TEXT, shown="everywhere" if is_list and any(len(row.weeks) > 1 for row in rows) else "csv"),
        Column("Quality alerts", TEXT, shown="everywhere" if is_list else "csv"),
    ]
    table_rows = []
    for row in rows:
        address = reverse("rater", args=[project.slug, row.rater])
        agreement, leniency, quick = row.leave_one_out, row.leniency, row.quick
        few = [("", "no interval: fewer than 10 units")] if agreement and agreement.low is None else []
        shared = [("", f"{count(leniency.items)} shared, raw {points(leniency.raw)}")] if leniency else []
        very_quick = f"({figure_format.percent_or_dash(quick.value)} very quick)" if quick and quick.k else ""
        n, k = row.ratings, row.ratings - row.assessed
        values = [
            format_html('<a href="{}">{}</a>', address, display_name(row.rater)),
            n,
            Figure(k / n, k=k, n=n),
            row.gold and Figure.of(row.gold),
            row.adjudicated and Figure.of(row.adjudicated),
            agreement and Figure.of(agreement, lines=few),
            leniency and Figure.of(leniency, lines=shared),
            Figure(row.seconds, after=very_quick),
            _week_line(row.weeks),
            format_html_join(" ", ALERT_LINK, ([flag] for flag in row.flags)) or "none",
        ]
        table_rows.append(Row(values))
    counted, (unit, units) = _counted_label(project), (unit_words(project.protocol.definition.unit, n) for n in (1, 2))
    notes = [
        NOTE,
        f"Gold is the newest gold answer of a {unit}, a rater’s own excluded; the majority of the others can be wrong.",
        f"Leniency is about the answer “{counted}”, shrunk more with fewer shared {units}; “raw” is without shrinkage. "
        "Zero means typical, not correct.",
        f"“Very quick” is below {quality.QUICK:g} seconds.",
    ]
    if is_list:
        notes.append(
            f"By week: the share of “{counted}”, from 0 at the bottom to 100 % at the top. Weeks have different "
            f"{units}; a rater’s page has agreement and leniency by week."
        )
    return Table("raters", "All raters", columns, table_rows, " ".join(notes))


def _week_line(weeks: Sequence[RaterWeek]) -> str:
    defined = {number: week.accurate for number, week in enumerate(weeks) if week.accurate is not None}
    if len(defined) < 2:
        return "one week"
    step = (WIDTH - 2 * EDGE) / (len(weeks) - 1)
    positions = {
        number: (f"{EDGE + number * step:.1f}", f"{HEIGHT - EDGE - value * (HEIGHT - 2 * EDGE):.1f}")
        for number, value in defined.items()
    }
    runs: list[list[int]] = []
    for number in positions:
        if number - 1 in positions:
            runs[-1].append(number)
        else:  # a week without an assessed rating interrupts the line
            runs.append([number])
    words = [
        f"{weeks[number].week}: {100 * value:.0f} % (n = {count(weeks[number].ratings)})"
        for number, value in defined.items()
    ]
    context = {
        "words": ", ".join(words),
        "pieces": [" ".join(",".join(positions[number]) for number in run) for run in runs if len(run) > 1],
        "dots": [positions[run[0]] for run in runs if len(run) == 1],
    }
    return render_to_string("reports/_sparkline.html", context)


def _report_without(project: Project, names: list[str]) -> str:
    query = urlencode([("live", 1), *(("without_raters", name) for name in names)])
    return f"{reverse('report', args=[project.slug])}?{query}"


def _changes_without(project: Project, excluded: list[str], extent: live.Extent) -> Table:
    names = Names(project.protocol.definition)
    choices = Choices(), Choices(without_raters=tuple(sorted(map(data_name_of, excluded))))
    report, remaining = (live.live_report(project, each, extent).report for each in choices)
    measures_without = {cell.system: cell.measures for cell in remaining.systems}
    rows = []
    for cell in report.systems:
        for key, measure in cell.measures.items():
            without = measures_without.get(cell.system, {}).get(key)
            figures = Figure.of(measure), without and Figure.of(without), without and without.minus(measure)
            rows.append(Row([cell.system, names.measure(key), *figures]))
    columns = [
        Column(names.system_head, LABEL),
        Column("Measure", LABEL),
        Column("All raters", MEASURE),
        Column("Excluding", replace(MEASURE, undefined="no ratings remain")),
        Column("Change, points", CHANGE),
    ]
    return Table("without", "Measures with all raters and without some", columns, rows)


def _confusion_tables(rated: RaterDetails, names: Names) -> Iterator[ConfusionTable]:
    """Yield the counts by option, without options that neither side used."""
    options = [names.option(key) for key in rated.options]
    checked = [names.checked_option(key) for key in rated.checked_options]
    for title, source, labels, counts in (
        ("Against gold answers", "Gold", checked, rated.gold),
        ("Against adjudications", "Adjudicated", checked, rated.adjudicated),
        ("Compared with the other raters of the same sentence", "Another rater", options, rated.others),
    ):
        if counts is not None:
            used = [n for n in range(len(labels)) if any(counts[n]) or any(row[n] for row in counts)]
            most = max((counts[a][b] for a in used for b in used if a != b), default=0)
            cells = ([pair_count(counts[a][b], most, same=a == b) for b in used] for a in used)
            yield title, source, list(zip([labels[n] for n in used], cells, strict=True))
