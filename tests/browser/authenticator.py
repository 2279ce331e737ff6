"""An authenticator app."""

import base64
import hashlib
import hmac
import struct
import time


def code_of(secret: str, steps: int = 0) -> str:
    """Return the six digits of RFC 6238 for a secret in base 32, `steps` of 30 s from now."""
    counter = struct.pack(">Q", int(time.time()) // 30 + steps)
    digest = hmac.digest(base64.b32decode(secret), counter, hashlib.sha1)
    start = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[start : start + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"
