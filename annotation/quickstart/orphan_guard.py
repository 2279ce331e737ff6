"""Waits until its parent has ended, then stops the children in the parent's record.

A parent that stops normally removes the record first, so nothing is left to do. After `kill -9` this ensures that no
process remains.
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
