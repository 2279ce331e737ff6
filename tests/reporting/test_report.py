"""The report's classes and their JSON: what was written is read, and written again byte for byte."""

import json
import pickle

import msgspec
import pytest

from annotation.reporting import Choices, build
from annotation.reporting.report import SCHEMA, Report
from tests.reporting.project_rows import project_of, worked_example

CELL = {
    "ratings": 3,
    "assessed": 2,
    "options": {"accurate": 2, "cannot_assess": 1},
    "questions": {"severity": {"severe": 0}},
    "measures": {"accurate": {"value": 1.0, "k": 2, "n": 2, "low": None, "high": None, "method": "none", "deff": None}},
}
FIRST_RELEASE = {
    "schema": SCHEMA,
    "protocol": {"slug": "article-accuracy", "version": "1", "sha256": "ab"},
    "software": {"factuary": "0.1.0", "numpy": "2.3.5"},
    "data": {
        "sha256": "cd", "ratings": 3, "assessed": 2, "left_out": {},
        "prompts": 1, "responses": 2, "items": 2, "raters": 1,
    },
    "method": {"level": 0.95, "cluster": "prompt", "resamples": 10000, "seed": 1},
    "overall": CELL,
    "systems": [{"system": "heron", **CELL}],
    "by": {"kind": [{"value": "größer", **CELL}], "system × kind": [{"system": "heron", "value": "größer", **CELL}]},
    "comparisons": [
        {"a": "heron", "b": "tern", "measure": "accurate", "prompts": 1, "difference": 1e-05, "low": None, "high": None,
         "p": 1.0, "p_holm": 1.0},
    ],
    "agreement": {
        "accuracy": {"items": 0, "raters": 0, "percent": None, "fleiss_kappa": None, "gwet_ac1": None,
                     "krippendorff_alpha": None, "intervals": {"percent": None, "gwet_ac1": [0.1, 1e-07]}},
    },
}  # fmt: skip
"""A report as the first release wrote it, without the keys that later releases added."""


def written(values: dict) -> bytes:
    return (json.dumps(values, ensure_ascii=False, indent=1) + "\n").encode()


def test_a_report_of_the_first_release_is_read_and_written_byte_for_byte():
    report = Report.from_json(written(FIRST_RELEASE))
    assert report.to_json() == written(FIRST_RELEASE)
    assert report.filters is None
    assert report.raters is None
    assert report.comparisons[0].method is None
    assert not report.overall.measures["accurate"].icc


@pytest.mark.django_db
def test_a_report_of_this_release_is_read_and_written_byte_for_byte():
    text = build(project_of(worked_example()), Choices(resamples=100), agreement_intervals=True).to_json()
    report = Report.from_json(text)
    assert report.to_json() == text
    assert Report.from_dict(json.loads(text)) == report
    assert pickle.loads(pickle.dumps(report)) == report
    assert report.systems[0].measures["accurate"].k == json.loads(text)["systems"][0]["measures"]["accurate"]["k"]


def test_nulls_stay_documents_that_are_none_are_refused_and_reports_cannot_be_changed():
    swaps = {**FIRST_RELEASE["comparisons"][0], "swaps": None, "clusters": 1}
    values = FIRST_RELEASE | {"comparisons": [swaps], "filters": {}, "ranks": []}
    report = Report.from_json(written(values))
    assert report.to_json() == written({key: values[key] for key in _order(values)})
    assert report.comparisons[0].swaps is None
    with pytest.raises(msgspec.ValidationError, match=r"\$.overall"):
        Report.from_dict(FIRST_RELEASE | {"overall": {}})
    with pytest.raises(AttributeError):
        Report.from_dict(FIRST_RELEASE).schema = "another"


def _order(values: dict) -> list[str]:
    return [key for key in Report.__struct_fields__ if key in values]
