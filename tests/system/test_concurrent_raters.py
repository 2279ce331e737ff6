"""Thirty-two raters at once, through real HTTP, behaving as people and networks do: nothing lost, nothing twice, and
never more raters on a response than the overlap.

Every answer is sent twice at the same moment with the same key; some are taken back and given anew; some work is given
back, and some is left until its lease runs out and comes back to it late.
"""

import http.client
import json
import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from annotation.models import Assignment, Membership, Rating, RatingEvent, Slot
from annotation.rating.tally_check import find_tally_differences
from tests.api.clients import program_of
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, give_token, person, study

RATERS, OVERLAP, SENTENCES, SECONDS = 32, 3, 2, 600
ANSWERS = (ACCURATE, SEVERE, CANNOT_ASSESS)

Answer = tuple[int, dict]


@dataclass
class Program:
    """One rater's program: two connections, a token, and what the server said it had stored, by key."""

    name: str
    address: str
    stored: dict[str, dict] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)
    did: Counter = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.name)
        self.lines = [http.client.HTTPConnection(self.address, timeout=SECONDS) for _ in range(2)]
        give_token(person(self.name), self.name)

    def send(self, line: int, method: str, path: str, body: dict | None = None, key: str = "") -> None:
        headers = {"Authorization": f"Token {self.name}", "Content-Type": "application/json", "Idempotency-Key": key}
        self.lines[line].request(method, f"/api/v1/{path}", json.dumps(body) if body else None, headers)

    def receive(self, line: int = 0) -> Answer:
        response = self.lines[line].getresponse()
        content = response.read()
        return response.status, json.loads(content) if content else {}

    def ask(self, method: str, path: str) -> Answer:
        self.send(0, method, path)
        return self.receive()

    def answer_twice(self, work: dict, item: dict) -> int:
        """Send the same save on both connections before either is answered. Return their common status."""
        path, key = f"assignments/{work['id']}/items/{item['id']}/", str(uuid4())
        body = {"answers": self.chance.choice(ANSWERS), "base_version": item["version"]}
        for line in (0, 1):
            self.send(line, "PUT", path, body, key)
        first, second = self.receive(0), self.receive(1)
        assert first == second
        status, answered = first
        assert status in (200, 410), answered
        if status == 200:
            self.stored[key] = answered
            item["version"] = answered["version"]
        return status

    def take_back(self, work: dict, item: dict) -> None:
        status, body = self.ask(
            "DELETE", f"assignments/{work['id']}/items/{item['id']}/?base_version={item['version']}"
        )
        assert status in (200, 410), body
        self.did["take-back"] += status == 200
        item["version"] = 0 if status == 200 else item["version"]

    def rate(self, work: dict) -> None:
        """Answer, sometimes wait, and finish; or release the response; or leave it until the lease has expired."""
        mood = self.chance.random()
        for item in [item for item in work["items"] if item["rate"]]:
            self.answer_twice(work, item)
            if self.chance.random() < 0.2:
                self.take_back(work, item)
                self.answer_twice(work, item)
            if mood < 0.1:
                assert self.ask("POST", f"assignments/{work['id']}/release/")[0] == 200
                self.did["release"] += 1
                return
            if mood < 0.25:
                self.leave(work)
        status, body = self.ask("POST", f"assignments/{work['id']}/finish/")
        assert status in (200, 410), body
        self.did["lost"] += status == 410
        self.done += [work["id"]] if status == 200 else []

    def leave(self, work: dict) -> None:
        """Let the lease expire and return a moment later, perhaps too late."""
        Slot.objects.filter(holder__public_id=work["id"]).update(expires_at=timezone.now() - timedelta(seconds=1))
        self.did["expiry"] += 1
        time.sleep(0.1)

    def work_through(self, until: float) -> "Program":
        """Take and rate responses until none is left for anybody."""
        try:
            while time.monotonic() < until:
                status, work = self.ask("POST", "projects/june/assignments/")
                assert status in (200, 204), work
                if status == 200:
                    self.rate(work)
                elif not Slot.objects.filter(finished_at=None).exists():
                    return self
                else:  # somebody may give work back
                    time.sleep(0.1)
            raise AssertionError(f"{self.name} was not served in {SECONDS} s")
        finally:
            connection.close()
            for line in self.lines:
                line.close()


@pytest.mark.django_db(transaction=True)
def test_thirty_two_raters_at_once_lose_nothing_and_store_nothing_twice(live_server):
    names = tuple(f"rater{n:02}" for n in range(RATERS))
    june = study(prompts=6, systems=("heron", "plover", "tern"), sentences=SENTENCES, overlap=OVERLAP, raters=names)
    assert Membership.objects.count() == RATERS + 1
    programs = [Program(name, live_server.url.removeprefix("http://")) for name in names]
    until = time.monotonic() + SECONDS
    with ThreadPoolExecutor(RATERS) as pool:
        programs = list(pool.map(lambda program: program.work_through(until), programs))
    did = sum((program.did for program in programs), Counter())
    assert all(did[check] for check in ("release", "expiry", "take-back")), did

    # Every response has as many raters as the overlap.
    finished = Assignment.objects.filter(finished_at__isnull=False)
    assert Counter(finished.values_list("sheet__response", flat=True)) == {r.pk: OVERLAP for r in june.responses}
    assert sorted(str(assignment.public_id) for assignment in finished) == sorted(id for p in programs for id in p.done)
    assert not finished.exclude(slot__finished_at__isnull=False).exists()

    # Every acknowledged answer is stored once.
    acknowledged = {key: body for program in programs for key, body in program.stored.items()}
    events = RatingEvent.objects.exclude(pgh_label="delete")
    stored = {e.idempotency_key: {"answers": e.answers, "version": e.version} for e in events}
    assert stored == acknowledged
    assert events.count() == len(acknowledged)

    # Everything counts and nothing is left.
    ratings = Rating.objects.filter(assignment__finished_at__isnull=False)
    assert ratings.filter(counted=True).count() == len(june.responses) * OVERLAP * SENTENCES
    assert not ratings.filter(counted=False).exists()
    assert find_tally_differences() == []
    progress = program_of(june.people["lena"]).get("/api/v1/projects/june/progress/").json()
    assert (progress["done"], progress["leased"], progress["left"]) == (len(june.responses) * OVERLAP, 0, 0)
