"""A site of 0.7.1, upgraded once for all tests of a module."""

import os
from collections.abc import Iterator

import pytest

from tests.upgrade.upgraded import UpgradedSite


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[UpgradedSite]:
    site = UpgradedSite(tmp_path_factory.mktemp("upgraded"), f"upgraded_{os.getpid()}")
    try:
        site.start()
        yield site
    finally:
        site.stop()
