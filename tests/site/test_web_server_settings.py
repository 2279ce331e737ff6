"""The settings of the web server's processes in gunicorn.conf.py."""

import os
import runpy
from pathlib import Path
from unittest import mock

import pytest
from django.db import connection

SETTINGS = Path(__file__).parents[2] / "gunicorn.conf.py"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("options", "expected"), [(None, "30s"), ("-c statement_timeout=5s", "5s")])
def test_statements_of_requests_have_a_limit(options, expected):
    with mock.patch.dict(os.environ, {"PGOPTIONS": options} if options else {}):
        if options is None:
            os.environ.pop("PGOPTIONS", None)
        runpy.run_path(str(SETTINGS))
        connection.close()
        with connection.cursor() as cursor:
            cursor.execute("SHOW statement_timeout")
            assert cursor.fetchone() == (expected,)
    connection.close()
