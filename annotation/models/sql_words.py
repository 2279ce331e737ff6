"""Words of the program in SQL itself, not as parameters."""

from typing import Any

from django.db.models import CharField, Func
from django.db.models.lookups import Exact


def sql_word(word: str) -> Func:
    """Return a word, such as a role, for a condition: a generic plan, one for all parameters, then knows how rare its
    rows are, and may use a partial index. Raises ValueError for anything but a word.
    """
    if not word.isidentifier():
        raise ValueError(word)
    return Func(template=f"'{word}'", output_field=CharField())


class IsWord(Exact):
    """Replaces "exact" of the field on which it is registered: `role="rater"` writes the word into the SQL, as
    `sql_word` does. Anything but one word stays a parameter.
    """

    def process_rhs(self, compiler: Any, connection: Any) -> tuple[str, tuple[str | int, ...]]:
        sql, params = super().process_rhs(compiler, connection)
        return (f"'{params[0]}'", ()) if sql == "%s" and str(params[0]).isidentifier() else (sql, params)
