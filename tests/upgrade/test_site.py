"""Upgrade of a site of 0.7.1 with unfinished work: stored data, shared links and open pages still work.

`fixtures/0.7.1/README.md` says how the site was recorded.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.upgrade.answers import missing_from
from tests.upgrade.recorded import first_difference
from tests.upgrade.upgraded import UpgradedSite, recorded

ABOUT = recorded("site.json")
STATE = recorded("browser.json")
REQUESTS = recorded("requests.json")
JSON = {"Accept": "application/json"}
KEY = "5b0f4f0e-6a51-4b1c-9a53-0d6c5f6c7a10"


def test_everything_that_was_stored_is_there_as_it_was(upgraded: UpgradedSite) -> None:
    now = upgraded.stored()
    for name, rows in upgraded.before.items():
        assert rows, f"{name}: 0.7.1 stored none, so nothing is checked"
        assert now[name] == rows, name


@pytest.mark.parametrize("frozen", ABOUT["reports"], ids=lambda row: " ".join(row["build"][2:]))
def test_a_frozen_report_opens_as_the_same_file_and_its_shared_link_for_anybody(
    upgraded: UpgradedSite, frozen: dict[str, Any]
) -> None:
    documents = {row[0]: row[1] for row in upgraded.before["reports"]}
    cookies = {f"/reports/{frozen['report']}/": ABOUT["cookies"]["admin"], frozen["link"]: []}
    for address, own in cookies.items():
        for name in ("", "report.csv", "report.md", "report.tex", "report.html"):
            assert upgraded.send("GET", address + name, own).status == 200, name
    opened, shared = (upgraded.send("GET", f"{address}report.json", own).body for address, own in cookies.items())
    assert opened.decode() == documents[frozen["report"]]
    assert (b'"ravi"' in shared) == frozen["with_names"]


def test_reports_of_the_same_data_have_the_bytes_that_0_7_1_wrote(upgraded: UpgradedSite, tmp_path: Path) -> None:
    paths = [tmp_path / f"{n}.json" for n in range(len(ABOUT["reports"]))]
    rows = list(zip(ABOUT["reports"], paths, strict=True))
    upgraded.manage(*([*frozen["build"], "--output", str(path)] for frozen, path in rows))
    for frozen, path in rows:
        differs = first_difference(frozen["rebuilt"], path.read_text(encoding="utf-8"))
        assert differs is None, f"{' '.join(frozen['build'])}: {differs}"


@pytest.mark.parametrize("person", ["rosa", "ravi"])
def test_an_open_page_of_0_7_1_is_answered_as_it_was(upgraded: UpgradedSite, person: str) -> None:
    """Check that each request of a page of 0.7.1, sent again, gets the same status and all keys that the page reads."""
    differing = []
    for request in (request for request in REQUESTS if request["person"] == person):
        sent, cookies = f"{request['method']} {request['path']}", ABOUT["cookies"][person]
        answer = upgraded.send(*sent.split(" ", 1), cookies, request["headers"], request["body"])
        if answer.status != request["status"]:
            differing.append(f"{sent}: status {answer.status}, was {request['status']}")
        elif request["answer"]:
            differing += [f"{sent}: {line}" for line in missing_from(request["answer"], answer.shape)]
    assert differing == []


def test_requests_that_take_and_give_back_work_are_accepted(upgraded: UpgradedSite) -> None:
    """Check that Rosa's page of 0.7.1 can still take work, save, undo and bookmark an answer, and release the work."""
    cookies = ABOUT["cookies"]["rosa"]
    response = upgraded.send("POST", "/api/v1/projects/demo/assignments/", cookies, JSON, "{}")
    work = json.loads(response.body)
    assert {"id", "items", "prompt", "responses", "protocol", "document", "expires_at"} <= set(work)
    item = next(item for item in work["items"] if item["rate"])
    of_work, of_item = f"/api/v1/assignments/{work['id']}/", f"/api/v1/assignments/{work['id']}/items/{item['id']}/"
    answers = {"answers": {"accuracy": "accurate"}, "base_version": item["version"], "seconds": 1.5, "comment": ""}
    saved = upgraded.send("PUT", of_item, cookies, {**JSON, "Idempotency-Key": KEY}, json.dumps(answers))
    assert saved.status == 200, saved.body
    version = json.loads(saved.body)["version"]
    for method, path, body in (
        ("DELETE", f"{of_item}?base_version={version}", None),
        ("PUT", f"{of_item}mark/", None),
        ("DELETE", f"{of_item}mark/", None),
        ("DELETE", "/api/v1/projects/demo/assignments/ahead/", None),
        ("POST", f"{of_work}release/", "{}"),
    ):
        answer = upgraded.send(method, path, cookies, JSON, body)
        assert answer.status in (200, 204), (method, path, answer)


def test_what_a_service_worker_of_0_7_1_asks_for_is_there(upgraded: UpgradedSite) -> None:
    worker = upgraded.send("GET", "/assignments/worker.js", [])
    assert (worker.status, worker.content_type.split(";")[0]) == (200, "text/javascript")
    pages = [entry["path"] for entries in STATE["cached"].values() for entry in entries if entry["text"]]
    assert len(pages) > 2
    for page in pages:
        assert upgraded.send("GET", page, ABOUT["cookies"]["ravi"], {"Accept": "text/html"}).status == 200, page
    assert upgraded.send("GET", "/static/js/rating.000000000000.js", []).status == 404  # then it gives what it stored
