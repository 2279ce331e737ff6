import subprocess
import sys

import pytest
from django.conf import settings

from tasks.app import app
from tasks.jobs import JOBS
from tests.conftest import CODE

SCHEDULE = {entry["task"]: entry["schedule"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}


@pytest.fixture(autouse=True)
def _tasks() -> None:
    app.loader.import_default_modules()


def test_beat_takes_up_stranded_jobs_within_a_minute_and_deletes_old_files_every_hour():
    assert SCHEDULE["tasks.jobs.requeue_stale"] <= 60
    assert SCHEDULE["tasks.schedule.tidy_uploads"] == SCHEDULE["tasks.schedule.tidy_exports"] == 3600


def test_every_task_that_beat_sends_and_that_of_every_kind_of_job_exists():
    assert {*SCHEDULE, *(name for name, _work in JOBS.values())} <= set(app.tasks)


def test_long_jobs_have_a_queue_of_their_own_after_short_tasks():
    queues = {name: app.amqp.router.route({}, name)["queue"].name for name in app.tasks if name.startswith("tasks.")}
    long = {name for name, queue in queues.items() if queue == "long"}
    assert long >= {"tasks.imports.load_dataset", "tasks.exports.make_export", "tasks.reports.freeze_report"}
    assert queues["tasks.jobs.requeue_stale"] == queues["tasks.schedule.mail_notifications"] == "celery"
    assert list(app.amqp.queues) == ["celery", "long"]
    assert not long & set(SCHEDULE)


def test_beat_reads_the_schedule_without_djangos_applications_and_celerys_command_line():
    program = (
        "import sys, tasks.__main__; from tasks.beat import app; print(len(app.conf.beat_schedule),"
        " app.amqp.router.route({}, 'tasks.imports.load_dataset')['queue'].name,"
        " [name for name in ('django.apps', 'click_repl') if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=CODE).stdout
    assert shown == f"{len(SCHEDULE)} long []\n"
