"""The number beside the bell, for base.html and the workspace."""

from django import template
from django.template import Context

from ..notifications.reading import unread

register = template.Library()


@register.simple_tag(takes_context=True)
def unread_notifications(context: Context) -> int:
    """Return the number of the user's unread notifications. One query."""
    return unread(context["request"].user).count()
