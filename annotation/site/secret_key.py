"""The site's secret, which signs and keys data, and encryption of secrets at rest with keys derived from it."""

import base64
import hashlib
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet


def secret_key() -> str:
    """Return SECRET_KEY; "" for a command with only a database. (Django raises for an empty setting.)"""
    try:
        return settings.SECRET_KEY
    except ImproperlyConfigured:
        return ""


def cipher(purpose: str) -> "MultiFernet":
    """Return the cipher for secrets of one purpose: a copy of the database lacks them. SECRET_KEY_FALLBACKS decrypt."""
    from cryptography.fernet import Fernet, MultiFernet  # most commands need no cipher

    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = (hashlib.sha256(f"factuary.{purpose}:{key!s}".encode()).digest() for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
