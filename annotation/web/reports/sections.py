"""A report's figures as the pages show them: words for numbers. Nothing is computed that is not shown.

Works on the report's dictionary alone, so a live and a frozen report look the same; what a report of an earlier version
does not have is not shown.
"""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _

from ...i18n.english import ENGLISH
from ...reporting.compute import significance
from ...reporting.compute.reference_labels import leniency_measure
from ...reporting.figures import heat_keys
from ...reporting.figures.heat import PREFIX
from ...reporting.text import figure_format, naming, notes, provenance
from ...reporting.text.methods import methods_paragraph
from ...reporting.text.naming import Names
from ...reporting.text.provenance import LEFT_OUT, adjudications
from ...reporting.text.visible_questions import without_unrated_measures
from .aggregations import aggregations
from .answer_distribution import all_answers, options, other_answers, systems
from .means import means
from .measure_table import Report, rows_of, systems_table

QUESTION_TYPE = "question_type"  # what is shown when nothing was asked for
MOST_VALUES = 200  # of one breakdown on a page; the files have all
MOST_PAIRS = 60  # of systems on a page; the files have all


@dataclass(frozen=True)
class Asked:
    """What of a report a page was asked to show: a breakdown, a measure of the map; for a figure, the `language` of
    its words, which is English where it is taken home.
    """

    by: str = ""
    measure: str = ""
    language: str = ENGLISH


def asked_of(request: HttpRequest) -> Asked:
    """What the address asks for."""
    language = request.GET.get("language", "")
    known = language if language in dict(settings.LANGUAGES) else ENGLISH
    return Asked(by=request.GET.get("by", ""), measure=request.GET.get("measure", ""), language=known)


@dataclass(frozen=True)
class Coefficient:
    """One figure of agreement with its bounds, if it has any; `why` says why there is no figure, or no bounds."""

    label: str
    value: str
    interval: str
    why: str = ""


@dataclass(frozen=True)
class Question:
    """The agreement on one question."""

    key: str
    name: str
    items: int
    raters: int
    coefficients: dict[str, Coefficient]
    reading: str


def page_of(report: Report, names: Names, asked: Asked | None = None, before: Report | None = None) -> dict[str, Any]:
    """Everything that the report page shows of a report; `before` is the one without the switches that are set."""
    asked = asked or Asked()
    report, unrated = without_unrated_measures(report)
    rows, overall = systems_table(report, names, before)
    cluster = report["method"]["cluster"]
    figures = [cell.measures for cell in (*report.systems, report.overall)]
    return {
        "data": report["data"],
        **_ratings_of(report),
        "data_before": before["data"] if before else None,
        "method": report["method"],
        "cluster": cluster,
        "filters": provenance.choices_in_words(report.filters, report.method, names.unit),
        "protocol_used": report["protocol"],
        "question": names.first_question,
        "measures": [names.measure(key) for key in report["overall"]["measures"]],
        "unrated_measures": figure_format.listed([names.measure(key) for key in unrated], _("and")),
        "rows": rows,
        "overall": overall,
        "any_best": any(share.best for row in rows for share in row.shares),
        "any_ranks": any(share.ranks for row in rows for share in row.shares),
        "few": figure_format.methods_used(figures) == {"none"},
        "interval_note": notes.interval_note(figures, cluster),
        "documents_note": notes.documents_note(report),
        "pairs_note": notes.pairs_note(report, names),
        "raters_note": notes.raters_note(report),
        "rare_note": notes.rare_note(report, names),
        "unit": names.unit,
        "system_head": names.system_head,
        "all_systems": names.all_systems,
        "verdicts": _verdicts(report, names),
        "differences": differences(report, names),
        "left_out_label": figure_format.listed(names.left_out(), _("or")),
        "left_out": [(n, _(LEFT_OUT.get(reason, reason))) for reason, n in report["data"]["left_out"].items()],
        "options": options(report, names),
        "other_answers": other_answers(systems(report), names),
        "heat": _heat(report, names, asked),
        **(broken_down := _breakdowns(report, names, asked.by)),
        "means": means(report, names, (broken_down["breakdown"] or {}).get("key", ""), MOST_VALUES),
        "questions": (asked_of := questions(report, names)),
        "readings": readings(asked_of),
        "raters": raters(report),
        "leniency_of": _leniency_of(names),
        "aggregations": aggregations(report, names),
        "methods": _methods(report, names),
    }


def _methods(report: Report, names: Names) -> str:
    """The paragraph; no line of it begins with a % sign. Nothing where the ratings were not looked at one by one."""
    text = methods_paragraph(report, names) if report["data"]["items"] is not None else ""
    return text.replace(" %", f"{figure_format.NO_BREAK}%")


def _ratings_of(report: Report) -> dict[str, int]:
    """How many of the ratings are the raters' own, and how many adjudications."""
    adjudicated = adjudications(report)
    return {"raters_ratings": report["data"]["ratings"] - adjudicated, "adjudicated": adjudicated}


def _leniency_of(names: Names) -> str:
    return names.measure(leniency_measure(names.protocol).key).lower() if names.protocol else "accurate"


def differences(report: Report, names: Names) -> dict[str, Any]:
    """Every pair of systems, with words that give an order only where the data do."""
    found, cluster = significance.comparisons_shown(report), report["method"]["cluster"]
    rows = [
        {
            "measure": names.measure(row["measure"]),
            "a": row["a"],
            "b": row["b"],
            "points": figure_format.points(row["difference"]),
            "interval": significance.difference_bounds(row, cluster),
            "p": figure_format.p_value(row["p_holm"]),
            "prompts": row["prompts"],
            "reads": _reads_as(row, names),
            "is_tested": row["p_holm"] is not None,
        }
        for row in found[:MOST_PAIRS]
    ]
    intervals = notes.difference_intervals(found, cluster)
    bounded = any(row["low"] is not None for row in found)
    least = notes.least_p_note(found, cluster)
    return {
        "rows": rows,
        "nothing_in_common": significance.nothing_in_common(report),
        "more": len(found) - len(rows),
        "intervals": intervals,
        "bounded": bounded,
        "least": least,
    }


