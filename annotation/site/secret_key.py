"""The site's secret, for what is signed or keyed with it."""

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


def secret_key() -> str:
    """SECRET_KEY; empty for a command that was told of a database only. (Django raises where the setting is empty.)"""
    try:
        return settings.SECRET_KEY
    except ImproperlyConfigured:
        return ""
