"""Cookies in templates."""

from django import template
from django.conf import settings
from django.http import HttpRequest

register = template.Library()


@register.filter
def theme(request: HttpRequest | None) -> str:
    """Return the chosen theme, light or dark; "" without a choice, and on an error page without a request."""
    return request.COOKIES.get(f"{settings.COOKIE_PREFIX}factuary_theme", "") if request else ""
