"""What is stored and compared has the database's time: other clocks are read only where this file says why."""

import ast
from collections.abc import Iterator

from tests.conftest import CODE

HOST_CLOCKS = {
    "annotation/backup/archive.py": "the time of a file in an archive, which nothing compares",
    "annotation/backup/scheduled.py": "compared with the times of files, which the host's clock writes",
    "annotation/doctor/installation.py": "compares the two clocks; hours, shown also without the database",
    "annotation/model_calls/endpoint.py": "compared with a time of another server",
    "annotation/templatetags/words.py": "how long ago something was, for readers",
}
CALLS = {
    ("timezone", "now"), ("datetime", "now"), ("datetime", "utcnow"), ("datetime", "today"), ("date", "today"),
    ("time", "time"), ("time", "time_ns"),
}  # fmt: skip
WITHOUT_ARGUMENTS = {("timezone", "localtime"), ("timezone", "localdate")}
"""These take the host's time if they get none."""
FIELD = "annotation/models/created_at.py"


def uses_of_host_clock(source: str) -> Iterator[int]:
    """Yield the lines that read the host's clock, or let Django do it."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(ast.Name(module), name) if (module, name) in CALLS:
                yield node.lineno
            case ast.Call(ast.Attribute(ast.Name(module), name), []) if (module, name) in WITHOUT_ARGUMENTS:
                yield node.lineno
            case ast.keyword("auto_now" | "auto_now_add"):
                yield node.lineno
            case ast.ImportFrom(module) if {(module, name.name) for name in node.names} & CALLS:
                yield node.lineno


def test_only_the_listed_files_read_the_hosts_clock() -> None:
    files = [path for part in ("annotation", "tasks") for path in (CODE / part).rglob("*.py")]
    reading = {
        str(path.relative_to(CODE)): list(uses_of_host_clock(path.read_text()))
        for path in files
        if "migrations" not in path.parts and str(path.relative_to(CODE)) != FIELD
    }
    assert {file for file, lines in reading.items() if lines} == set(HOST_CLOCKS), (
        "use annotation.site.database_clock.database_now, or CreatedAtField in a model"
    )


def test_each_way_to_read_the_hosts_clock_is_found() -> None:
    for source in (
        "timezone.now()", "datetime.now(UTC)", "Field(default=timezone.now)", "time.time()", "from time import time",
        "timezone.localdate()", "models.DateTimeField(auto_now_add=True)",
    ):  # fmt: skip
        assert list(uses_of_host_clock(source)) == [1], source
    assert not list(uses_of_host_clock("timezone.localtime(database_now()); time.monotonic(); jobs.now"))
