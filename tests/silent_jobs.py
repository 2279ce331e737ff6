"""Jobs whose worker has stopped."""

from datetime import timedelta

from django.utils import timezone

from annotation.models import Job


def silent(job: Job, seconds: int = 60) -> None:
    Job.objects.filter(pk=job.pk).update(heartbeat_at=timezone.now() - timedelta(seconds=seconds))
