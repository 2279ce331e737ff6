"""Valkey or Redis as kombu's transport, without an error of kombu that ends a worker when the broker is lost.

A worker that runs tasks at that moment closes its connection and puts their messages back, for which kombu asks the
closed connection for its address. The AttributeError is no lost connection to Celery, so the worker ended instead of
connecting again.
"""

from typing import Any

from kombu.transport import TRANSPORT_ALIASES, redis
from redis.exceptions import ConnectionError as NoConnectionError


class Channel(redis.Channel):
    """A channel whose closed connection is a lost one."""

    def _connparams(self, asynchronous: bool = False) -> dict[str, Any]:
        if self.connection.client is None:
            raise NoConnectionError("the connection to the broker is closed")
        parameters: dict[str, Any] = super()._connparams(asynchronous)
        return parameters


class Transport(redis.Transport):
    """kombu's transport for Redis with this module's channel."""

    Channel = Channel


def use_transport() -> None:
    """Let addresses with redis:// and rediss:// use this transport."""
    for scheme in ("redis", "rediss"):
        TRANSPORT_ALIASES[scheme] = f"{__name__}:Transport"
