"""How values are written to the cache: JSON, and bytes as they are. Reading one cannot run code, as a pickle could."""

import json

BYTES = b"\0"
"""What bytes begin with in the cache; no JSON does."""


class PlainSerializer:
    """A serializer of Django's Redis cache."""

    def dumps(self, value: object) -> bytes:
        """Return what is stored. Raises TypeError for what is neither bytes nor JSON. An integer is its digits."""
        return BYTES + value if isinstance(value, bytes) else json.dumps(value).encode()

    def loads(self, stored: bytes) -> object:
        """Return the value."""
        return stored.removeprefix(BYTES) if stored.startswith(BYTES) else json.loads(stored)
