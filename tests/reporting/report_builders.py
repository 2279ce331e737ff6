"""Reports and their parts made by hand, for tests of what is worded and drawn from them."""

from msgspec import structs

from annotation.reporting.parts import Cell, MeasureProportion
from annotation.reporting.report import SCHEMA, Report
from annotation.reporting.sections.agreement.figures import Agreement
from annotation.reporting.sections.differences.figures import Comparison, Rank

PROTOCOL = {"slug": "article-accuracy", "version": "1", "sha256": ""}
DATA = {
    "sha256": "", "ratings": 0, "assessed": 0, "left_out": {}, "prompts": 0, "responses": 0, "items": 0, "raters": 0
}  # fmt: skip


def measure(value: float | None = 0.5, method: str = "bca", k: int = 1, n: int = 2, deff: float | None = None):
    return MeasureProportion(value, k, n, None, None, method, deff, None)


def cell(measures: dict | None = None, system: str | None = None) -> Cell:
    return Cell(system=system, ratings=0, assessed=0, options={}, questions={}, measures=measures or {})


def comparison(**fields) -> Comparison:
    absent = {"prompts": 20, "difference": 0.2, "low": None, "high": None, "p": 0.2, "p_holm": None}
    return Comparison(**{"measure": "accurate", "a": "a", "b": "b", **absent, **fields})


def rank(measure: str, system: str, place: int | None) -> Rank:
    return Rank(measure, system, place, place, place)


def agreement(percent=None, kappa=None, ac1=None, alpha=None, intervals=None) -> Agreement:
    return Agreement(10, 2, percent, kappa, ac1, alpha, intervals)


def report(*, systems=(), comparisons=(), overall=None, cluster: str = "prompt", hybrid=None, **data) -> Report:
    """Return a report without figures but with the given parts; `data` are fields of its `data`."""
    head = {"schema": SCHEMA, "protocol": PROTOCOL, "software": {"factuary": "", "numpy": ""}, "data": DATA | data}
    method = {"level": 0.95, "cluster": cluster, "resamples": 200, "seed": 1}
    parts = {"overall": overall or cell(), "systems": systems, "by": {}, "comparisons": comparisons, "agreement": {}}
    return structs.replace(Report.from_dict(head | {"method": method, **parts}), hybrid=hybrid)
