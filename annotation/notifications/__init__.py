"""Notifications of a person: stored with the event, read on the site, and mailed if the person wants it."""

from .events import leads_of, notify
from .reading import mark_read, notifications_for

__all__ = ["leads_of", "mark_read", "notifications_for", "notify"]
