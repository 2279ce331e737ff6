"""Secrets and signatures as Standard Webhooks 1.0 describes: https://www.standardwebhooks.com."""

import base64
import hashlib
import hmac
import secrets

PREFIX = "whsec_"
SECRET_BYTES = 32
"""The specification asks for 24 to 64."""


def new_secret() -> str:
    """Return a new random secret."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def signed_headers(secret: str, delivery_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the headers of a request with this body. `timestamp`: of this attempt, in seconds since 1970."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signature = hmac.digest(key, f"{delivery_id}.{timestamp}.".encode() + body, hashlib.sha256)
    return {
        "webhook-id": delivery_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{base64.b64encode(signature).decode()}",
    }
