"""Simulated people: raters who save and log what was acknowledged, and a lead's browser that opens pages."""

import http.client
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from .site import Site

ANSWERS = ({"accuracy": "accurate"}, {"accuracy": "inaccurate", "severity": "severe"}, {"accuracy": "cannot_assess"})
NO_ANSWER = "no connection"
TIMEOUT = 40.0
LONGEST_WAIT = 1.0
"""Seconds after which people try again, at most: Retry-After may say more."""


@dataclass(frozen=True)
class Save:
    """An acknowledged save: what the server said that it has stored."""

    key: str
    rater: str
    item: str
    answers: dict[str, str]
    version: int


@dataclass
class Log:
    """What was acknowledged, and what everybody was answered. Threads only append."""

    saves: list[Save] = field(default_factory=list)
    finished: list[str] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    """Answers to raters, by status; a 503 without Retry-After is called so."""
    pages: Counter[str] = field(default_factory=Counter)
    """The same for pages."""
    unexpected: list[str] = field(default_factory=list)
    """The first lines of answers that nobody should get."""
    moments: list[float] = field(default_factory=list)
    """When each save was acknowledged: `time.monotonic()`."""


@dataclass
class Answer:
    status: str
    body: bytes = b""
    wait: float = 0.2

    @property
    def json(self) -> Any:
        return json.loads(self.body) if self.body else {}


class Line:
    """A connection to the site that is opened again after it broke."""

    def __init__(self, site: Site, headers: dict[str, str]) -> None:
        self._address, self._headers = ("127.0.0.1", site.port), headers
        self._connection: http.client.HTTPConnection | None = None

    @classmethod
    def of_program(cls, site: Site, token: str) -> "Line":
        return cls(site, {"Authorization": f"Token {token}", "Content-Type": "application/json"})

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """Return the answer, or NO_ANSWER if the connection was refused or broke."""
        try:
            self.send(method, path, body, **headers)
            return self._receive()
        except (OSError, http.client.HTTPException):
            self.hang_up()
            return Answer(NO_ANSWER)

    def send(self, method: str, path: str, body: bytes | None = None, **headers: str) -> None:
        self._connection = self._connection or http.client.HTTPConnection(*self._address, timeout=TIMEOUT)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self._connection.request(method, path, body, self._headers | named)

    def hang_up(self) -> None:
        if self._connection:
            self._connection.close()
        self._connection = None

    def _receive(self) -> Answer:
        assert self._connection
        response = self._connection.getresponse()
        body, wait = response.read(), response.headers.get("Retry-After")
        status = str(response.status) if response.status != 503 or wait else "503 without Retry-After"
        return Answer(status, body, min(float(wait or 0.2), LONGEST_WAIT))


class Rater(threading.Thread):
    """Takes work, answers, changes some answers, finishes or gives back; repeats each request until it is answered.

    One save in twenty is sent by a browser that loses its network before the answer, and sent again.
    """

    def __init__(self, site: Site, project: str, name: str, token: str, pause: float) -> None:
        super().__init__(name=name, daemon=True)
        self.log = Log()
        self.stopping = threading.Event()
        self._line = Line.of_program(site, token)
        self._project, self._pause = project, pause
        self._chance = random.Random(f"{project} {name}")

    def run(self) -> None:
        while not self.stopping.is_set():
            work = self._insist("POST", f"projects/{self._project}/assignments/", expected=("200", "204"))
            if work.status == "200":
                self._rate(work.json)
            else:
                self.stopping.wait(0.5)
        self._line.hang_up()

    def _rate(self, work: dict[str, Any]) -> None:
        gives_back = self._chance.random() < 0.05
        for item in [item for item in work["items"] if item["rate"]]:
            if self.stopping.is_set() or not self._save(work, item):
                return
            if self._chance.random() < 0.1 and not self._save(work, item):
                return
            if gives_back and self._chance.random() < 0.3:
                self._insist("POST", f"assignments/{work['id']}/release/", expected=("200", "204", "409", "410"))
                return
        done = self._insist("POST", f"assignments/{work['id']}/finish/", expected=("200", "410"))
        if done.status == "200":
            self.log.finished.append(work["id"])

    def _save(self, work: dict[str, Any], item: dict[str, Any]) -> bool:
        """Save one answer. Return whether the work is still this rater's."""
        answers = self._chance.choice(ANSWERS)
        path, key = f"assignments/{work['id']}/items/{item['id']}/", str(uuid4())
        body = {"answers": answers, "base_version": item["version"], "seconds": 2.0}
        if self._chance.random() < 0.05:
            self._send_and_hang_up(path, body, key)
        answer = self._insist("PUT", path, body, key, expected=("200", "410"))
        if answer.status == "200":
            stored = answer.json
            item["version"] = stored["version"]
            self.log.saves.append(Save(key, self.name, item["id"], stored["answers"], stored["version"]))
            self.log.moments.append(time.monotonic())
        self.stopping.wait(self._chance.uniform(0.5, 1.5) * self._pause)
        return answer.status == "200"

    def _send_and_hang_up(self, path: str, body: object, key: str) -> None:
        try:
            self._line.send("PUT", f"/api/v1/{path}", json.dumps(body).encode(), Idempotency_Key=key)
            time.sleep(self._chance.uniform(0, 0.03))
        except (OSError, http.client.HTTPException):
            pass
        self._line.hang_up()

    def _insist(self, method: str, path: str, body: object = None, key: str = "", *, expected: Sequence[str]) -> Answer:
        """Repeat a request, with its key, until the answer is an expected one or the run ends."""
        content = json.dumps(body).encode() if body is not None else None
        while True:
            answer = self._line.ask(method, f"/api/v1/{path}", content, Idempotency_Key=key)
            self.log.statuses[answer.status] += 1
            if answer.status in expected:
                return answer
            if answer.status not in (NO_ANSWER, "503"):
                self.log.unexpected.append(f"{method} {path}: {answer.status} {answer.body[:300]!r}")
            if self.stopping.wait(answer.wait):
                return answer


class Browser(threading.Thread):
    """A signed-in lead who opens the pages of a project, one after the other."""

    def __init__(self, site: Site, project: str, cookie: str) -> None:
        super().__init__(name="browser", daemon=True)
        self.log = Log()
        self.stopping = threading.Event()
        self._line = Line(site, {"Cookie": cookie, "Accept": "text/html"})
        self._paths = ["/", *(f"/projects/{project}/{page}" for page in ("", "report/", "exports/", "members/"))]

    def run(self) -> None:
        while not self.stopping.is_set():
            for path in self._paths:
                self._open(path)
                if self.stopping.wait(0.4):
                    break
        self._line.hang_up()

    def _open(self, path: str) -> None:
        answer = self._line.ask("GET", path)
        is_page = answer.status == NO_ANSWER or (b"<title>" in answer.body and b"Traceback" not in answer.body)
        self.log.pages[answer.status if is_page else f"{answer.status} without a page"] += 1
        if answer.status not in ("200", "503", NO_ANSWER) or not is_page:
            self.log.unexpected.append(f"GET {path}: {answer.status} {answer.body[:300]!r}")


def merged(logs: Sequence[Log]) -> Log:
    """Return one log of several people."""
    all_of = Log()
    for log in logs:
        all_of.saves += log.saves
        all_of.finished += log.finished
        all_of.statuses += log.statuses
        all_of.pages += log.pages
        all_of.unexpected += log.unexpected
        all_of.moments += log.moments
    return all_of
