"""A whole site under load: eight raters at full speed, 200 at human pace, memory, SQL, the first page.

A quickstart site of its own is started in a new folder and stopped at the end. The eight are signed in by sessions,
fetch articles, save eight sentences, and finish each response by the request that also gives the next one. The 200 use
tokens and save a sentence every six seconds. The baseline of each time is the same clients asking the same server for a
page that does nothing (`/health/live/`), in the same run; the baseline of each budget is the budget. Throughput also
stands beside the best figure published for a comparable tool on two cores (35 ratings a second, doccano).
"""

import http.client
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlencode

import psutil
from playwright.sync_api import sync_playwright

from annotation.quickstart.valkey import free_port

from ._figure import Figure

ROOT = Path(__file__).resolve().parent.parent
RATERS, SECONDS, RESPONSES, SENTENCES, WORDS = 8, 12.0, 240, 8, 3000
CROWD, PAUSE, CROWD_SECONDS = 200, 6.0, 30.0
RIVAL_RATINGS_A_SECOND = 35
DATABASE_AND_BROKER = ("postgres", "valkey")
NEWCOMER, PASSWORD = "newcomer", "only for this benchmark"
BUDGET = {
    "ratings a second of 8 raters, at least the budget": 190,
    "sql of a save": 6,
    "sql of next work": 10,
    "requests of the first page": 20,
    "bytes of the first page": 250_000,
    "next response after finishing, 95th percentile": 0.1,
    "save at human pace, 200 raters, 95th percentile": 0.1,
    "memory after start": 450e6,
    "memory after load": 450e6,
}


def run() -> Iterator[Figure]:
    """Yield one result a line; times are seconds, medians or 95th percentiles as named."""
    with tempfile.TemporaryDirectory(prefix="factuary-bench-") as folder, running_site(Path(folder)) as site:
        yield budget("memory after start", memory(site), "bytes", 1)
        tokens = load_study(site, Path(folder))
        idle = [wait for waits in at_once([nothing(site)] * RATERS, SECONDS / 4) for wait in waits["nothing"]]
        clients = [signed_in(site, f"rater{n}") for n in range(RATERS)]
        waits = at_once([rater(client) for client in clients], SECONDS)
        saves = [wait for each in waits for wait in each["save"]]
        nexts = [wait for each in waits for wait in each["next"]]
        rate = len(saves) / SECONDS
        yield Figure("ratings a second, 8 raters", rate, len(idle) / (SECONDS / 4), "1/s", len(saves))
        yield Figure("ratings a second against the best published", rate, RIVAL_RATINGS_A_SECOND, "1/s", len(saves))
        yield budget("ratings a second of 8 raters, at least the budget", rate, "1/s", len(saves))
        yield Figure("save, 95th percentile", percentile(saves), percentile(idle), "s", len(saves))
        yield budget("next response after finishing, 95th percentile", percentile(nexts), "s", len(nexts))
        crowd = at_once(crowd_of_raters(site, tokens), CROWD_SECONDS)
        saves = [wait for each in crowd for wait in each["save"]]
        yield budget("save at human pace, 200 raters, 95th percentile", percentile(saves), "s", len(saves))
        yield budget("memory after load", memory(site), "bytes", 1)
        with database_of_the_site(site):
            add_rater(NEWCOMER)
            set_password(NEWCOMER)
            counts = statements()
        for name, value in (counts | first_page(site)).items():
            yield budget(name, value, "bytes" if "bytes" in name else "count", 1)


def budget(name: str, value: float, unit: str, n: int) -> Figure:
    """Return one result beside its budget, which bounds it."""
    if name.endswith("at least the budget"):
        return Figure(name, value, BUDGET[name], unit, n, at_least=1)
    return Figure(name, value, BUDGET[name], unit, n, at_most=1)


def memory(site: dict) -> int:
    """Return the bytes of all processes of the site but database and broker."""
    return sum(size for part, size in memory_by_part(site).items() if part not in DATABASE_AND_BROKER)


def memory_by_part(site: dict) -> dict[str, int]:
    """Return the bytes of each part of the site with its child processes; shared memory is counted once (PSS)."""
    records = json.loads((Path(site["data_dir"]) / "processes.json").read_text())
    parts = {record["pid"]: record["name"] for record in records}
    supervisor = psutil.Process(site["pid"])
    sizes: dict[str, int] = defaultdict(int)
    sizes["supervisor"] = _pss(supervisor)
    for child in supervisor.children():
        family = [child, *child.children(recursive=True)]
        sizes[parts.get(child.pid, "supervisor")] += sum(map(_pss, family))
    return dict(sizes)


def _pss(process: psutil.Process) -> int:
    """Return the bytes of a process; 0 if it has just ended."""
    with suppress(psutil.NoSuchProcess):
        return int(process.memory_full_info().pss)
    return 0


