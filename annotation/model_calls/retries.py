"""When a request is sent again: overload, errors of the server and lost answers, with growing pauses."""

from random import SystemRandom

from .replies import Reply

ATTEMPTS = 8
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 60.0  # seconds
LONGEST_RETRY_AFTER = 300.0  # seconds
_RETRIED = (408, 409, 429)
NO_ACCESS_STATUSES = (401, 402, 403, 404)
"""Every request will get these statuses, because of the key, payment or address: the run ends."""
_random = SystemRandom()


def is_retriable(reply: Reply) -> bool:
    """Return whether the same request may succeed later."""
    status = reply.http_status
    if reply.is_final:
        return False
    return status is None or status in _RETRIED or status >= 500 or status < 400


def pause(attempt: int, reply: Reply) -> float:
    """Return the seconds until the next attempt after this one (from 1): what Retry-After asks for, else a time that
    doubles, at random between its half and its whole, so that requests are not repeated all at once.
    """
    if reply.retry_after is not None:
        jitter = _random.uniform(0, FIRST_PAUSE / 10)
        return min(reply.retry_after, LONGEST_RETRY_AFTER) + jitter
    longest = min(FIRST_PAUSE * 2 ** (attempt - 1), LONGEST_PAUSE)
    return _random.uniform(longest / 2, longest)
