"""Truncate the tables after a test that commits.

Django's own flush takes several times as long: it truncates every table and creates content types and permissions.
"""

from functools import cache

from django.db import connection

FILLED_BY_MIGRATIONS = {"django_content_type", "auth_permission"}  # as migrating left them


def truncate_tables() -> None:
    """Truncate the tables that have rows."""
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(f"(SELECT '{name}' FROM \"{name}\" LIMIT 1)" for name in _tables()))
        if filled := [f'"{name}"' for (name,) in cursor.fetchall()]:
            cursor.execute("SELECT current_user")
            (role,) = cursor.fetchone()
            cursor.execute("RESET ROLE")  # the site's role may not truncate
            cursor.execute(f"TRUNCATE {', '.join(filled)} CASCADE")
            cursor.execute(f"SET ROLE {role}")


@cache
def _tables() -> list[str]:
    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    return sorted(set(names) - FILLED_BY_MIGRATIONS)
