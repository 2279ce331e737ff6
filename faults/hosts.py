"""Hosts: network namespaces with addresses of their own on one bridge. To make them, the user must be root."""

import select
import socket
import socketserver
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle

NETWORK = "10.213.77"
BRIDGE = "factuary0"
BRIDGE_ADDRESS = f"{NETWORK}.1"
CHECK_SECONDS, CONNECT_SECONDS = 0.5, 1.0


class CannotMakeHostsError(Exception):
    """No namespace can be made here. The message says what is needed."""


class Host:
    """A network namespace with one address."""

    def __init__(self, name: str, number: int) -> None:
        self.name, self.address = f"factuary-{name}", f"{NETWORK}.{10 + number}"
        self._cable = f"factuary{number + 1}"

    def command(self, command: list[str]) -> list[str]:
        """Return the command that runs another one on this host."""
        return ["ip", "netns", "exec", self.name, *command]

    def make(self) -> None:
        _ip("netns", "add", self.name)
        _ip("link", "add", self._cable, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        _ip("link", "set", self._cable, "master", BRIDGE, "up")
        for words in (
            ("addr", "add", f"{self.address}/24", "dev", "eth0"),
            ("link", "set", "eth0", "up"),
            ("link", "set", "lo", "up"),
        ):
            _ip("-n", self.name, *words)

    def disconnect(self) -> None:
        """Take the cable out: nobody is told that connections have ended, as when a host loses its power."""
        _ip("link", "set", self._cable, "down")

    def remove(self) -> None:
        for words in (("netns", "del", self.name), ("link", "del", self._cable)):
            with suppress(CannotMakeHostsError):
                _ip(*words)


@contextmanager
def hosts(*names: str) -> Iterator[list[Host]]:
    """Make hosts beside this one, which has BRIDGE_ADDRESS. Raises CannotMakeHostsError."""
    new_hosts = [Host(name, number) for number, name in enumerate(names)]
    try:
        _ip("link", "add", BRIDGE, "type", "bridge")
        _ip("addr", "add", f"{BRIDGE_ADDRESS}/24", "dev", BRIDGE)
        _ip("link", "set", BRIDGE, "up")
        for host in new_hosts:
            host.make()
        yield new_hosts
    finally:
        for host in new_hosts:
            host.remove()
        with suppress(CannotMakeHostsError):
            _ip("link", "del", BRIDGE)


def _ip(*words: str) -> None:
    try:
        done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise CannotMakeHostsError("the program ip is missing: install iproute2") from None
    if done.returncode:
        raise CannotMakeHostsError(f"ip {' '.join(words)}: {done.stderr.strip()} (this needs root)")


class Proxy(socketserver.ThreadingTCPServer):
    """Passes connections on to web servers in turn; those of a server that no longer answers are closed."""

    allow_reuse_address = daemon_threads = True

    def __init__(self, port: int, servers: list[tuple[str, int]]) -> None:
        super().__init__(("127.0.0.1", port), _Connection)
        self.answering = dict.fromkeys(servers, True)
        self._turns, self._turn, self._ending = cycle(servers), threading.Lock(), threading.Event()
        for target in (self.serve_forever, self._check):
            threading.Thread(target=target, daemon=True).start()

    def next_server(self) -> tuple[str, int]:
        """Return the server whose turn it is; one that does not answer is left out if another does."""
        with self._turn:
            candidates = [next(self._turns) for _ in self.answering]
        return next((server for server in candidates if self.answering[server]), candidates[0])

    def _check(self) -> None:
        while not self._ending.wait(CHECK_SECONDS):
            for server in self.answering:
                try:
                    socket.create_connection(server, timeout=CONNECT_SECONDS).close()
                    self.answering[server] = True
                except OSError:
                    self.answering[server] = False

    def end(self) -> None:
        self._ending.set()
        self.shutdown()
        self.server_close()


class _Connection(socketserver.BaseRequestHandler):
    server: Proxy

    def handle(self) -> None:
        server = self.server.next_server()
        with suppress(OSError), socket.create_connection(server, timeout=CONNECT_SECONDS) as behind:
            ends = {self.request: behind, behind: self.request}
            while self.server.answering[server]:
                readable, _, _ = select.select(list(ends), [], [], CHECK_SECONDS)
                for end in readable:
                    data = end.recv(65536)
                    if not data:
                        return
                    ends[end].sendall(data)
