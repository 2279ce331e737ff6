"""What beat does by itself."""

from django.conf import settings

from tasks.app import app


def test_beat_takes_up_stranded_jobs_within_a_minute_and_tidies_uploads_every_hour():
    seconds = {entry["task"]: entry["schedule"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert seconds["tasks.jobs.requeue_stale"] <= 60
    assert seconds["tasks.imports.tidy_uploads"] == 3600


def test_every_task_that_beat_sends_exists():
    app.loader.import_default_modules()
    assert {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()} <= set(app.tasks)
