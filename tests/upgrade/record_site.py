"""Record a site of another version in the middle of its work: `python -m tests.upgrade.record_site TREE PORT FOLDER`.

TREE is a checkout of that version with its `.venv`; its quickstart runs on PORT with its data in FOLDER, a new folder.
Lena publishes guidelines, freezes and shares reports; Rosa takes work and gives it back; Ravi rates in a browser, first
with a network and then without. Written to `fixtures/0.7.1`: the database, what Ravi's browser stores, what his and
Rosa's pages sent and were answered, and the frozen reports.
"""

import json
import lzma
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect, sync_playwright

from annotation.quickstart.postgres import PROGRAMS
from tests.upgrade.browser_state import READ_STATE
from tests.upgrade.commands import run_commands
from tests.upgrade.requests import send
from tests.upgrade.studies import FIXTURES, RECORDED

PASSWORD = "factuary-demo"
HEADERS = ("accept", "idempotency-key")
FREEZE = (
    ("demo", {}, ""),
    ("demo", {"answers": "adjudicated", "without_raters": ["tom"]}, "--answers adjudicated --without-rater tom"),
    ("facts", {}, ""),
    ("pairs", {}, ""),
)
"""Project, choices as the API takes them, and as `build_report` does."""
REPORT_OF_JOB = """
    SELECT j.public_id::text, r.public_id::text FROM annotation_job j JOIN annotation_report r ON r.id = j.report_id
"""
STUDIES = """
import_dataset lfqa_eval {fixtures}/lfqa_eval/preferences.jsonl --dataset pairs
create_project pairs --dataset pairs --protocol pairwise-preference
import_ratings {fixtures}/lfqa_eval/preferences.jsonl --project pairs --format lfqa_eval
import_dataset syllabusqa {fixtures}/syllabusqa/test.json {fixtures}/syllabusqa/text --dataset facts
import_responses {fixtures}/syllabusqa/facts.jsonl --dataset facts
create_project facts --dataset facts --protocol fact-support --overlap 2
import_ratings {fixtures}/syllabusqa/fact-ratings.jsonl --project facts
import_ratings {folder}/decisions.jsonl --project demo
"""


class RecordedSite:
    """A running quickstart of the version under TREE."""

    def __init__(self, tree: Path, port: int, folder: Path) -> None:
        self.tree, self.folder, self.url = tree, folder, f"http://localhost:{port}"
        self.environment = {**os.environ, "DATA_DIR": str(folder / "site")}
        self.environment.pop("DATABASE_URL", None)
        self.options = ["--port", str(port), "--data-dir", str(folder / "site"), "--ready-file", str(folder / "ready")]

    @contextmanager
    def running(self) -> Iterator[None]:
        with (self.folder / "log").open("w") as log:
            command = [str(self.tree / ".venv/bin/python"), "manage.py", "quickstart", *self.options]
            process = subprocess.Popen(command, cwd=self.tree, env=self.environment, stdout=log, stderr=log)
        try:
            while not (self.folder / "ready").exists():
                assert process.poll() is None, (self.folder / "log").read_text()
                time.sleep(0.2)
            self.database_url = json.loads((self.folder / "ready").read_text())["database_url"]
            yield
        finally:
            process.terminate()
            process.wait()

    def manage(self, *commands: list[str]) -> str:
        settings = {"DJANGO_SETTINGS_MODULE": "annotation.settings", "FACTUARY_RUN_AS": "command"}
        return run_commands(str(self.tree / ".venv/bin/python"), self.tree, self.environment | settings, commands)

    def dump(self) -> str:
        """Return the database as SQL that any client can run."""
        command = [str(PROGRAMS / "pg_dump"), "--no-owner", "--no-privileges", "--inserts", "--rows-per-insert=500"]
        text = subprocess.run([*command, self.database_url], check=True, stdout=subprocess.PIPE, text=True).stdout
        return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(("\\", "--")))

    def execute(self, statement: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.database_url) as connection:
            return connection.execute(statement).fetchall()


class Sent:
    """The requests that the pages of a browser sent to the site."""

    def __init__(self, context: BrowserContext, person: str) -> None:
        self.person, self.requests = person, list[Request]()
        context.on("requestfinished", lambda request: self.requests.append(request))

    def rows(self) -> list[dict[str, Any]]:
        """Return each request once, without those for static files."""
        rows = {json.dumps(self._row(request)): self._row(request) for request in self.requests}
        return [row for row in rows.values() if not row["path"].startswith("/static/")]

    def _row(self, request: Request) -> dict[str, Any]:
        parts = urlsplit(request.url)
        path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        headers = {name: request.headers[name] for name in HEADERS if name in request.headers}
        row = {"person": self.person, "method": request.method, "path": path, "headers": headers}
        return row | {"body": request.post_data}