def _reads_as(row: dict[str, Any], names: Names) -> str:
    """ "Heron 2 is better", "Heron 2 is higher" where neither is better, or nothing where the data give no order."""
    if not significance.is_significant(row) or not row["difference"]:
        return ""
    better = names.better(row["measure"])
    a_stands_out = (row["difference"] > 0) == (better != "lower")
    said = _("%(system)s is higher") if better == "neither" else _("%(system)s is better")
    return said % {"system": row["a"] if a_stands_out else row["b"]}


def questions(report: Report, names: Names) -> list[Question]:
    """The agreement on every question, with a sentence on how to read it."""
    return [
        Question(
            key,
            naming.agreement_of(key, names),
            of["items"],
            of["raters"],
            {name: coefficient_of(name, _(label), of) for name, label in figure_format.COEFFICIENTS.items()},
            figure_format.interpretation(of),
        )
        for key, of in report["agreement"].items()
    ]


def readings(questions: list[Question]) -> list[tuple[str, str]]:
    """How to read the agreement: each sentence once, with the names of the questions that it holds for."""
    names: dict[str, list[str]] = {}
    for question in questions:
        if question.items:
            names.setdefault(question.reading, []).append(question.name)
    return [(", ".join(of), reading) for reading, of in names.items()]


def raters(report: Report) -> list[dict[str, Any]]:
    """What is known of each rater's answers, in words; in a report of before it was kept, none."""
    return [
        {
            "name": of["rater"],
            "ratings": of["ratings"],
            "gold": _estimated(of["gold"]),
            "agrees": _estimated(of["leave_one_out"]),
            "leniency": figure_format.points(of["leniency"]["value"]) if of["leniency"] else figure_format.UNDEFINED,
            "leniency_interval": _leniency_interval(of["leniency"]),
            "seconds": figure_format.duration(of["seconds"]),
            "flags": of["flags"],
        }
        for of in report.get("raters") or []
    ]


def _estimated(of: dict[str, Any] | None) -> dict[str, str] | None:
    if not of or not of["n"]:
        return None
    return {
        "percent": figure_format.percent(of["value"]),
        "interval": figure_format.interval(of["low"], of["high"]),
        "k": figure_format.count(of["k"]),
        "n": figure_format.count(of["n"]),
    }


def _leniency_interval(of: dict[str, Any] | None) -> str:
    return figure_format.points_between(of["low"], of["high"]) if of and of["low"] is not None else ""


def _verdicts(report: Report, names: Names) -> list[str]:
    """What may be said of the systems' order, a sentence a measure."""
    of = {key: [row for row in report["comparisons"] if row["measure"] == key] for key in report["overall"]["measures"]}
    return [said for key, rows in of.items() if (said := significance.verdicts(rows, names.measure(key)))]


def _heat(report: Report, names: Names, asked: Asked) -> dict[str, Any] | None:
    """Systems by something known of the prompts: what can be chosen, and the table beside the map."""
    keys, measures = heat_keys(report), list(report["overall"]["measures"])
    if not keys or not report["systems"]:
        return None
    wanted = asked.by.removeprefix(PREFIX)
    key = wanted if wanted in keys else keys[0]
    measure = asked.measure if asked.measure in measures else measures[0]
    return {
        "key": key,
        "name": naming.breakdown(key, names),
        "by": PREFIX + key,
        "keys": [(PREFIX + one, naming.breakdown(one, names)) for one in keys],
        "measure": measure,
        "measures": [(one, names.measure(one)) for one in measures],
        "table": _breakdown(report, names, PREFIX + key),
    }


def _breakdowns(report: Report, names: Names, asked: str) -> dict[str, Any]:
    """The breakdowns that can be chosen, systems by something aside, and the chosen one."""
    keys = [
        key
        for key, cells in report["by"].items()
        if cells and not (key.startswith(PREFIX) and key[len(PREFIX) :] in report["by"])
    ]
    telling = [key for key in keys if len(report["by"][key]) > 1]
    wanted = (asked, asked.removeprefix(PREFIX), QUESTION_TYPE, *telling, *keys)
    chosen = next((key for key in wanted if key in keys), "")
    return {
        "breakdowns": [(key, naming.breakdown(key, names)) for key in keys],
        "breakdown": _breakdown(report, names, chosen) if chosen else None,
        "breakdown_answers": all_answers(report, report["by"][chosen][:MOST_VALUES], names) if chosen else [],
    }


def _breakdown(report: Report, names: Names, key: str) -> dict[str, Any]:
    cells = report["by"][key]
    return {
        "key": key,
        "name": naming.breakdown(key, names),
        "head": naming.label_columns(key, cells[0], names) if cells else [],
        "rows": rows_of(cells[:MOST_VALUES], names),
        "more": max(0, len(cells) - MOST_VALUES),
        "note": notes.breakdown_note(report, key),
    }


def coefficient_of(name: str, label: str, of: dict[str, Any], why: str = "") -> Coefficient:
    """One of the coefficients of a question, as it is written."""
    return Coefficient(
        label, figure_format.agreement_value(name, of[name]), figure_format.agreement_bounds(name, of), why
    )
