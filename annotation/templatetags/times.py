"""Times: `{{ active_at|ago }}` -> 3 hours ago, 1 day ago."""

from datetime import datetime, timedelta

from django import template
from django.contrib.humanize.templatetags.humanize import NaturalTimeFormatter, naturaltime
from django.utils import timezone
from django.utils.timesince import timesince

register = template.Library()


@register.filter
def ago(moment: datetime | None) -> str:
    """Return how long ago a past moment was, in one unit."""
    now = timezone.now()
    if moment is None:
        return ""
    if now - moment < timedelta(days=1):
        return str(naturaltime(moment))
    words = NaturalTimeFormatter.time_strings["past-day"]
    return words % {"delta": timesince(moment, now, time_strings=NaturalTimeFormatter.past_substrings, depth=1)}