def answer_again(site: RecordedSite, row: dict[str, Any], cookies: list[dict[str, Any]]) -> dict[str, Any]:
    """Send a request a second time; return it with what the site answers."""
    answer = send(site.url, row["method"], row["path"], cookies, row["headers"], row["body"])
    return row | {"status": answer.status, "answer": answer.shape}


def sign_in(browser: Browser, site: RecordedSite, name: str) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB").new_page()
    page.goto(f"{site.url}/accounts/login/")
    page.get_by_label("User name or e-mail").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(f"{site.url}/")
    return page


def saved(page: Page, words: str = "Saved") -> None:
    expect(page.locator("[data-saved-words]")).to_have_text(words, timeout=30_000)


def press(page: Page, keys: str) -> None:
    for key in keys.split():
        page.keyboard.press(key)


def open_work(page: Page, site: RecordedSite) -> None:
    page.goto(f"{site.url}/projects/demo/rate/")
    page.wait_for_selector("body[data-ready]")


def write_decisions(path: Path) -> None:
    """Write gold answers and adjudications of every sixth sentence of the demo."""
    rows = [json.loads(line) for line in (FIXTURES / "demo" / "ratings.jsonl").read_text().splitlines()]
    plain = [{key: row[key] for key in ("response", "item", "answers")} for row in rows if row["rater"] == "rosa"]
    roles = ("gold", "adjudicator")
    decided = [row | {"rater": "lena", "role": roles[n % 2]} for n, row in enumerate(plain[::6])]
    path.write_text("".join(json.dumps(row | {"rated_at": "2026-11-10T09:00:00Z"}) + "\n" for row in decided))


def prepare(site: RecordedSite) -> None:
    write_decisions(site.folder / "decisions.jsonl")
    lines = STUDIES.format(fixtures=site.tree / "fixtures", folder=site.folder).strip().splitlines()
    site.manage(*(line.split() for line in lines))


def publish_guidelines(page: Page, site: RecordedSite) -> None:
    page.goto(f"{site.url}/projects/demo/guidelines/")
    page.get_by_label("Guidelines", exact=True).fill("Read the *table* before the text.")
    page.get_by_label("What is new").fill("Tables first.")
    page.get_by_role("button", name="Publish").click()
    page.wait_for_load_state()


def freeze_reports(site: RecordedSite, page: Page) -> list[dict[str, Any]]:
    """Freeze the reports of FREEZE, and make a link to each: with names to the second of a project."""
    token = site.manage(["create_token", "admin"]).strip()
    headers = {"Authorization": f"Token {token}"}
    frozen = []
    for project, choices, words in FREEZE:
        response = page.request.post(
            f"{site.url}/api/v1/projects/{project}/reports/", headers=headers, data={"resamples": 300, **choices}
        )
        job = f"{site.url}/api/v1/reports/{response.json()['id']}/"
        while (state := page.request.get(job, headers=headers).json()["state"]) != "done":
            assert state in ("queued", "running"), state
            time.sleep(0.5)
        build = ["build_report", "--project", project, "--resamples", "300", *words.split()]
        frozen.append({"project": project, "job": response.json()["id"], "build": build, "with_names": bool(choices)})
    reports = dict(site.execute(REPORT_OF_JOB))
    for row in frozen:
        row["report"] = reports[row["job"]]
        row["link"] = make_link(site, page, row)
    return frozen


def rebuild_reports(site: RecordedSite, frozen: list[dict[str, Any]]) -> None:
    """Add to each row the report that `build_report` makes at the end, with the same choices."""
    paths = [site.folder / f"report-{n}.json" for n in range(len(frozen))]
    site.manage(*([*row["build"], "--output", str(path)] for row, path in zip(frozen, paths, strict=True)))
    for row, path in zip(frozen, paths, strict=True):
        row["rebuilt"] = path.read_text(encoding="utf-8")


def make_link(site: RecordedSite, page: Page, row: dict[str, Any]) -> str:
    page.goto(f"{site.url}/reports/{row['report']}/links/")
    page.get_by_label("Who is it for?").fill("a reviewer")
    if row["with_names"]:
        page.get_by_label("Show raters by name").check()
    page.get_by_role("button", name="Make the link").click()
    return urlsplit(page.locator("#address").inner_text()).path


def take_and_give_back(page: Page, site: RecordedSite) -> None:
    """Begin a response as Rosa, read the guidelines, and give the response back."""
    open_work(page, site)
    press(page, "1 2 n")
    saved(page)
    page.wait_for_load_state("networkidle")
    press(page, "g")
    expect(page.locator("[data-drawer-body]")).to_contain_text("Read the table")
    page.wait_for_timeout(3_000)
    press(page, "Escape")
    page.get_by_label("More about this response").click()
    page.get_by_role("button", name="Give this response back").click()
    page.locator("[data-release]").click()
    expect(page.get_by_role("status")).to_contain_text("gave the response back")


