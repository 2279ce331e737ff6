"""A report's figures as the pages show them: words for numbers, places for bars. Nothing is computed that is not drawn.

Works on the report's dictionary alone, so a live and a frozen report look the same.
"""

from dataclasses import dataclass
from math import ceil
from typing import Any

from ..reporting import wording
from ..reporting.agreement import Confusion
from ..reporting.methods import methods_paragraph
from ..reporting.wording import LEFT_OUT, Names

ROOM_FOR_A_LABEL = 0.07  # of the width of a bar
QUESTION_TYPE = "question_type"  # what is shown when nothing was asked for
MOST_VALUES = 200  # of one breakdown on a page; the files have all

Cell = dict[str, Any]


@dataclass(frozen=True)
class Share:
    """One proportion: `percent` is words when there is nothing to assess, `interval` is empty when there is none."""

    label: str
    percent: str
    interval: str
    mark: str
    k: str
    n: str
    assessed: bool


@dataclass(frozen=True)
class Row:
    """One cell of the report: what it is about, its shares, how many were assessed and left out."""

    names: list[str]
    shares: list[Share]
    assessed: int
    left_out: int


@dataclass(frozen=True)
class Piece:
    """A part of a stacked bar, in per cent of its width."""

    option: str
    sign: str
    tone: str
    n: int
    percent: str
    x: str
    width: str
    middle: str
    label: str


@dataclass(frozen=True)
class Bar:
    """What raters answered about one system: pieces in the order of the options."""

    system: str
    pieces: list[Piece]
    total: int

    @property
    def in_words(self) -> str:
        return f"{self.system}: " + ", ".join(f"{piece.option} {piece.percent}" for piece in self.pieces)


@dataclass(frozen=True)
class Coefficient:
    """One figure of agreement with its bounds, if it has any."""

    key: str
    label: str
    value: str
    interval: str


@dataclass(frozen=True)
class Question:
    """The agreement on one question."""

    key: str
    name: str
    items: int
    raters: int
    coefficients: dict[str, Coefficient]
    reading: str


def page_of(report: dict[str, Any], names: Names, breakdown: str) -> dict[str, Any]:
    """Everything that the report page shows of a report, `breakdown` being the table by metadata that was asked for."""
    keys = list(report["by"])
    chosen = next((key for key in (breakdown, QUESTION_TYPE, *keys) if key in keys), "")
    table = [*report["systems"], report["overall"]]
    return {
        "data": report["data"],
        "method": report["method"],
        "protocol_used": report["protocol"],
        "question": names.first_question,
        "measures": [names.measure(key) for key in report["overall"]["measures"]],
        "rows": [row_of(cell, names, table) for cell in report["systems"]],
        "overall": row_of(report["overall"], names, table),
        "interval_note": wording.interval_note(table),
        "verdict": _verdict(report, names),
        "differences": differences(report, names),
        "left_out_label": wording.listed(names.left_out(), "or") or "not assessed",
        "left_out": [(n, LEFT_OUT.get(reason, reason)) for reason, n in report["data"]["left_out"].items()],
        "bars": [bar_of(cell, names) for cell in report["systems"]],
        "breakdowns": [(key, wording.breakdown(key)) for key in keys],
        "breakdown": _breakdown(report, names, chosen) if chosen else None,
        "questions": questions(report),
        "methods": methods_paragraph(report, names),
    }


def row_of(cell: Cell, names: Names, table: list[Cell]) -> Row:
    """A cell as a row of the table that has the cells `table`."""
    labels = [cell[key] for key in ("system", "value") if key in cell]
    shares = [_share(names.measure(key), of, table) for key, of in cell["measures"].items()]
    return Row(labels, shares, cell["assessed"], cell["ratings"] - cell["assessed"])


def bar_of(cell: Cell, names: Names) -> Bar:
    """A system's answers as a stacked bar."""
    total, pieces, before = sum(cell["options"].values()), [], 0
    for key, n in cell["options"].items():
        pieces.append(_piece(names, key, n, before, total))
        before += n
    return Bar(cell["system"], pieces, total)


