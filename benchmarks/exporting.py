"""Memory of an export: a million ratings must take no more than a hundred thousand.

Each format is written to the end, and thrown away, in a process of its own; memory is the most which that process held
beyond an idle one, the libraries of the format included. The baseline is the same export of a tenth of the ratings;
speed stands beside `json.dumps` of the same rows.
"""

import json
from collections.abc import Iterator
from time import perf_counter

from ._figure import Figure
from ._study import Study, make
from .round_trip import measured, nothing

LARGE = Study("export-large", prompts=1580, systems=4, sentences=16, raters=10)
SMALL = Study("export-small", prompts=158, systems=4, sentences=16, raters=10)
FORMATS = ("jsonl", "csv", "parquet")
ROWS = 20_000
MOST_GROWTH = 1.2


def run() -> Iterator[Figure]:
    """Yield one result a line; memory in megabytes, speed in ratings a second."""
    for study in (LARGE, SMALL):
        make(study, bare=True)
    idle = measured(nothing)[1]
    plain = dumped_a_second()
    for format in FORMATS:
        seconds, memory = measured(export, LARGE.slug, format)
        _, of_small = measured(export, SMALL.slug, format)
        name = f"memory of {LARGE.ratings:,} ratings as {format} / of {SMALL.ratings:,}"
        yield Figure(name, (memory - idle) / 1e6, (of_small - idle) / 1e6, "MB", LARGE.ratings, at_most=MOST_GROWTH)
        yield Figure(f"ratings as {format} / json.dumps", LARGE.ratings / seconds, plain, "ratings/s", LARGE.ratings)


def export(slug: str, format: str) -> None:
    """Read the whole export, a chunk at a time, and store nothing."""
    from annotation.exporting import RatingsExport
    from annotation.models import Project

    for _ in RatingsExport(Project.objects.get(slug=slug), format):
        pass


def dumped_a_second() -> float:
    from itertools import islice

    from annotation.exporting.ratings import iter_rows
    from annotation.models import Project

    rows = list(islice(iter_rows(Project.objects.get(slug=SMALL.slug)), ROWS))
    start = perf_counter()
    for row in rows:
        json.dumps(row, ensure_ascii=False, default=str)
    return len(rows) / (perf_counter() - start)
