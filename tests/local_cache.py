"""The cache of the tests: in memory, with the methods of TolerantRedisCache that limits need."""

from django.core.cache.backends.locmem import LocMemCache


class LocalCache(LocMemCache):
    """A cache in the memory of one process."""

    def count(self, key: str, seconds: int) -> int:
        """Increase the number from 0, and return it."""
        self.add(key, 0, seconds)
        return self.incr(key)

    def delete_prefix(self, prefix: str) -> None:
        """Delete all keys that start with `prefix`."""
        for key in [key for key in self._cache if key.startswith(self.make_key(prefix))]:
            del self._cache[key], self._expire_info[key]
