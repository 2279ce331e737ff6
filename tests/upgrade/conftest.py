"""A site of 0.7.1 that was upgraded, for all tests of a module."""

import os
from collections.abc import Iterator

import pytest

from tests.upgrade.upgraded import UpgradedSite


@pytest.fixture(scope="module")
def upgraded() -> Iterator[UpgradedSite]:
    with UpgradedSite(f"upgraded_{os.getpid()}").running() as site:
        yield site
