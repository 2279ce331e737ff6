"""Parts of a Vega-Lite specification that several figures have: rows, marks, channels and axes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MAX_NAME_WIDTH = 200  # pixels of an option's name; the table has the full name

Spec = dict[str, object]  # a part of a specification: https://vega.github.io/vega-lite/docs/spec.html


def data(rows: Iterable[DataclassInstance]) -> Spec:
    return {"data": {"values": [asdict(row) for row in rows]}}


def layer(mark: str, encoding: Mapping[str, object], **style: object) -> Spec:
    """Return a layer with one mark for each row: `encoding` maps fields to channels, `style` is equal for all marks."""
    return {"mark": {"type": mark, **style}, "encoding": encoding}


def quantity(field: str, **more: object) -> Spec:
    return {"field": field, "type": "quantitative", **more}


def category(field: str, **more: object) -> Spec:
    return {"field": field, "type": "nominal", **more}


def bounds(channel: Literal["x", "y"], **more: object) -> Spec:
    return {channel: quantity("low", **more), f"{channel}2": {"field": "high"}}


def axis(**more: object) -> Spec:
    """Return an axis without a title, with the settings all figures share."""
    return {"title": None, "labelLimit": MAX_NAME_WIDTH, "labelPadding": 10, "labelFlush": False, **more}


def percent_axis(**more: object) -> Spec:
    return axis(labelExpr="replace(datum.label, '%', ' %')", **more)
