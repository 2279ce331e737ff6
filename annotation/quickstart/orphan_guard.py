"""Waits until its parent is gone, then stops the children that the parent had written down.

A parent that stops in order removes the record first, and there is nothing left to do. After `kill -9` this
is what keeps the promise that no process stays behind.
"""

import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from annotation.quickstart.processes import stop_recorded


def wait_and_stop(record: Path) -> None:
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)
    while os.read(sys.stdin.fileno(), 1024):
        pass
    stop_recorded(record)


if __name__ == "__main__":
    wait_and_stop(Path(sys.argv[1]))
