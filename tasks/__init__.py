"""Celery jobs: ids in, one call to a room, a line in the log. No logic lives here."""

from tasks.app import app

__all__ = ["app"]
