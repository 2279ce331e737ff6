import gc

import pytest

from annotation.site.garbage_collection import collector_paused


def test_the_collector_rests_within_the_block_and_goes_on_after_an_error_but_stays_off_where_it_was_off() -> None:
    with pytest.raises(KeyError), collector_paused():
        assert not gc.isenabled()
        raise KeyError
    assert gc.isenabled()
    gc.disable()
    with collector_paused():
        pass
    was_enabled = gc.isenabled()
    gc.enable()
    assert not was_enabled
