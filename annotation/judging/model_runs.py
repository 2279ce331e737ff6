"""Let a model rate: threads send the requests, and the thread that runs this alone writes to the database.

The row of a request is committed before it is sent, and its reply is stored with the verdicts that follow from it, so
a process that is killed at any moment loses nothing but the answers that it had not received. Whatever has come at once
is stored in one transaction.
"""

import queue
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from django.utils import timezone
from django.utils.translation import gettext as _

from ..i18n.numbers import localized
from ..jobs import Progress, Stopped
from ..models import JudgeCall, JudgeRun
from . import calls
from .costs import Budget
from .endpoint import Endpoint
from .judges import is_repetition
from .replies import Reply
from .reply_processing import ReplyProcessing
from .request_groups import RequestGroup
from .request_queue import Request, RequestQueue
from .verdicts import VerdictCounts

BATCH_WAIT = 0.01  # seconds that the first answer waits for others, to be stored together


class ModelRun:
    """The loop of one run over `groups`. `reuses_earlier` is off where failed verdicts are repeated: only answers of
    the same run are reused then, after it was killed. `stores_verdicts` is off where costs are estimated.
    """

    def __init__(
        self,
        run: JudgeRun,
        endpoint: Endpoint,
        groups: Iterator[RequestGroup],
        total: int,
        *,
        reuses_earlier: bool = True,
        stores_verdicts: bool = True,
    ):
        self.out_of_budget = False
        self._run, self._judge = run, run.judge
        self._endpoint, self._total, self._reuses_earlier = endpoint, total, reuses_earlier
        self._reuses_only_own = is_repetition(run.judge)
        self._budget = Budget(run.judge, run.budget_usd, run.budget_tokens, calls.spent_by(run))
        for call in calls.uncounted_lost(run):
            self._budget.charge_lost(call.cache_key, self._budget.bound(call.request))
        self._queue = RequestQueue(run, groups)
        self._received = ReplyProcessing(run, self._queue, self._budget, stores_verdicts=stores_verdicts)
        self.calls = self._received.calls
        self._in_flight = 0
        self._started_at = time.monotonic()
        self._replies: queue.SimpleQueue[tuple[Request, Reply]] = queue.SimpleQueue()

    def rate(self, progress: Progress) -> VerdictCounts:
        """Rate until no request remains, or the budget is used. Return the numbers of verdicts.

        Raises JudgeError if the endpoint fails or answers as another model, and Stopped.
        """
        with ThreadPoolExecutor(self._judge.concurrency, thread_name_prefix="judge") as pool:
            try:
                while not self._received.fatal_error and (self._launch(pool) or self._in_flight):
                    self._collect()
                    self._report(progress)
                self._drain()
                self._report(progress)
            except Stopped:
                self._drain()
                raise
            except BaseException:
                self._endpoint.close()
                raise
        calls.estimate_unanswered(self._run)
        if self._received.fatal_error:
            raise self._received.fatal_error
        return self._received.verdicts

    def _report(self, progress: Progress) -> None:
        spent, done = self._budget.spent, self._received.done
        values = {
            "failed": localized(f"{self._received.verdicts.failed:,}"),
            "requests": localized(f"{self.calls.requests:,}"),
            "tokens": localized(f"{spent.tokens:,}"),
        }
        parts = [_("failed: %(failed)s, requests: %(requests)s, tokens: %(tokens)s") % values]
        if self._judge.has_prices:
            parts.append(localized(f"USD {spent.usd:.4f}"))
        if 0 < done < self._total:
            seconds = (time.monotonic() - self._started_at) * (self._total - done) / done
            parts.append(_("time left: %(time)s") % {"time": _duration(seconds)})
        progress(done, self._total, ", ".join(parts))

    # Sending

    def _launch(self, pool: ThreadPoolExecutor) -> bool:
        """Send what may be sent now. Return whether more is to be sent, now or later."""
        while not self.out_of_budget and (due := self._queue.take(self._in_flight)):
            requests = self._without_cached(due)
            affordable = self._reserve(requests)
            self._send(pool, affordable)
            self._received.store()
            if len(affordable) < len(requests):
                break
        return not self.out_of_budget and self._queue.has_requests()

    def _without_cached(self, requests: list[Request]) -> list[Request]:
        """Use the answers that the cache has; return the other requests."""
        keys = [request.key for request in requests if request.attempt == 1]
        cached = self._cached(keys) if keys else {}
        remaining = []
        for request in requests:
            if request.attempt == 1 and request.key in cached:
                self._received.note_cached(request, cached[request.key])
            else:
                remaining.append(request)
        return remaining

    def _cached(self, keys: list[str]) -> dict[str, JudgeCall]:
        if not self._reuses_earlier:
            return calls.cached_answers(self._judge, keys, run=self._run)
        return calls.cached_answers(self._judge, keys, only_own=self._reuses_only_own)

    def _reserve(self, requests: list[Request]) -> list[Request]:
        """Return the requests that the budget allows; the others wait for those in flight, or the run ends."""
        for number, request in enumerate(requests):
            bound = self._budget.reserve(request.body)
            if bound is None:
                self._queue.put_first(requests[number:])
                self.out_of_budget = not self._in_flight and number == 0
                return requests[:number]
            request.bound = bound
        return requests

    def _send(self, pool: ThreadPoolExecutor, requests: Sequence[Request]) -> None:
        """Commit a row for each request, then send them."""
        now = timezone.now()
        for request in requests:
            request.call = JudgeCall(
                run=self._run,
                item=request.group.items[0],
                sample=request.sample,
                attempt=request.attempt,
                is_repair=request.is_repair,
                cache_key=request.key,
                request=request.body,
                sent_at=now,
            )
        JudgeCall.objects.bulk_create([request.call for request in requests])
        if requests:
            self._queue.start_interval()
        for request in requests:
            self._in_flight += 1
            self.calls.requests += 1
            pool.submit(self._ask, request)

    def _ask(self, request: Request) -> None:
        """Send one request: the part that runs in threads. It does not use the database."""
        self._replies.put((request, self._endpoint.ask(request.body)))

    # Receiving

    def _collect(self) -> None:
        """Wait for answers, or until something can be sent again, and store what has come."""
        try:
            replies = [self._replies.get(timeout=self._queue.seconds_until_due())]
        except queue.Empty:
            return
        if self._in_flight > 1:
            time.sleep(BATCH_WAIT)
        while not self._replies.empty():
            replies.append(self._replies.get())
        self._in_flight -= len(replies)
        for request, reply in replies:
            self._received.note_reply(request, reply)
        self._received.store()

    def _drain(self) -> None:
        while self._in_flight:
            self._collect()


def _duration(seconds: float) -> str:
    if seconds < 90:
        return _("%(seconds)s s") % {"seconds": f"{seconds:.0f}"}
    return _("%(minutes)s min") % {"minutes": localized(f"{seconds / 60:,.0f}")}
