"""Webhooks: other programs are told of the events of a project, signed as Standard Webhooks describes.

Functions that change data store an event with `queue_event` in their own transaction, next to `audit.record`. A worker
sends what is stored until the receiver accepts it, always under the same id.
"""

from .events import queue_event, queue_finished_project, queue_finished_response

__all__ = ["queue_event", "queue_finished_project", "queue_finished_response"]