def differences(report: dict[str, Any], names: Names) -> list[dict[str, Any]]:
    """Every pair of systems, with a sentence that gives an order only where the data do."""
    return [
        {
            "measure": names.measure(row["measure"]),
            "a": row["a"],
            "b": row["b"],
            "points": wording.points(row["difference"]),
            "interval": wording.points_between(row["low"], row["high"]),
            "p": wording.p_value(row["p_holm"]),
            "prompts": row["prompts"],
            "significant": row["p_holm"] is not None and row["p_holm"] < wording.SIGNIFICANT,
        }
        for row in report["comparisons"]
    ]


def questions(report: dict[str, Any]) -> list[Question]:
    """The agreement on every question, with a sentence on how to read it."""
    return [
        Question(
            key,
            wording.agreement_of(key),
            of["items"],
            of["raters"],
            {name: _coefficient(name, label, of) for name, label in wording.COEFFICIENTS.items()},
            wording.reading(of),
        )
        for key, of in report["agreement"].items()
    ]


def mixture(of: Confusion, key: str, names: Names) -> dict[str, Any] | None:
    """Which two answers raters gave to one item, as a triangle of counts; None when nobody shared an item.

    `level` from 0 to 5 shades a cell by its share of all pairs that disagree.
    """
    labels = [names.option_of(key, category) for category in of.categories]
    apart = max((n for a, row in enumerate(of.pairs) for n in row[a + 1 :]), default=0)
    if not any(n for row in of.pairs for n in row):
        return None
    rows = [
        (labels[a], [_pair(row[b], a, b, apart) if b >= a else None for b in range(len(labels))])
        for a, row in enumerate(of.pairs)
    ]
    return {"labels": labels, "rows": rows}


def _pair(n: int, a: int, b: int, most: int) -> dict[str, Any]:
    return {"n": n, "same": a == b, "level": ceil(5 * n / most) if a != b and most else 0}


def _share(label: str, of: dict[str, Any], table: list[Cell]) -> Share:
    return Share(
        label,
        wording.percent(of["value"]),
        wording.interval(of["low"], of["high"]),
        wording.mark(of["method"], table),
        wording.count(of["k"]),
        wording.count(of["n"]),
        of["value"] is not None,
    )


def _verdict(report: dict[str, Any], names: Names) -> str:
    """What may be said of the systems' order on the first measure."""
    first = next(iter(report["overall"]["measures"]))
    return wording.verdicts([row for row in report["comparisons"] if row["measure"] == first], names.measure(first))


def _piece(names: Names, key: str, n: int, before: int, total: int) -> Piece:
    share, start = (n / total, before / total) if total else (0.0, 0.0)
    label = wording.percent(share, sign=False) if share >= ROOM_FOR_A_LABEL else ""
    return Piece(
        names.option(key), names.sign(key), names.tone(key), n, wording.percent(share) if total else "",
        f"{100 * start:.3f}%", f"{100 * share:.3f}%", f"{100 * (start + share / 2):.3f}%", label,
    )  # fmt: skip


def _breakdown(report: dict[str, Any], names: Names, key: str) -> dict[str, Any]:
    cells = report["by"][key]
    return {
        "key": key,
        "name": wording.breakdown(key),
        "head": wording.label_columns(key, cells[0]) if cells else [],
        "rows": [row_of(cell, names, cells) for cell in cells[:MOST_VALUES]],
        "more": max(0, len(cells) - MOST_VALUES),
        "note": wording.interval_note(cells),
        "overlaps": sum(cell["ratings"] for cell in cells) > report["data"]["ratings"],
        "without": max(0, report["data"]["ratings"] - sum(cell["ratings"] for cell in cells)),
    }


def _coefficient(name: str, label: str, of: dict[str, Any]) -> Coefficient:
    write = wording.percent_or_dash if name == "percent" else wording.coefficient
    bounds = of["intervals"][name]
    plain = wording.percent_number if name == "percent" else wording.coefficient
    return Coefficient(name, label, write(of[name]), f"{plain(bounds[0])}, {plain(bounds[1])}" if bounds else "")
