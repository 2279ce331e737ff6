"""Let a failed comparison in the shared helper show both texts."""

import pytest

pytest.register_assert_rewrite("tests.splitting.marked_text")
