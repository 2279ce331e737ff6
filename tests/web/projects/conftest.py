"""A project that runs, and who looks at it: Lena who leads it, Ada the admin."""

import pytest

from tests.cast import person, study


@pytest.fixture
def june():
    return study("june", prompts=3, systems=("heron", "plover"), sentences=2)


@pytest.fixture
def lena(client, june):
    client.force_login(june.people["lena"])
    return client


@pytest.fixture
def ada(client):
    client.force_login(person("ada", admin=True))
    return client
