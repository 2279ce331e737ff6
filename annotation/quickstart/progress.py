"""Progress of the start and stop of the site: a spinner in a terminal, plain lines elsewhere."""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.status import Status


class Progress:
    """Lines on standard output. A closed terminal must not interrupt stopping, so nothing here raises."""

    def __init__(self) -> None:
        self.console = Console(highlight=False, soft_wrap=True)
        self.status: Status | None = None

    def print_line(self, line: str) -> None:
        with self._ignore_closed_terminal():
            self.console.print(line, markup=False)

    def error(self, line: str) -> None:
        with self._ignore_closed_terminal():
            print(f"error: {line}", file=sys.stderr, flush=True)

    @contextlib.contextmanager
    def step(self, name: str) -> Iterator[Callable[[str], None]]:
        """Show a running step, then its duration; the step may call the yielded function to add details."""
        began = time.monotonic()
        self._show_spinner(name)
        try:
            yield lambda detail: self._show_spinner(f"{name}: {detail}")
        finally:
            self._hide_spinner()
        mark = "✓ " if self.console.is_terminal else ""
        self.print_line(f"{mark}{name} ({time.monotonic() - began:.1f} s)")

    def _show_spinner(self, text: str) -> None:
        if not self.console.is_terminal:
            return
        with self._ignore_closed_terminal():
            if self.status is None:
                self.status = self.console.status(text)
                self.status.start()
            else:
                self.status.update(text)

    def _hide_spinner(self) -> None:
        if self.status is not None:
            with self._ignore_closed_terminal():
                self.status.stop()
            self.status = None

    @contextlib.contextmanager
    def _ignore_closed_terminal(self) -> Iterator[None]:
        try:
            yield
            sys.stdout.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            for stream in (1, 2):
                os.dup2(nowhere, stream)
