"""Sections of a report page, and those that show what the reader selects: a map of systems by metadata of the prompts,
and measures by metadata, rater or week.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest

from ...i18n.unit_names import unit_words
from ...reporting.drawings import heat_keys
from ...reporting.drawings.heat_map import PREFIX
from ...reporting.report import Report
from ...reporting.sections.names import OPTIONS, answers_by, answers_to, table_name
from ...reporting.tables import Table
from ...reporting.text.names import Names, breakdown_label

QUESTION_TYPE = "question_type"  # the default breakdown
Choice = tuple[str, list[tuple[str, str, bool]]]
"""The label of a choice, and for each value the query that selects it, its words, and whether it is selected."""


@dataclass(frozen=True)
class PageSection:
    """A section of the page: `template` draws it from its tables and what is said above and below them.

    `label`: its words in the navigation. `folded`: tables on request, behind the words `fold`. `more`: where it leads
    in the project, with the words.
    """

    anchor: str
    title: str
    label: str
    template: str = "reports/_section.html"
    tables: Sequence[Table] = ()
    folded: Sequence[Table] = ()
    fold: str = "View as table"
    drawing: str = ""
    caption: str = ""
    more: Sequence[tuple[str, str]] = ()
    choices: Sequence[Choice] = ()
    warnings: Sequence[str] = ()
    intro: Sequence[str] = ()
    sentences: Sequence[str] = ()
    notes: Sequence[str] = ()
    details: Sequence[str] = ()


@dataclass(frozen=True)
class ReportView:
    """The selection of a page: a breakdown, a measure of the heat map."""

    by: str = ""
    measure: str = ""


def report_view(request: HttpRequest) -> ReportView:
    return ReportView(by=request.GET.get("by", ""), measure=request.GET.get("measure", ""))


def map_view(report: Report, view: ReportView) -> ReportView | None:
    """Return the selection of the map, the first key and measure unless others are requested; None without a key."""
    keys, measures = heat_keys(report), list(report.overall.measures)
    if not keys or not report.systems:
        return None
    key = view.by.removeprefix(PREFIX)
    return ReportView(
        PREFIX + (key if key in keys else keys[0]), view.measure if view.measure in measures else measures[0]
    )


def breakdown_sections(
    report: Report, names: Names, shown: Mapping[str, Table], view: ReportView
) -> Iterator[PageSection]:
    """Yield the map, then the requested breakdown, else the most informative one, with the answers by it."""
    units = unit_words(report.method.cluster, 2)
    if on_map := map_view(report, view):
        measures = [(key, names.measure(key), {"by": on_map.by, "measure": key}) for key in report.overall.measures]
        by = [
            (PREFIX + key, breakdown_label(key, names), {"by": PREFIX + key, "measure": on_map.measure})
            for key in heat_keys(report)
        ]
        name = next(words for key, words, _ in by if key == on_map.by)
        table = shown.get(table_name(on_map.by))
        yield PageSection(
            anchor="heat",
            title=f"{'Pairs of systems' if names.unit == 'pair' else 'Systems'} by {name}",
            label=f"Systems by {name}",
            folded=[table] if table else [],
            fold="View as table, with intervals",
            drawing="heat",
            caption=f"Darker = higher. In italics: proportions of fewer than 10 {units}, which have no interval.",
            choices=[
                *_choice("Measure of the map", on_map.measure, measures),
                *_choice("Systems by", on_map.by, by),
            ],
        )
    # Those of systems by something are on the map.
    keys = [
        key
        for key, cells in report.by.items()
        if cells and not (key.startswith(PREFIX) and key.removeprefix(PREFIX) in report.by)
    ]
    informative = [key for key in keys if len(report.by[key]) > 1]
    candidates = (view.by, view.by.removeprefix(PREFIX), QUESTION_TYPE, *informative, *keys)
    key = next((key for key in candidates if key in keys), "")
    if table_name(key) in shown:
        name = breakdown_label(key, names)
        answers = (answers_by(each, table_name(key)) for each in (OPTIONS, *map(answers_to, report.overall.questions)))
        yield PageSection(
            anchor="by",
            title=f"By {name}",
            label=f"By {name}",
            tables=[shown[table_name(key)]],
            folded=[shown[each] for each in answers if each in shown],
            fold=f"Distribution of answers by {name}",
            choices=_choice(
                "Break down by", key, [(each, breakdown_label(each, names), {"by": each}) for each in keys]
            ),
        )


def _choice(label: str, selected: str, values: Sequence[tuple[str, str, Mapping[str, str]]]) -> list[Choice]:
    """Return the choice of one of several values: (key, words, query); [] where there is one alone."""
    links = [(urlencode(query), words, key == selected) for key, words, query in values]
    return [(label, links)] if len(links) > 1 else []
