"""The site's secret, which signs and keys data."""

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


def secret_key() -> str:
    """Return SECRET_KEY; empty for a command that has a database only. (Django raises for an empty setting.)"""
    try:
        return settings.SECRET_KEY
    except ImproperlyConfigured:
        return ""
