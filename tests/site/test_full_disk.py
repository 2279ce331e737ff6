import errno

import pytest
from django.db import OperationalError
from psycopg.errors import AdminShutdown, DiskFull

from annotation import jobs
from annotation.site.full_disk import is_full_database_disk, is_full_disk


def caused_by(cause: Exception, error: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_found_among_the_causes_of_an_error(number):
    assert is_full_disk(caused_by(OSError(number, "full"), ValueError("not written")))
    assert not is_full_database_disk(OSError(number, "full"))


@pytest.mark.parametrize(("cause", "full"), [(DiskFull("full"), True), (AdminShutdown("ended"), False)])
def test_the_full_disk_of_the_database_is_another_one(cause, full):
    error = caused_by(cause, OperationalError(str(cause)))
    assert (is_full_disk(error), is_full_database_disk(error)) == (False, full)


def test_other_errors_are_no_full_disk():
    assert not is_full_disk(OSError(errno.EACCES, "no access"))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(errno.ENOSPC, "full"), "The disk is full"),
        (caused_by(DiskFull("full"), OperationalError("full")), "The disk of the database is full"),
        (OSError(errno.EACCES, "no access"), "The program failed"),
    ],
)
def test_a_job_says_which_disk_is_full(error, message):
    def work(job, progress):
        raise error

    job = jobs.create("count")
    jobs.run(job.pk, work)
    job.refresh_from_db()
    assert job.problems[0].startswith(message)
