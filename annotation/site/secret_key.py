"""The site's secret, which signs and keys data."""

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


def secret_key() -> str:
    """Return SECRET_KEY; "" for a command with only a database. (Django raises for an empty setting.)"""
    try:
        return settings.SECRET_KEY
    except ImproperlyConfigured:
        return ""
