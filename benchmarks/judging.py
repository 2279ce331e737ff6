"""What a judge's run costs besides the endpoint: CPU of this process for an item, threads and client included.

A local endpoint in a process of its own answers after 50 ms, at concurrency 32: 1,000 sentences with articles of 40
paragraphs, each with its request, rating, history, tally and verdict. The CPU of PostgreSQL is not in it.
"""

import multiprocessing
import time
from collections.abc import Iterator

from ._figure import Figure

ITEMS, CONCURRENCY = 1_000, 32
BUDGET = 0.015  # seconds of CPU an item
WORDS = "Terns fly further on turbid days and return with fish that they caught near the mouth of the river. " * 6


def run() -> Iterator[Figure]:
    """Yield the CPU of an item beside its budget."""
    from annotation.judging.judges import create_judge
    from annotation.judging.run import run_judge
    from annotation.model_calls.runs import RunLimits
    from annotation.models import Judge
    from tests.cast import study

    july = study("judging-bench", prompts=50, sentences=20)
    _lengthen(july.project.dataset)
    receiver, sender = multiprocessing.Pipe(duplex=False)
    server = multiprocessing.get_context("spawn").Process(target=serve, args=[sender], daemon=True)
    server.start()
    try:
        configuration = Judge(name="bench", base_url=receiver.recv(), model="tiny", concurrency=CONCURRENCY)
        judge, _ = create_judge(configuration)
        run_judge(judge, july.project, RunLimits(limit=20))  # the client is loaded
        cpu = time.process_time()
        result = run_judge(judge, july.project)
        cpu = time.process_time() - cpu
    finally:
        server.kill()
    rated = result.new
    assert rated == ITEMS - 20, result.as_json()
    yield Figure("a judge's item: CPU besides the endpoint", cpu / rated, BUDGET, "s", rated, at_most=1)


def _lengthen(dataset) -> None:
    """Give the documents 40 paragraphs."""
    for document in dataset.documents.all():
        paragraphs = [{"id": f"p{n}", "kind": "text", "text": WORDS} for n in range(40)]
        document.sections = [{"heading": "Results", "level": 1, "paragraphs": paragraphs}]
        document.save()


def serve(sender) -> None:
    """Serve the endpoint: the part that runs in the other process."""
    from tests.judging.fake_endpoint import GOOD, FakeEndpoint

    def answer(body):
        time.sleep(0.05)
        return {**GOOD, "quote": "Terns fly further on turbid days"}

    server = FakeEndpoint(answer)
    server.bodies = _Nothing()
    sender.send(server.url)
    server.serve_forever()


class _Nothing(list):
    """A list that keeps nothing."""

    def append(self, _item) -> None:
        return
