"""Rights of the site's role in the database: the least with which web server, worker and beat work.

The role that runs the migrations owns the tables. The site's role reads and writes rows, and analyzes tables. It can
neither empty tables, turn off triggers nor change the structure, and audit events it can only add and read. Functions
of the owner erase a person's names and old network codes in them; the site's role may call these.
"""

from django.conf import settings
from django.db import connection
from psycopg import sql

APPEND_ONLY = "annotation_auditevent"
READ_ONLY = "django_migrations"
FUNCTIONS = ("annotation_erase_names_in_audit", "annotation_delete_network_codes")
"""Functions that change audit events with the rights of their owner, each in one narrow way."""
MAINTAIN_SINCE = 170_000
"""The first server version in which a role that is not the owner can be given this right."""
_RIGHTS = """
    REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role};
    GRANT USAGE ON SCHEMA public TO {role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role};
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role};
    REVOKE UPDATE, DELETE ON {append_only} FROM {role};
    REVOKE INSERT, UPDATE, DELETE ON {read_only} FROM {role};
"""
_RIGHT_TO_CALL = "REVOKE ALL ON FUNCTION {function} FROM PUBLIC; GRANT EXECUTE ON FUNCTION {function} TO {role}"


def grant_rights(role: str) -> None:
    """Give `role` the rights of a site on all tables, and no others. Run by their owner, after the migrations.

    Raises ProgrammingError if there is no such role.
    """
    names = {"role": role, "append_only": APPEND_ONLY, "read_only": READ_ONLY}
    identifiers = {name: sql.Identifier(value) for name, value in names.items()}
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL(_RIGHTS).format(**identifiers))
        for function in FUNCTIONS:
            cursor.execute("SELECT to_regproc(%s) IS NOT NULL", [function])
            if cursor.fetchone()[0]:  # not after a migration back to a version without it
                name = sql.Identifier(function)
                cursor.execute(sql.SQL(_RIGHT_TO_CALL).format(function=name, role=identifiers["role"]))
        cursor.execute("SELECT current_setting('server_version_num')::int")
        if cursor.fetchone()[0] >= MAINTAIN_SINCE:  # for ANALYZE; before, autovacuum analyzes a minute later
            cursor.execute(sql.SQL("GRANT MAINTAIN ON ALL TABLES IN SCHEMA public TO {}").format(sql.Identifier(role)))


def grant_rights_after_migrations(**_signal: object) -> None:
    """Give the role `SITE_DATABASE_ROLE` its rights on the tables of new migrations too."""
    if settings.SITE_DATABASE_ROLE:
        grant_rights(settings.SITE_DATABASE_ROLE)


def owns_tables() -> bool:
    """Return whether the role of this process may do everything with the tables."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_has_role(current_user, relowner, 'USAGE') FROM pg_class WHERE oid = %s::regclass", [APPEND_ONLY]
        )
        (owns,) = cursor.fetchone()
    return bool(owns)
