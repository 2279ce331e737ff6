"""Memory of a site while 200 raters work at human pace, by part, and its growth.

The raters of `serving` save a sentence every six seconds, finish each response and take the next one, for
`FACTUARY_BENCH_MINUTES` (4). Memory is PSS, in which shared memory is counted once. Caches and pools fill in the first
minutes, so growth is the end beside minute 5, in a run of less than ten minutes beside its half. Database and broker
are printed, too; they hold what their settings allow, and their growth has no bound.
"""

import os
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ._figure import Figure
from .serving import CROWD, DATABASE_AND_BROKER, at_once, crowd_of_raters, load_study, memory_by_part, running_site

MINUTES = float(os.environ.get("FACTUARY_BENCH_MINUTES") or 4)
INTERVAL, SETTLED = (5.0, 5.0) if MINUTES >= 10 else (MINUTES / 4, MINUTES / 2)  # minutes
OVERLAP = 100
"""Enough work for more than an hour."""
MOST_GROWTH = 1.1

Sizes = dict[str, int]


def run() -> Iterator[Figure]:
    """Yield one result a line, in bytes; the baseline of each part is its memory at the start."""
    with tempfile.TemporaryDirectory(prefix="factuary-bench-") as folder, running_site(Path(folder)) as site:
        tokens = load_study(site, Path(folder), OVERLAP)
        start = memory_by_part(site)
        yield from figures("at the start", start, {})
        by_minute: dict[float, Sizes] = {}
        with ThreadPoolExecutor(1) as background:
            crowd = background.submit(at_once, crowd_of_raters(site, tokens), MINUTES * 60)
            for minute in moments():
                by_minute[minute] = memory_by_part(site)
                yield from figures(f"at minute {minute:g}", by_minute[minute], start)
        saves = sum(len(waits["save"]) for waits in crowd.result())
    end = max(by_minute)
    name = f"memory: growth from minute {SETTLED:g} to minute {end:g}, {CROWD} raters"
    yield Figure(name, own(by_minute[end]), own(by_minute[SETTLED]), "bytes", saves, at_most=MOST_GROWTH)


def moments() -> Iterator[float]:
    """Wait for each minute at which memory is measured, and yield it. The last one is a second before the end."""
    began = time.monotonic()
    for number in range(1, int(MINUTES / INTERVAL) + 1):
        minute = number * INTERVAL
        time.sleep(max(began + minute * 60 - 1 - time.monotonic(), 0))
        yield minute


def figures(moment: str, sizes: Sizes, baselines: Sizes) -> Iterator[Figure]:
    for part, size in sorted(sizes.items()):
        yield Figure(f"memory {moment}: {part}", size, baselines.get(part, 0), "bytes", 1)


def own(sizes: Sizes) -> int:
    """Return the bytes of all parts but database and broker."""
    return sum(size for part, size in sizes.items() if part not in DATABASE_AND_BROKER)
