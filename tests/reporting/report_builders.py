"""Reports and their parts made by hand, for tests of what is worded and drawn from them."""

import re

from msgspec import structs

from annotation.reporting.parts import Cell, MeasureProportion, Share
from annotation.reporting.provenance_record import SCHEMA as PROVENANCE_SCHEMA
from annotation.reporting.provenance_record import (
    Blinding,
    Lengths,
    PlanRecord,
    Preparation,
    Provenance,
    SystemLengths,
)
from annotation.reporting.report import SCHEMA, Report
from annotation.reporting.sections.agreement.figures import Agreement
from annotation.reporting.sections.differences.figures import Comparison, Rank
from annotation.reporting.text.names import Names
from tests.cast import article_accuracy

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


PREPARATION = Preparation(
    training_responses=2, qualification_responses=3, pass_mark=0.8, tries=2, trained=5, passed=4, waived=1,
    hidden_gold_every=10, training=Share(0.9, 18, 20), qualification=None, gold=None, hidden_gold=Share(0.75, 3, 4),
)  # fmt: skip
BLINDING = Blinding(suggestions=False, reference_shown=False, imported=0)
PLAN = PlanRecord(
    version=2, sha256="abcdef0123456789", stored_at="2025-01-01T10:00:00Z", before_first_rating=True, deviations=[],
    earlier=None, family="measure", family_size=3, tests=[], unplanned=[],
)  # fmt: skip
RECORD = Provenance(
    schema=PROVENANCE_SCHEMA, project="june", title="June", dataset="june", software="0.8.0",
    first_rating="2025-01-02T10:00:00Z", last_rating="2025-02-03T10:00:00Z", ratings=100, raters=[],
    preparation=PREPARATION, blinding=BLINDING, overlap=3, splitters={"1": 40}, guidelines={}, target=0.02, plan=None,
    lengths=[SystemLengths("heron", 10, Lengths(4.2, 4.0, 0.31), Lengths(60.4, 55.0, 0.4))],
)  # fmt: skip


def names() -> Names:
    return Names(article_accuracy().definition)


def texts(svg: str) -> list[str]:
    """Return the labels of a figure, one a line."""
    return re.findall(r"<(?:text|tspan)[^>]*>([^<]+)</", svg)
