"""Rights of the site's role. All tests run as a role that `grant_rights` gave its rights (tests/conftest.py)."""

import pytest
from django.db import ProgrammingError, connection, transaction

from annotation.doctor import services
from annotation.models import AuditEvent
from annotation.site.database_rights import owns_tables

pytestmark = pytest.mark.django_db


def test_the_role_of_the_site_adds_and_reads_audit_events_and_may_neither_change_them_nor_tables():
    AuditEvent.objects.create(action="test", target="nothing")
    for statement in (
        "DELETE FROM annotation_auditevent",
        "UPDATE annotation_auditevent SET action = 'other'",
        "TRUNCATE annotation_auditevent",
        "TRUNCATE annotation_rating CASCADE",
        "ALTER TABLE annotation_auditevent DISABLE TRIGGER ALL",
        "ALTER TABLE annotation_rating ADD COLUMN extra int",
        "DROP TABLE annotation_rating CASCADE",
        "CREATE TABLE extra (id int)",
        "DELETE FROM django_migrations",
        "SET session_replication_role = 'replica'",
    ):
        with pytest.raises(ProgrammingError, match=r"permission denied|must be owner"), transaction.atomic():
            connection.cursor().execute(statement)
    assert AuditEvent.objects.get().action == "test"


def test_doctor_accepts_the_role_of_the_site_and_warns_of_the_owner(settings, request):
    settings.LOOPBACK_ONLY = False
    assert services.rights_finding().state == "ok"
    request.getfixturevalue("as_owner")
    assert owns_tables()
    assert services.rights_finding().state == "warning"
