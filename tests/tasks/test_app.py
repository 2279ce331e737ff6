"""The schedule of beat, and the queues of tasks."""

import subprocess
import sys

from django.conf import settings

from tasks.app import app


def test_beat_takes_up_stranded_jobs_within_a_minute_and_tidies_uploads_every_hour():
    seconds = {entry["task"]: entry["schedule"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert seconds["tasks.jobs.requeue_stale"] <= 60
    assert seconds["tasks.imports.tidy_uploads"] == 3600


def test_every_task_that_beat_sends_exists():
    app.loader.import_default_modules()
    assert {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()} <= set(app.tasks)


def test_long_jobs_have_a_queue_of_their_own_after_short_tasks():
    app.loader.import_default_modules()
    queues = {name: app.amqp.router.route({}, name)["queue"].name for name in app.tasks if name.startswith("tasks.")}
    long = {name for name, queue in queues.items() if queue == "long"}
    assert long >= {"tasks.imports.load_dataset", "tasks.exports.make_export", "tasks.reports.freeze_report"}
    assert queues["tasks.jobs.requeue_stale"] == queues["tasks.notifications.mail_notifications"] == "celery"
    assert list(app.amqp.queues) == ["celery", "long"]
    assert not [entry for entry in settings.CELERY_BEAT_SCHEDULE.values() if queues[entry["task"]] == "long"]


def test_metrics_and_traces_are_no_modules_of_tasks():
    assert not {"tasks.worker_metrics", "tasks.worker_tracing"} & set(app.conf.imports)


def test_beat_reads_the_schedule_without_djangos_applications():
    program = (
        "import sys; from tasks.beat import app; print(len(app.conf.beat_schedule), 'django.apps' in sys.modules,"
        " app.amqp.router.route({}, 'tasks.imports.load_dataset')['queue'].name)"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert shown.split() == [str(len(settings.CELERY_BEAT_SCHEDULE)), "False", "long"]
