import errno

import pytest
from django.db import OperationalError
from psycopg.errors import AdminShutdown, DiskFull

from annotation import jobs
from annotation.site.disk_space import is_full_database_disk, is_full_disk


def caused_by(cause: Exception, error: Exception) -> Exception:
    error.__cause__ = cause
    return error


FULL = "The disk is full"
FULL_DATABASE = "The disk of the database is full"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(errno.ENOSPC, "full"), FULL),
        (OSError(errno.EDQUOT, "full"), FULL),
        (caused_by(OSError(errno.ENOSPC, "full"), ValueError("not written")), FULL),
        (caused_by(DiskFull("full"), OperationalError("full")), FULL_DATABASE),
        (caused_by(AdminShutdown("ended"), OperationalError("ended")), "The program failed"),
        (OSError(errno.EACCES, "no access"), "The program failed"),
    ],
)
def test_a_full_disk_is_found_among_the_causes_of_an_error_and_a_job_says_which(error, message):
    def work(job, progress):
        raise error

    assert (is_full_disk(error), is_full_database_disk(error)) == (message == FULL, message == FULL_DATABASE)
    job = jobs.create("count")
    jobs.run(job.pk, work)
    job.refresh_from_db()
    assert job.problems[0].startswith(message)
