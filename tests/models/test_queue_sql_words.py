"""Words in the SQL itself, and other values as parameters."""

import pytest

from annotation.models import Rating
from annotation.models.queue import sql_word

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("role", [Rating.Role.GOLD, "gold"])
def test_a_role_is_in_the_statement(role: str) -> None:
    sql, params = Rating.objects.filter(role=role).values("pk").query.sql_with_params()
    assert sql.endswith(""""role" = 'gold'""")
    assert params == ()


def test_other_values_are_parameters_and_only_a_word_is_taken() -> None:
    for value in ("", "gold'; --", "two words", "%s"):
        rows = Rating.objects.filter(role=value).values("pk")
        assert rows.query.sql_with_params()[1] == (value,)
        assert list(rows) == []
    with pytest.raises(ValueError, match="two words"):
        sql_word("two words")
