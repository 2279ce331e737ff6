"""Lists of rows as dictionaries, a data frame and a data set of Hugging Face."""

from datetime import UTC, datetime
from typing import Any

import httpx2
from factuary import Client
from report_documents import PROJECT

ROW = {
    "id": 1, "response": "r1", "against": None, "prompt": "p1", "document": None, "system": "m", "item": "i",
    "position": 0, "unit": "sentence", "kind": "sentence", "text": "Terns fly.", "rater": "maria", "role": "rater",
    "answers": {"accuracy": "inaccurate", "severity": "severe"}, "comment": "", "seconds": 2.5,
    "evidence": [{"paragraph": "p2", "start": 4, "end": 16}], "rated_at": "2026-11-01T10:00:00Z", "counted": True,
}  # fmt: skip
OTHER = {**ROW, "id": 2, "answers": {"accuracy": "accurate"}, "evidence": [], "seconds": None}


def ratings(*rows: dict[str, Any]) -> Any:
    """Return the list of ratings of a site with these rows."""
    page = {"results": list(rows), "next": None}

    def answer(request: httpx2.Request) -> httpx2.Response:
        is_list = request.url.path.endswith("/ratings/")
        return httpx2.Response(200, json=page if is_list else PROJECT)

    site = Client("https://s", "key", transport=httpx2.MockTransport(answer))
    return site.projects.get("june").ratings()


def test_rows_are_a_data_set_with_types() -> None:
    rows = ratings(ROW, OTHER).to_dataset()
    assert rows.num_rows == 2 and rows.features["seconds"].dtype == "float64"
    assert rows[0]["answers"] == {"accuracy": "inaccurate", "severity": "severe"}
    assert rows[1]["answers"] == {"accuracy": "accurate", "severity": None}
    assert rows[0]["evidence"] == [{"paragraph": "p2", "start": 4, "end": 16}] and rows[1]["evidence"] == []
    assert rows[0]["rated_at"] == datetime(2026, 11, 1, 10, tzinfo=UTC)


def test_rows_are_a_data_frame_with_a_column_for_each_question() -> None:
    frame = ratings(ROW, OTHER).to_pandas()
    assert list(frame["answers.accuracy"]) == ["inaccurate", "accurate"]
    assert frame["seconds"].isna().tolist() == [False, True]


def test_no_rows_have_the_same_columns() -> None:
    assert ratings().to_dataset().column_names == list(ratings().to_pandas().columns)
