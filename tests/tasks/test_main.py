"""`python -m tasks` starts beat and the worker, which end with status 0 when asked to. Other tests run the worker."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tasks.__main__ import main
from tasks.app import app
from tests.conftest import CODE


@pytest.mark.parametrize(
    ("arguments", "level", "is_started"),
    [
        (["beat"], "INFO", lambda log: "beat: Starting" in log),
        (["worker", "--hostname", "worker@main"], "ERROR", lambda log: app.control.ping(destination=["worker@main"])),
    ],
)
def test_a_program_runs_until_it_is_asked_to_stop_and_logs_from_the_level_of_the_site(
    arguments: list[str], level: str, is_started: Callable, valkey: str, tmp_path: Path, wait_until: Callable[..., None]
) -> None:
    log, environment = tmp_path / "log", os.environ | {"LOG_LEVEL": level}
    with log.open("w") as output:
        command = [sys.executable, "-m", "tasks", *arguments]
        program = subprocess.Popen(command, cwd=CODE, env=environment, stdout=output, stderr=output)
    try:
        wait_until(lambda: is_started(log.read_text()))
    finally:
        program.send_signal(signal.SIGTERM)
    assert program.wait(timeout=20) == 0, log.read_text()
    if level == "ERROR":
        assert "INFO" not in log.read_text() and " ready." not in log.read_text()


def test_another_name_is_refused_with_the_names_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["clock"])
    assert ended.value.code == 2
    assert "'worker', 'beat'" in capsys.readouterr().err
