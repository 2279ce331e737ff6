import pytest
from django.db import connection

from annotation.models import AuditEvent
from annotation.site.database_transactions import ANALYZE_ABOVE, analyze_after

pytestmark = pytest.mark.django_db
ACTION = "counted by statistics"


def is_analyzed() -> bool:
    """Return whether the statistics of audit events name ACTION as a frequent value."""
    query = "SELECT most_common_vals::text FROM pg_stats WHERE tablename = %s AND attname = 'action'"
    rows = connection.cursor().execute(query, [AuditEvent._meta.db_table]).fetchall()
    return any(ACTION in (values or "") for (values,) in rows)


@pytest.fixture(autouse=True)
def _events():
    AuditEvent.objects.bulk_create(AuditEvent(action=ACTION, target="nothing") for _ in range(10))


@pytest.mark.parametrize("changed", [ANALYZE_ABOVE, ANALYZE_ABOVE + 1])
def test_tables_are_analyzed_after_many_changes_only(changed):
    analyze_after(changed, AuditEvent)
    assert is_analyzed() is (changed > ANALYZE_ABOVE)


@pytest.mark.usefixtures("as_owner")
def test_a_role_without_the_right_continues_without_statistics(settings):
    role = settings.SITE_DATABASE_ROLE
    connection.cursor().execute(f"REVOKE MAINTAIN ON annotation_auditevent FROM {role}; SET ROLE {role}")
    analyze_after(ANALYZE_ABOVE + 1, AuditEvent)
    assert not is_analyzed()
