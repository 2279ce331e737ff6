"""The search for cyclic garbage is paused for a block, and goes on after it."""

import gc

import pytest

from annotation.site.garbage_collection import collector_paused


def test_the_collector_rests_within_the_block_and_goes_on_after_an_error() -> None:
    with pytest.raises(KeyError), collector_paused():
        assert not gc.isenabled()
        raise KeyError
    assert gc.isenabled()


def test_a_collector_that_is_off_stays_off() -> None:
    gc.disable()
    try:
        with collector_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