def percentile(waits: list[float]) -> float:
    """Return the 95th percentile, in seconds."""
    return statistics.quantiles(waits, n=20)[-1]


@contextmanager
def running_site(folder: Path) -> Iterator[dict]:
    """Start a quickstart site without the demo; yield the content of its ready file."""
    port = free_port()
    ready = folder / "ready.json"
    options = ["--no-demo", "--port", str(port), "--data-dir", str(folder / "site"), "--ready-file", str(ready)]
    with (folder / "site.log").open("w") as log:
        server = subprocess.Popen(
            [sys.executable, "manage.py", "quickstart", *options],
            cwd=ROOT, stdout=log, stderr=log, env=os.environ | {"API_REQUESTS_PER_MINUTE": "0"},
        )  # fmt: skip
        try:
            while not ready.exists():
                if server.poll() is not None:
                    raise RuntimeError((folder / "site.log").read_text())
                time.sleep(0.1)
            yield json.loads(ready.read_text()) | {"port": port, "pid": server.pid, "data_dir": str(folder / "site")}
        finally:
            server.terminate()
            server.wait()


def load_study(site: dict, folder: Path, overlap: int = 9, prompts: int = 60) -> list[str]:
    """Load a project of four responses to each prompt, three prompts to an article of 3,000 words; return the tokens
    of the 200 raters.
    """
    with (folder / "study.jsonl").open("w") as file:
        for n in range(prompts):
            file.write(json.dumps(prompt(n)) + "\n")
    command(site, "import_dataset", "jsonl", str(folder / "study.jsonl"), "--dataset", "bench")
    options = ["--dataset", "bench", "--protocol", "article-accuracy", "--overlap", str(overlap)]
    command(site, "create_project", "bench", *options)
    with database_of_the_site(site):
        tokens = [add_rater(f"rater{n}") for n in range(RATERS + CROWD)]
        for n in range(RATERS):
            set_password(f"rater{n}")
    return tokens[RATERS:]


def add_rater(username: str) -> str:
    """Add a rater with the password to the project; return a token."""
    from annotation.accounts.tokens import create_token
    from annotation.accounts.users import create_user
    from annotation.models import Project
    from annotation.projects.members import add_member

    person = create_user(username)
    add_member(Project.objects.get(slug="bench"), person, "rater")
    return create_token(person)[0]


def set_password(username: str) -> None:
    """Give the person the password of this benchmark."""
    from annotation.models import User

    person = User.objects.get(username=username)
    person.set_password(PASSWORD)
    person.save()


