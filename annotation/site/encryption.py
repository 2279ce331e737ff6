"""Encryption of secrets at rest with keys derived from SECRET_KEY, so a copy of the database lacks them."""

import base64
import hashlib

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings


def cipher(purpose: str) -> MultiFernet:
    """Return the cipher for secrets of one purpose. SECRET_KEY_FALLBACKS still decrypt."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = (hashlib.sha256(f"factuary.{purpose}:{key!s}".encode()).digest() for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
