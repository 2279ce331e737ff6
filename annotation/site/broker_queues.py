"""The queues of the broker, in which tasks wait for a worker."""

import redis
from django.conf import settings


def queue_names() -> list[str]:
    """Return the names of the worker's queues."""
    routes = getattr(settings, "CELERY_TASK_ROUTES", {}).values()
    named = {route["queue"] for route in routes if "queue" in route}
    return sorted({getattr(settings, "CELERY_TASK_DEFAULT_QUEUE", "celery"), *named})


def queue_depths() -> dict[str, int]:
    """Return how many tasks wait in each queue. Raises redis.RedisError."""
    with redis.Redis.from_url(settings.CELERY_BROKER_URL, socket_timeout=2, socket_connect_timeout=2) as broker:
        return {name: broker.llen(name) for name in queue_names()}
