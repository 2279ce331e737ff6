"""The bell in the top bar, for base.html."""

from typing import Any

from django import template
from django.template import Context

from ..notifications.reading import unread

register = template.Library()


@register.inclusion_tag("parts/notification_bell.html", takes_context=True)
def notification_bell(context: Context) -> dict[str, Any]:
    """Return the number of the user's unread notifications. One query."""
    return {"unread": unread(context["request"].user).count()}
