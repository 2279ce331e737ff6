"""A million ratings there and back: the report built, frozen, the ratings exported, loaded into an empty copy of the
project, and the report built again to the same bytes.

The baseline of each time is the time to make the ratings in the database, triggers included; memory is what the process
of each step needed at most beside what an idle one needs. `FACTUARY_BENCH_RATINGS` sets another number of ratings.
"""

import json
import multiprocessing
import os
import resource
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from ._figure import Figure

RATINGS = int(os.environ.get("FACTUARY_BENCH_RATINGS") or 1_000_000)
SYSTEMS, SENTENCES, RATERS = 4, 10, 5
PROMPTS = max(1, RATINGS // (SYSTEMS * SENTENCES * RATERS))
HERE, THERE = "round-trip", "round-trip-copy"


def run() -> Iterator[Figure]:
    """Yield one result for each step; raise when the report of the copy differs in a byte."""
    with tempfile.TemporaryDirectory(prefix="factuary-bench-") as name:
        folder = Path(name)
        load(folder)
        written, _ = measured(make_ratings)
        yield Figure("ratings made in the database", written, written, "s", RATINGS)
        idle = measured(nothing)[1]
        steps: dict[str, Callable[[Path], None]] = {
            "report built": build_report,
            "report frozen": freeze_report,
            "ratings exported": export_ratings,
            "ratings loaded into an empty copy": load_ratings,
        }
        for step, work in steps.items():
            seconds, memory = measured(work, folder)
            yield Figure(step, seconds, written, "s", RATINGS)
            yield Figure(f"{step}: memory", memory / 1e6, idle / 1e6, "MB", RATINGS)
        began = perf_counter()
        size = require_same_bytes(folder)
        yield Figure("report frozen again in the copy", perf_counter() - began, written, "s", RATINGS)
        yield Figure("its size; every byte is that of the first", size / 1e6, size / 1e6, "MB", RATINGS)


def measured(work: Callable[..., None], *arguments: Any) -> tuple[float, int]:
    """Run `work` in a process of its own; return its seconds and its peak memory in bytes."""
    receive, send = multiprocessing.get_context("spawn").Pipe(duplex=False)
    process = multiprocessing.get_context("spawn").Process(target=_in_a_process, args=(send, work, arguments))
    process.start()
    send.close()
    try:
        result = receive.recv()
    except EOFError:
        raise RuntimeError(f"{work.__name__} broke; its reason is above") from None
    process.join()
    return result


def _in_a_process(send: Any, work: Callable[..., None], arguments: tuple) -> None:
    import django

    django.setup()
    began = perf_counter()
    work(*arguments)
    send.send((perf_counter() - began, most_memory()))


def most_memory() -> int:
    """Return the peak memory of this process in bytes, as Linux counts it: `getrusage` begins with the memory of the
    process that started this one."""
    status = Path("/proc/self/status")
    if status.exists():
        kilobytes = next(row.split()[1] for row in status.read_text().splitlines() if row.startswith("VmHWM"))
        return int(kilobytes) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # macOS counts in bytes


def nothing() -> None:
    """Return at once: the memory of an idle process is the baseline."""
    from django.db import connection

    connection.ensure_connection()


def load(folder: Path) -> None:
    """Load two copies of one data set and create a project for each."""
    from annotation.importing import load_dataset
    from annotation.models import Dataset
    from annotation.projects.create import create_project
    from annotation.projects.protocol_versions import newest_protocol

    with (folder / "prompts.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(prompt(n)) + "\n" for n in range(PROMPTS))
    protocol = newest_protocol("article-accuracy")
    assert protocol is not None
    for slug in (HERE, THERE):
        load_dataset("jsonl", [folder / "prompts.jsonl"], slug)
        create_project(slug, Dataset.objects.get(slug=slug), protocol, overlap=1)


def prompt(n: int) -> dict[str, Any]:
    """Return a prompt with four responses of ten sentences, given as items so that nothing is split here."""
    text = "\n".join(f"Sentence {s} of the answer says one thing." for s in range(SENTENCES))
    items, offset = [], 0
    for part in text.split("\n"):
        items.append({"kind": "sentence", "start": offset, "end": offset + len(part)})
        offset += len(part) + 1
    responses = [{"id": f"r{n}.{s}", "system": f"system {s}", "text": text, "items": items} for s in range(SYSTEMS)]
    metadata = {"question_type": ["single", "multi", "summary"][n % 3]}
    return {"id": f"q{n}", "text": f"What of {n}?", "document": None, "metadata": metadata, "responses": responses}


def make_ratings() -> None:
    """Insert ratings by five raters of every sentence, from hashes: prompts differ, raters nearly agree."""
    from django.contrib.auth.hashers import make_password
    from django.db import connection

    from annotation.models import Project, User

    raters = [User(username=f"round-trip-{n}", is_active=False, password=make_password(None)) for n in range(RATERS)]
    User.objects.bulk_create(raters)
    project = Project.objects.get(slug=HERE)
    with connection.cursor() as cursor:
        cursor.execute(_RATINGS, {"project": project.pk, "dataset": project.dataset_id})
        cursor.execute("ANALYZE annotation_rating, annotation_tally, annotation_item")


_RATINGS = """
    WITH drawn AS (
        SELECT item.id AS item, rater.id AS rater, prompt.id AS prompt,
            (hashint8(prompt.id) & 1023) / 1023.0 * 0.3 + (hashint8(item.id) & 1023) / 1023.0 * 0.5
                + (hashint8(item.id * 31 + rater.id) & 1023) / 1023.0 * 0.2 AS x
        FROM annotation_item item
        JOIN annotation_response response ON response.id = item.response_id
        JOIN annotation_prompt prompt ON prompt.id = response.prompt_id AND prompt.dataset_id = %(dataset)s
        CROSS JOIN annotation_user rater
        WHERE rater.username LIKE 'round-trip-%%'
    ), answered AS (
        SELECT item, rater, CASE
            WHEN x < 0.60 THEN '{"accuracy": "accurate"}'
            WHEN x < 0.68 THEN '{"accuracy": "cannot_assess"}'
            WHEN x < 0.78 THEN '{"accuracy": "unsupported", "severity": "not_severe"}'
            WHEN x < 0.82 THEN '{"accuracy": "disputed", "severity": "not_severe"}'
            WHEN x < 0.90 THEN '{"accuracy": "inaccurate", "severity": "not_severe"}'
            ELSE '{"accuracy": "inaccurate", "severity": "severe"}' END::jsonb AS answers
        FROM drawn
    )
    INSERT INTO annotation_rating (
        project_id, item_id, rater_id, role, answers, choices, counted, comment, evidence, seconds, rated_at, version,
        idempotency_key, request_sha256
    )
    SELECT %(project)s, item, rater, 'rater', answers, answers, TRUE, '', '[]', 5 + (item + rater) %% 40,
        TIMESTAMPTZ '2026-03-02 09:00+00' + (item %% 20000) * INTERVAL '1 minute', 1, '', ''
    FROM answered
"""


def build_report(folder: Path) -> None:
    """Build the live report, without intervals of agreement."""
    from annotation import reporting
    from annotation.models import Project

    (folder / "live.json").write_bytes(reporting.build(Project.objects.get(slug=HERE)).to_json())


def freeze_report(folder: Path) -> None:
    """Freeze a report with all its intervals."""
    from annotation import reporting
    from annotation.models import Project

    report = reporting.freeze(Project.objects.get(slug=HERE))
    (folder / "here.json").write_text(report.document, encoding="utf-8")


def export_ratings(folder: Path) -> None:
    """Export the ratings as JSON lines."""
    from annotation.exporting import RatingsExport
    from annotation.models import Project

    with (folder / "ratings.jsonl").open("wb") as file:
        for chunk in RatingsExport(Project.objects.get(slug=HERE), "jsonl"):
            file.write(chunk)


def load_ratings(folder: Path) -> None:
    """Import the same ratings into the copy."""
    from annotation.importing import load_ratings
    from annotation.models import Project

    load_ratings(folder / "ratings.jsonl", Project.objects.get(slug=THERE))


def require_same_bytes(folder: Path) -> int:
    """Return the size of the copy's frozen report in bytes; raise if it differs from the first project's."""
    from annotation import reporting
    from annotation.models import Project

    imported = reporting.freeze(Project.objects.get(slug=THERE)).document
    if imported != (folder / "here.json").read_text(encoding="utf-8"):
        raise RuntimeError("the report of the loaded copy differs from the one that was exported")
    return len(imported.encode())
