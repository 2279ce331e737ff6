"""Two checks for a supervisor: does the process answer, and can it serve a rater now?"""

import logging
from collections.abc import Callable

import redis
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from .disk_space import has_space

log = logging.getLogger(__name__)


@login_not_required
@require_safe
def live(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


@login_not_required
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """Return 200 if the database answers, else 503; the reason is logged, not returned.

    Without the broker the site is `degraded`: rating goes on, jobs wait, and nothing is cached. It is degraded too if
    less space than for one upload (MAX_UPLOAD_MB) is free.
    """
    answers = {"database": _answers(ask_database), "broker": _answers(ask_broker)}
    space = has_space()
    status = "down" if not answers["database"] else "ok" if space and answers["broker"] else "degraded"
    body = {"status": status} | {name: "ok" if ok else "no answer" for name, ok in answers.items()}
    body["disk"] = "ok" if space else "almost full"
    return JsonResponse(body, status=200 if answers["database"] else 503)


def _answers(ask: Callable[[], object]) -> bool:
    try:
        ask()
    except Exception:
        log.exception("not ready")
        return False
    return True


def ask_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def ask_broker() -> None:
    with redis.Redis.from_url(settings.CELERY_BROKER_URL, socket_timeout=2, socket_connect_timeout=2) as broker:
        broker.ping()
