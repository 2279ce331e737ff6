import os
import shutil
import signal
import subprocess
import sys

import psutil

from annotation.quickstart import data_folder as site_folder
from annotation.quickstart.postgres import MAX_SOCKET_PATH_LENGTH, _socket_folder
from annotation.quickstart.processes import RecordedProcess, read_record, started_after_boot, stop, stop_recorded
from annotation.site.quickstart_site import SiteFolder, folders_of_socket

STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); time.sleep(60)"


def record_of(child: subprocess.Popen, started_earlier: float = 0) -> RecordedProcess:
    started = started_after_boot(psutil.Process(child.pid)) - started_earlier
    return RecordedProcess("sleeper", child.pid, started, signal.SIGTERM, patience=0.3)


def test_a_stranger_with_the_same_number_is_left_alone():
    child = subprocess.Popen(["sleep", "60"])
    assert stop(record_of(child, started_earlier=60)) is False
    assert child.poll() is None
    assert stop(record_of(child)) is True
    assert child.wait(5) == -signal.SIGTERM


def test_a_child_is_recognized_after_the_clock_was_set(monkeypatch):
    child = subprocess.Popen(["sleep", "60"])
    recorded, later = record_of(child), psutil.boot_time() + 3600
    monkeypatch.setattr("psutil._psplatform.boot_time", lambda: later)
    assert stop(recorded) is True
    assert child.wait(5) == -signal.SIGTERM


def test_what_does_not_end_when_asked_is_killed():
    child = subprocess.Popen([sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE)
    child.stdout.readline()  # now it ignores SIGTERM
    stop(record_of(child))
    assert child.wait(5) == -signal.SIGKILL


def test_neither_a_record_cut_short_by_a_full_disk_nor_a_stale_postmaster_file_stops_a_start(tmp_path):
    record = tmp_path / "processes.json"
    record.write_text('[{"name": "web", "pid": 1')
    assert read_record(record) == []
    assert stop_recorded(record) == []
    # After a crash the number in it may belong to anybody: here to this test.
    (tmp_path / "postgres").mkdir()
    stale = tmp_path / "postgres" / "postmaster.pid"
    stale.write_text(f"{os.getpid()}\n{tmp_path}/postgres\n")
    assert site_folder.stop_left_processes(SiteFolder(tmp_path)) == []
    assert not stale.exists()


def test_a_long_path_gets_a_short_socket_folder(tmp_path):
    long = tmp_path / ("x" * MAX_SOCKET_PATH_LENGTH)
    short = _socket_folder(long)
    assert len(os.fsencode(short / ".s.PGSQL.5432")) <= MAX_SOCKET_PATH_LENGTH
    assert short.stat().st_mode & 0o777 == 0o700
    assert long.parent in folders_of_socket(short)
    shutil.rmtree(short)
