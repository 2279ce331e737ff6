"""Words in the SQL itself, and other values as parameters."""

import pytest

from annotation.models import Rating
from annotation.models.sql_words import sql_word

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("condition", [{"role": Rating.Role.GOLD}, {"role": "gold"}])
def test_a_role_is_in_the_statement(condition: dict[str, object]) -> None:
    sql, params = Rating.objects.filter(**condition).values("pk").query.sql_with_params()
    assert sql.endswith(""""role" = 'gold'""")
    assert params == ()


@pytest.mark.parametrize("value", ["", "gold'; --", "two words", "%s"])
def test_other_values_are_parameters(value: str) -> None:
    rows = Rating.objects.filter(role=value).values("pk")
    assert rows.query.sql_with_params()[1] == (value,)
    assert list(rows) == []


def test_only_a_word_is_taken() -> None:
    with pytest.raises(ValueError, match="two words"):
        sql_word("two words")
