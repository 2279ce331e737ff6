"""Following the `make` that started us: when it ends, or was asked to, so do we.

Ctrl-C and a closed terminal reach the whole group, us included. But a signal sent to `make` alone stays there: GNU make
passes on SIGTERM only, and after SIGINT or SIGHUP waits, deaf, until its children end by themselves. On Linux its
signal mask shows that; elsewhere we notice its end only.
"""

import os
import signal
from pathlib import Path

ASKING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
FOLLOW = "FACTUARY_FOLLOW_PARENT"


class Parent:
    def __init__(self) -> None:
        self.pid = os.getppid() if os.environ.get(FOLLOW) else None
        self.listened_to = self._listens_to()

    def wants_us_to_stop(self) -> bool:
        """Return whether it has ended, or has taken a signal to end that it listened to before."""
        if self.pid is None:
            return False
        return os.getppid() != self.pid or bool(self.listened_to - self._listens_to())

    def _listens_to(self) -> set[signal.Signals]:
        """Return the signals it catches now; one that is being handled is blocked or back to its default."""
        try:
            lines = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii", errors="replace").splitlines()
        except OSError:
            return set()  # no /proc here: nothing is known at the start, so nothing is missed later
        masks = {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
        caught, blocked = int(masks["SigCgt"], 16), int(masks["SigBlk"], 16)
        return {number for number in ASKING if (caught & ~blocked) >> (number - 1) & 1}
