"""The time limit of statements, which is the web server's and short (gunicorn.conf.py): raters' requests need no more.

A transaction of a lead that computes figures or changes a whole project gets a longer one. It ends with the
transaction, so the next request has the short one, also where PgBouncer gives the connection to another client.
"""

from django.db import connection

LEADS_LIMIT = "30s"
_LENGTHEN = """
    SELECT set_config('statement_timeout', %(limit)s, true)
    WHERE current_setting('statement_timeout')::interval > interval '0'
        AND current_setting('statement_timeout')::interval < %(limit)s::interval
"""


def lengthen_statement_limit() -> None:
    """Give the following statements of this transaction LEADS_LIMIT, unless they have a longer limit or none."""
    with connection.cursor() as cursor:
        cursor.execute(_LENGTHEN, {"limit": LEADS_LIMIT})