def prompt(n: int) -> dict:
    """Return a prompt with four responses; every third one brings its article."""
    sentence = "The median foraging range on turbid days grew from 11.8 km to {} km in the colony under study."
    sections = [{"heading": f"Part {s}", "paragraphs": ["word " * (WORDS // 10)]} for s in range(10)]
    article = {"id": f"d{n // 3}", "title": f"Article {n // 3}", "sections": sections}
    responses = [
        {"system": f"model-{m}", "text": "\n".join(sentence.format(17 + s + n) for s in range(SENTENCES))}
        for m in range(RESPONSES // 60)
    ]
    document = article if n % 3 == 0 else f"d{n // 3}"
    return {"id": f"q{n}", "text": f"How far did they fly in year {n}?", "document": document, "responses": responses}


def command(site: dict, *words: str) -> str:
    """Return what a command of manage.py prints."""
    environment = os.environ | {"DATABASE_URL": site["database_url"]}
    done = subprocess.run(
        [sys.executable, "manage.py", *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stdout


Waits = dict[str, list[float]]
Worker = Callable[[float, Waits], None]


def at_once(workers: list[Worker], seconds: float) -> list[Waits]:
    """Run every worker in a thread until the time is up; return what each waited, in seconds. Raises
    what a worker raised."""
    waits: list[Waits] = [defaultdict(list) for _ in workers]
    end = time.perf_counter() + seconds
    with ThreadPoolExecutor(len(workers)) as threads:
        runs = [threads.submit(worker, end, own) for worker, own in zip(workers, waits, strict=True)]
    for run_of_worker in runs:
        run_of_worker.result()
    return waits


class Client:
    """A program with a connection that stays open."""

    def __init__(self, site: dict, **headers: str):
        self._connection = http.client.HTTPConnection("127.0.0.1", site["port"])
        self.headers = {"Content-Type": "application/json"} | headers
        self.cookies: dict[str, str] = {}

    def __call__(self, method: str, path: str, body: dict | None = None, waits: list[float] | None = None) -> dict:
        began = time.perf_counter()
        content = self.request(method, path, json.dumps(body) if body is not None else "")
        if waits is not None:
            waits.append(time.perf_counter() - began)
        return json.loads(content) if content else {}

    def request(self, method: str, path: str, body: str, **headers: str) -> bytes:
        """Send a request with the cookies so far; return the content of the response. Raises RuntimeError."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {"Idempotency-Key": os.urandom(12).hex(), "Cookie": cookies, **self.headers, **headers}
        self._connection.request(method, path, body or None, sent)
        response = self._connection.getresponse()
        content = response.read()
        for text in response.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(text).items()}
        if response.status >= 400:
            raise RuntimeError(f"{method} {path}: {response.status} {content[:200]!r}")
        return content


def signed_in(site: dict, username: str) -> Client:
    """Return a client that has signed in with the password and has a session."""
    client, path = Client(site), "/accounts/login/"
    client.request("GET", path, "")
    form = {"login": username, "password": PASSWORD, "csrfmiddlewaretoken": client.cookies["factuary_csrf"]}
    client.request("POST", path, urlencode(form), **{"Content-Type": "application/x-www-form-urlencoded"})
    client.headers["X-CSRFToken"] = client.cookies["factuary_csrf"]
    return client


def nothing(site: dict) -> Worker:
    """Ask for a page that does nothing."""

    def ask(end: float, waits: Waits) -> None:
        client = Client(site)
        while time.perf_counter() < end:
            client("GET", "/health/live/", waits=waits["nothing"])

    return ask


def rater(client: Client, *, delay: float = 0.0, pause: float = 0.0) -> Worker:
    """Take work and its article, answer every sentence, and finish with the request that gives the next.

    `delay`: seconds before the first request; `pause`: seconds after each save.
    """

    def rate(end: float, waits: Waits) -> None:
        time.sleep(delay)
        work = client("POST", "/api/v1/projects/bench/assignments/")
        client("GET", work["document"]["url"])
        while work:
            for item in work["items"]:
                if time.perf_counter() >= end:
                    return
                save(client, work, item, waits)
                time.sleep(pause)
            document = work["document"]["id"]
            path = f"/api/v1/assignments/{work['id']}/finish/?next=true&has_document={document}"
            work = client("POST", path, waits=waits["next"])["next"]

    return rate


def crowd_of_raters(site: dict, tokens: list[str]) -> list[Worker]:
    """Return raters at human pace, who save a sentence every six seconds; they begin one after the other."""
    clients = [Client(site, Authorization=f"Token {token}") for token in tokens]
    return [rater(client, delay=PAUSE * n / CROWD, pause=PAUSE) for n, client in enumerate(clients)]


def save(client: Client, work: dict, item: dict, waits: Waits) -> None:
    """Save the answer to one sentence."""
    body = {"answers": {"accuracy": "accurate"}, "base_version": item["version"], "seconds": 4.0}
    client("PUT", f"/api/v1/assignments/{work['id']}/items/{item['id']}/", body, waits["save"])


@contextmanager
def database_of_the_site(site: dict) -> Iterator[None]:
    """Connect this process to the site's database until the end of the block."""
    from django.db import connection

    from annotation.site.environment import database_of

    before = dict(connection.settings_dict)
    connection.close()
    connection.settings_dict.update(database_of(site["database_url"]))
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict.update(before)


def statements() -> dict[str, int]:
    """Count the SQL statements of next work and of a save by a person with a session, with BEGIN and COMMIT."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext
    from rest_framework.test import APIClient

    from annotation.models import User

    client = APIClient(SERVER_NAME="localhost")
    client.force_login(User.objects.get(username=NEWCOMER))
    with CaptureQueriesContext(connection) as of_next:
        work = client.post("/api/v1/projects/bench/assignments/").json()
    url = f"/api/v1/assignments/{work['id']}/items/{work['items'][0]['id']}/"
    with CaptureQueriesContext(connection) as of_save:
        saved = client.put(url, {"answers": {"accuracy": "accurate"}, "base_version": 0}, format="json")
    if saved.status_code != 200:
        raise RuntimeError(saved.content)
    return {"sql of a save": len(of_save), "sql of next work": len(of_next)}


def chromium_options() -> dict:
    """Return the machine's Chromium (CHROMIUM, or one on the path), else Playwright's own."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    return {"executable_path": path, "args": ["--no-sandbox", "--disable-gpu"]}


def first_page(site: dict) -> dict[str, int]:
    """Return the number of requests and bytes that opening the workspace takes with an empty cache."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(**chromium_options())
        page = chromium.new_page()
        page.goto(f"{site['url']}/accounts/login/")
        page.fill("[name=login]", NEWCOMER)
        page.fill("[name=password]", PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url(f"{site['url']}/")
        sizes: list[int] = []
        events = page.context.new_cdp_session(page)
        events.send("Network.enable")
        events.send("Network.clearBrowserCache")
        events.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
        page.goto(f"{site['url']}/projects/bench/rate/", wait_until="networkidle")
        page.wait_for_selector("body[data-ready]")
        chromium.close()
    return {"requests of the first page": len(sizes), "bytes of the first page": sum(sizes)}
