"""The requests of a run that are not sent yet: which are sent next, and when."""

import heapq
import itertools
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import SystemRandom

from ..models.model_calls import ModelCall, ModelRun
from .costs import Spending
from .replies import Reply
from .request_bodies import Dialect, Messages, RequestBody, cache_key, request_body
from .request_groups import RequestGroup

ATTEMPTS = 8
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 60.0  # seconds
LONGEST_RETRY_AFTER = 300.0  # seconds
_RETRIED = (408, 409, 429)
NO_ACCESS_STATUSES = (401, 402, 403, 404)
"""Every request will get these statuses, because of the key, payment or address: the run ends."""
LONGEST_DELAY = 60.0
"""Seconds that all requests wait at most because one reply asks for a pause."""
_random = SystemRandom()


@dataclass(eq=False)
class Request:
    """One request that is to be sent, or was. `bound`: the most that it may take, while it is in flight."""

    group: RequestGroup
    sample: int
    messages: Messages
    is_repair: bool = False
    attempt: int = 1
    body: RequestBody = field(default_factory=lambda: RequestBody())
    form: tuple[str, str] = ("", "")
    key: str = ""
    bound: Spending = field(default_factory=Spending)
    call: ModelCall = field(init=False)


class RequestQueue:
    """Retries whose pause is over come first, then repairs and further samples, then new groups of requests.

    A group is read only when its requests are due. Those of dropped groups are skipped.
    """

    def __init__(self, run: ModelRun, groups: Iterator[RequestGroup]):
        self.dialect = Dialect(run.response_format or run.first_format, is_confirmed=bool(run.response_format))
        self._configuration = run.configuration
        self._groups = groups
        self._waiting: deque[Request] = deque()
        self._retries: list[tuple[float, int, Request]] = []
        self._retry_numbers = itertools.count()
        self._not_before = 0.0

    def has_requests(self) -> bool:
        """Return whether a request is to be sent, now or later."""
        return bool(self._waiting or self._retries) or self._read_group()

    def take(self, in_flight: int) -> list[Request]:
        """Remove and return the requests that may be sent now, while `in_flight` others wait for their answers."""
        return list(itertools.islice(self._due(), self._capacity(in_flight)))

    def put_first(self, requests: Sequence[Request]) -> None:
        """Send these before all others that wait."""
        self._waiting.extendleft(reversed(requests))

    def put_retry(self, request: Request, reply: Reply) -> None:
        """Send the request again after a pause. Retry-After delays all other requests too."""
        due_at = time.monotonic() + pause(request.attempt, reply)
        if reply.retry_after is not None:
            self._delay(min(reply.retry_after, LONGEST_DELAY))
        request.attempt += 1
        heapq.heappush(self._retries, (due_at, next(self._retry_numbers), request))

    def start_interval(self) -> None:
        """Delay the next request by what the limit of requests a minute demands: one was sent now."""
        if self._configuration.requests_per_minute:
            self._delay(60 / self._configuration.requests_per_minute)

    def seconds_until_due(self) -> float:
        """Return the seconds until a request may be sent, at most one: a run notices soon that it was canceled."""
        now = time.monotonic()
        times = [max(self._retries[0][0], self._not_before)] if self._retries else []
        times += [self._not_before] if self._not_before > now else []
        return max(min([due_at - now for due_at in times] + [1.0]), 0.001)

    def _delay(self, seconds: float) -> None:
        self._not_before = max(self._not_before, time.monotonic() + seconds)

    def _capacity(self, in_flight: int) -> int:
        """Return how many requests may be sent now. The first goes alone, until it is known in which form the endpoint
        accepts requests, and as which model it answers.
        """
        if time.monotonic() < self._not_before:
            return 0
        allowed = self._configuration.concurrency if self.dialect.is_confirmed else 1
        capacity = max(allowed - in_flight, 0)
        return min(capacity, 1) if self._configuration.requests_per_minute else capacity

    def _due(self) -> Iterator[Request]:
        now = time.monotonic()
        while self._retries and self._retries[0][0] <= now:
            request = heapq.heappop(self._retries)[2]
            if not request.group.is_dropped:
                yield self._with_body(request)
        while self._waiting or self._read_group():
            request = self._waiting.popleft()
            if not request.group.is_dropped:
                yield self._with_body(request)

    def _read_group(self) -> bool:
        """Put the requests of the next group among those that wait; return whether there was one."""
        group = next(self._groups, None)
        if group:
            self._waiting.extend(Request(group, number, messages) for number, messages in group.messages.items())
        return group is not None

    def _with_body(self, request: Request) -> Request:
        """Return the request with its body in the form that the endpoint accepts."""
        if request.form != self.dialect.form:
            request.form = self.dialect.form
            request.body = request_body(self._configuration, request.group.schema, request.messages, request.form)
            request.key = cache_key(self._configuration, request.body, request.sample)
        return request


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
