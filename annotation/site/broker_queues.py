"""The queues of the broker, in which tasks wait for a worker."""

import redis
from django.conf import settings


def queue_depths() -> dict[str, int]:
    """Return how many tasks wait in each queue. Raises redis.RedisError."""
    with redis.Redis.from_url(settings.CELERY_BROKER_URL, socket_timeout=2, socket_connect_timeout=2) as broker:
        return {name: broker.llen(name) for name in settings.CELERY_TASK_QUEUES}