def rate_with_network(page: Page, site: RecordedSite, lead: Page) -> None:
    """Finish a response as Ravi, begin the next, ask the leads and read their answer."""
    open_work(page, site)
    page.locator("[data-guidelines-close]").click()
    page.get_by_label("More about this response").click()
    page.get_by_role("button", name="Hide the definitions").click()
    press(page, "Escape 1")
    saved(page)
    page.wait_for_timeout(6_000)  # pages are kept, responses fetched ahead
    press(page, "e + 4 s")
    saved(page)
    press(page, "c")
    page.get_by_label("Comment", exact=True).fill("Table 2 says otherwise.")
    press(page, "Escape 1")
    saved(page)
    press(page, "u")
    saved(page)
    press(page, "5 b")
    for _ in range(20):
        press(page, "1")
    saved(page)
    press(page, "Enter")
    page.get_by_role("dialog").get_by_role("button", name="Finish").click()
    page.wait_for_timeout(2_000)
    press(page, "1 ArrowUp c")
    page.get_by_label("Ask the leads", exact=True).fill("Does a caption count?")
    press(page, "Control+Enter Escape")
    expect(page.locator("[data-saved-words]")).to_have_text("Saved")
    answer_question(lead, site)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.get_by_role("button", name="Read it").click()
    expect(page.locator("[data-thread] .reply")).to_have_text("It does.")
    press(page, "Escape")
    page.wait_for_timeout(8_000)


def answer_question(page: Page, site: RecordedSite) -> None:
    page.goto(site.url)
    page.get_by_role("link", name="1 question or report").click()
    page.get_by_role("link", name="Does a caption count").click()
    page.get_by_role("textbox", name="Answer").fill("It does.")
    page.get_by_role("button", name="Answer").click()
    page.wait_for_load_state()


def rate_without_network(page: Page) -> dict[str, Any]:
    """Finish Ravi's current response offline and begin a prefetched one, with an unsent question, comment and draft."""
    page.context.set_offline(True)
    press(page, "ArrowDown c")
    page.get_by_label("Ask the leads", exact=True).fill("And a footnote?")
    press(page, "Control+Enter")
    page.get_by_label("Comment", exact=True).fill("Written without a network.")
    press(page, "Escape 4 s")
    for _ in range(25):
        press(page, "1")
    press(page, "Enter")
    page.wait_for_timeout(1_500)
    press(page, "1 3 n b 5 4")  # the last one has no severity yet
    press(page, "c")
    page.get_by_label("Comment", exact=True).fill("Not sent with anything yet.")
    press(page, "Escape")
    page.wait_for_timeout(1_500)
    return {"address": urlsplit(page.url).path, "waiting": page.locator("[data-saved-words]").inner_text()}


def main(tree: Path, port: int, folder: Path) -> None:
    folder.mkdir(parents=True)
    site = RecordedSite(tree, port, folder)
    with site.running(), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM"), args=["--no-sandbox"])
        prepare(site)
        lead = sign_in(browser, site, "lena")
        publish_guidelines(lead, site)
        admin = sign_in(browser, site, "admin")
        frozen = freeze_reports(site, admin)
        rosa, ravi = sign_in(browser, site, "rosa"), sign_in(browser, site, "ravi")
        sent = [Sent(rosa.context, "rosa"), Sent(ravi.context, "ravi")]
        try:
            take_and_give_back(rosa, site)
            rate_with_network(ravi, site, lead)
            rows = [row for by_person in sent for row in by_person.rows()]
            unsent = rate_without_network(ravi)
        except Exception:
            for name, page in (("rosa", rosa), ("ravi", ravi)):
                page.screenshot(path=folder / f"{name}.png")
            raise
        state = ravi.evaluate(READ_STATE)
        state |= {"cookies": ravi.context.cookies(), **unsent}
        pages = {"admin": admin, "rosa": rosa, "ravi": ravi}
        sessions = {name: page.context.cookies() for name, page in pages.items()}
        browser.close()
        rebuild_reports(site, frozen)
        store("site.sql.xz", site.dump())
        rows = [answer_again(site, row, sessions[row["person"]]) for row in rows]
    secret = (folder / "site" / "secret_key").read_text().strip()
    about = {"origin": site.url, "secret_key": secret, "reports": frozen, "cookies": sessions}
    store("site.json.xz", json.dumps(about, indent=1))
    store("browser.json.xz", json.dumps(state, indent=1, ensure_ascii=False))
    store("requests.json.xz", json.dumps(rows, indent=1, ensure_ascii=False))


def store(name: str, text: str) -> None:
    data = lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)
    (RECORDED / name).write_bytes(data)
    print(name, len(text), len(data), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), int(sys.argv[2]), Path(sys.argv[3]).absolute())
