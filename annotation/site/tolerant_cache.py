"""The cache in Valkey or Redis, which is empty and stores nothing while the server does not answer.

A site without its cache computes reports anew; nobody gets an error. Failed sign-ins are counted in the database.
"""

import json
import logging
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import ConnectionError as NoConnectionError
from redis.exceptions import TimeoutError as NoAnswerError

log = logging.getLogger(__name__)

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Method = Callable[Concatenate[Any, Arguments], Result]


def _tolerate(method: Method[Arguments, Result], result: Result) -> Method[Arguments, Result]:
    """Return the method with `result` in place of an error while the server does not answer."""

    @wraps(method)
    def tolerant(cache: Any, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        try:
            return method(cache, *args, **kwargs)
        except (NoConnectionError, NoAnswerError) as error:
            log.warning("cache: no answer (%s)", error)
            return result

    return tolerant


class PlainSerializer:
    """A serializer of Django's Redis cache: JSON, and bytes as they are. Reading cannot run code, as a pickle could."""

    bytes_begin = b"\0"  # no JSON does

    def dumps(self, value: object) -> bytes:
        """Return what is stored. Raises TypeError for what is neither bytes nor JSON. An integer is its digits."""
        return self.bytes_begin + value if isinstance(value, bytes) else json.dumps(value).encode()

    def loads(self, stored: bytes) -> object:
        is_bytes = stored.startswith(self.bytes_begin)
        return stored.removeprefix(self.bytes_begin) if is_bytes else json.loads(stored)


class TolerantRedisCache(RedisCache):
    """Django's cache of Redis. While the server does not answer, keys are missing and writes are lost."""

    add = _tolerate(RedisCache.add, result=True)
    set = _tolerate(RedisCache.set, result=None)
    touch = _tolerate(RedisCache.touch, result=False)
    delete = _tolerate(RedisCache.delete, result=False)
    has_key = _tolerate(RedisCache.has_key, result=False)
    get_many = _tolerate(RedisCache.get_many, result={})
    set_many = _tolerate(RedisCache.set_many, result=[])
    delete_many = _tolerate(RedisCache.delete_many, result=None)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        """Return the value, or the default if it is missing or the server does not answer."""
        return _tolerate(RedisCache.get, result=default)(self, key, default, version)

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        """Return the increased number. Raises ValueError if it is missing or the server does not answer."""
        number = _tolerate(RedisCache.incr, result=None)(self, key, delta, version)
        if number is None:
            raise ValueError(f"the cache has no number {key!r}")
        return int(number)

    def count(self, key: str, seconds: int) -> int | None:
        """Increase the number from 0 in one call, store it for `seconds`, and return it.

        None while the server does not answer.
        """
        return _increased(self, self.make_key(key), seconds)

    def delete_prefix(self, prefix: str) -> None:
        _delete_matching(self, f"{self.make_key(prefix)}*")


def _delete_all(cache: Any, pattern: str) -> None:
    client = cache._cache.get_client(None, write=True)
    for key in client.scan_iter(pattern):
        client.delete(key)


def _increase(cache: Any, key: str, seconds: int) -> int | None:
    with cache._cache.get_client(key, write=True).pipeline() as pipeline:
        number, _ = pipeline.incr(key).expire(key, seconds).execute()
    return int(number)


_increased = _tolerate(_increase, result=None)
_delete_matching = _tolerate(_delete_all, result=None)
