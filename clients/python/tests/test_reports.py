"""Reports: estimates by measure and system, with a judge, in a notebook and as a data frame."""

import pytest
from factuary import Report
from report_documents import document


def test_an_estimate_is_found_by_measure_and_system() -> None:
    report = Report(document())
    assert str(report["accurate"]) == "0.874 [0.835, 0.913], 874 of 1000, bca"
    assert (report["accurate", "model-a"].low, report["accurate", "model-a"].k) == (0.85, 450)
    assert str(report["weighted", "model-a"]) == "50.000 [20.000, 90.000], n = 100, bca"
    assert str(report["accurate", "<b>model</b>"]) == "undefined [undefined, undefined], 0 of 0, none"
    assert report.systems == ("model-a", "<b>model</b>") and report.measures == ("accurate", "inaccurate", "weighted")
    assert len(report.estimates()) == 9


def test_a_name_that_is_not_there_is_named_with_those_that_are() -> None:
    report = Report(document())
    with pytest.raises(KeyError, match="no measure 'right'; it has accurate, inaccurate, weighted"):
        report["right"]
    with pytest.raises(KeyError, match="no system 'model-b'; it has model-a"):
        report["accurate", "model-b"]


def test_a_notebook_shows_a_table_with_intervals_and_escapes_texts() -> None:
    html = Report(document())._repr_html_()
    assert "&lt;b&gt;model&lt;/b&gt;" in html and "<b>model</b>" not in html
    assert "accuracy&lt;of&gt;articles, version 1" in html
    assert html.count("<tr>") == 10
    assert html.count("<svg") == html.count("</svg>") == 5  # not for scores, nor for what is undefined
    assert 'aria-label="0.874, from 0.835 to 0.913"' in html


def test_a_data_frame_has_a_row_for_each_estimate() -> None:
    frame = Report(document()).to_pandas()
    assert list(frame.columns) == ["measure", "system", "value", "low", "high", "k", "n", "method"]
    assert frame[(frame.measure == "accurate") & (frame.system == "model-a")].value.item() == 0.9


def test_the_estimate_with_a_judge_comes_from_the_report() -> None:
    measure = {"value": 0.88, "low": 0.85, "high": 0.91, "lambda": 0.7, "human": {"n": 200}, "judge_alone": 0.92}
    part = {"system": None, "measures": {"accurate": measure}}
    report = Report(document(hybrid={"judge": "j", "reason": None, "overall": part, "systems": []}))
    assert str(report.with_judge("accurate")) == "0.880 [0.850, 0.910], n = 200, prediction-powered"
    with pytest.raises(KeyError, match="no estimate with a judge for 'accurate' of model-a"):
        report.with_judge("accurate", "model-a")
    with pytest.raises(KeyError, match="without a judge"):
        Report(document()).with_judge("accurate")
    with pytest.raises(KeyError, match="few-units"):
        Report(document(hybrid={"judge": "j", "reason": "few-units"})).with_judge("accurate")


def test_only_a_frozen_report_has_files() -> None:
    with pytest.raises(ValueError, match="only a frozen report has files"):
        Report(document()).file("csv")
    with pytest.raises(ValueError, match="the ending must be one of json, csv"):
        Report(document()).save("report.pdf")
