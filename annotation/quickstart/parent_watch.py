"""Watch the `make` process that started the site: the site stops when `make` ends or receives a signal to end.

Ctrl-C and a closed terminal reach the whole process group. But a signal sent to `make` alone does not: GNU make passes
on SIGTERM only, and after SIGINT or SIGHUP waits until its children end. On Linux its signal mask shows that; elsewhere
only its end is noticed.
"""

import os
import signal
from pathlib import Path

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
FOLLOW = "FACTUARY_FOLLOW_PARENT"


class Parent:
    def __init__(self) -> None:
        self.pid = os.getppid() if os.environ.get(FOLLOW) else None
        self.listened_to = self._listens_to()

    def should_stop(self) -> bool:
        """Return whether the parent has ended, or has received a signal to end that it caught at the start."""
        if self.pid is None:
            return False
        return os.getppid() != self.pid or bool(self.listened_to - self._listens_to())

    def _listens_to(self) -> set[signal.Signals]:
        """Return the signals that the process catches now; one being handled is blocked or reset to its default."""
        try:
            lines = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii", errors="replace").splitlines()
        except OSError:
            return set()  # no /proc on this system: nothing is known at the start, so nothing is missed later
        masks = {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
        caught, blocked = int(masks["SigCgt"], 16), int(masks["SigBlk"], 16)
        return {number for number in STOP_SIGNALS if (caught & ~blocked) >> (number - 1) & 1}
