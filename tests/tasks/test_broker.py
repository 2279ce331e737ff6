"""A worker that loses its broker in the middle of a task connects again: kombu's own transport ends it."""

import pytest

from tasks.app import app
from tasks.broker import Transport


def test_a_channel_of_a_closed_connection_has_lost_its_connection(valkey):
    connection = app.connection_for_read(valkey)
    channel = connection.channel()
    transport = channel.connection
    assert isinstance(transport, Transport)
    channel._pool, channel._async_pool, transport.client = None, None, None
    with pytest.raises(transport.connection_errors, match="the connection to the broker is closed"):
        channel._create_client()
