"""The metrics that processes count (Prometheus). Those of the database's state are in doctor/database_metrics.py.

Imported only by processes that serve metrics. Processes count in files of a common folder, one for each name among
them (`web1`, `worker2`), not for each process id: a new process continues the counts of the one that it replaces, and
the files stay few however often processes are replaced.
"""

from prometheus_client import Counter, Histogram, values

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 5, 10, 30)
JOB_SECONDS = (0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600)

_process_name = ["main"]


def set_process_name(name: str) -> None:
    """Count in the files of this name from now on. No two running processes may have the same."""
    _process_name[0] = name


values.ValueClass = values.MultiProcessValue(process_identifier=lambda: _process_name[0])

SAVES = Histogram(
    "factuary_save_seconds", "Saved answers by status of the response, and their time.", ["code"], buckets=SECONDS
)
NEXT_WORK = Histogram(
    "factuary_next_work_seconds",
    "Requests for next work by status of the response, and their time.",
    ["code"],
    buckets=SECONDS,
)
FINISHED = Counter(
    "factuary_finished_responses", "Requests that finish a response, by status of the response.", ["code"]
)
QUERIES = Histogram("factuary_query_seconds", "Queries of the database, and their time.", buckets=SECONDS)
JOBS = Histogram(
    "factuary_job_seconds",
    "Attempts of jobs by kind and result, and their time.",
    ["kind", "result"],
    buckets=JOB_SECONDS,
)
