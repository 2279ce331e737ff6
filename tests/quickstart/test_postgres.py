import pytest
from django.db import connection


@pytest.mark.django_db
def test_tests_run_on_postgresql_18_as_a_role_that_is_no_superuser():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('server_version_num')::int / 10000, rolsuper FROM pg_roles "
            "WHERE rolname = current_user"
        )
        assert cursor.fetchone() == (18, False)
