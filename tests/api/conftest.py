"""Programs with a token of the people of tests.cast, in the study june or in the seeded database."""

import pytest
from rest_framework.test import APIClient

from tests.api.clients import program


@pytest.fixture
def _study(request: pytest.FixtureRequest, _django_db_helper: None) -> None:
    if not request.node.get_closest_marker("seeded"):
        request.getfixturevalue("june")


@pytest.fixture
def lena(_study: None) -> APIClient:
    return program("lena")


@pytest.fixture
def ravi(_study: None) -> APIClient:
    return program("ravi")


@pytest.fixture
def ada(_django_db_helper: None) -> APIClient:
    return program("ada", admin=True)
