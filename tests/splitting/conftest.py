import pytest

pytest.register_assert_rewrite("tests.splitting.marked_text")

from tests.splitting.marked_text import GOLD

# The gold responses are not ours to ship: their test is collected where they lie beside the checkout.
collect_ignore = [] if GOLD.exists() else ["test_gold.py"]
