"""Send the requests of a run: threads send them, and the thread that runs this alone writes to the database.

The row of a request is committed before it is sent, and its reply is stored with the results that follow from it, so
a process that is killed at any moment loses nothing but the answers that it had not received. Whatever has come at once
is stored in one transaction.
"""

import queue
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from django.db.models import QuerySet

from ..i18n.english import localized
from ..jobs import Progress, Stopped
from ..models.model_calls import ModelCall, ModelRun
from ..site.database_clock import database_now
from . import calls
from .costs import Budget
from .endpoint import Endpoint
from .replies import Reply
from .reply_processing import ReplyProcessing
from .request_groups import RequestGroup, ResultCounts
from .request_queue import Request, RequestQueue

BATCH_WAIT = 0.01  # seconds that the first answer waits for others, to be stored together


class RequestLoop:
    """The loop of one run over `groups`, which are about `total` items or prompts.

    Answers of `reusable` calls are used instead of sending the same request again. `stores_results` is off where costs
    are estimated.
    """

    def __init__(
        self,
        run: ModelRun,
        endpoint: Endpoint,
        groups: Iterator[RequestGroup],
        total: int,
        *,
        reusable: QuerySet[ModelCall],
        stores_results: bool = True,
    ):
        self._run, self._configuration = run, run.configuration
        self._endpoint, self._total, self._reusable = endpoint, total, reusable
        self._budget = Budget(run.configuration, run.budget_usd, run.budget_tokens, calls.spent_by(run))
        for call in calls.uncounted_lost(run):
            self._budget.charge_lost(call.cache_key, self._budget.bound(call.request))
        self._queue = RequestQueue(run, groups)
        self._reply_processing = ReplyProcessing(run, self._queue, self._budget, stores_results=stores_results)
        self.calls = self._reply_processing.calls
        self._in_flight = 0
        self._started_at = time.monotonic()
        self._replies: queue.SimpleQueue[tuple[Request, Reply]] = queue.SimpleQueue()

    def run(self, progress: Progress) -> ResultCounts:
        """Send requests until none remains, or the budget is used. Return the numbers of results.

        Raises ModelError if the endpoint fails or answers as another model, and Stopped.
        """
        with ThreadPoolExecutor(self._configuration.concurrency, thread_name_prefix="model") as pool:
            try:
                while not self._reply_processing.fatal_error and (self._launch(pool) or self._in_flight):
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
        if self._reply_processing.fatal_error:
            raise self._reply_processing.fatal_error
        return self._reply_processing.results

    def _report(self, progress: Progress) -> None:
        spent, done = self._budget.spent, self._reply_processing.done
        numbers = {
            "failed": self._reply_processing.results.failed,
            "requests": self.calls.requests,
            "tokens": spent.tokens,
        }
        parts = [f"{name}: {localized(f'{number:,}')}" for name, number in numbers.items()]
        if self._configuration.has_prices:
            parts.append(localized(f"USD {spent.usd:.4f}"))
        if 0 < done < self._total:
            seconds = (time.monotonic() - self._started_at) * (self._total - done) / done
            duration = f"{seconds:.0f} s" if seconds < 90 else f"{localized(f'{seconds / 60:,.0f}')} min"
            parts.append(f"time left: {duration}")
        progress(done, self._total, ", ".join(parts))

    def _launch(self, pool: ThreadPoolExecutor) -> bool:
        """Send what may be sent now. Return whether more is to be sent, now or later."""
        while not self.calls.is_out_of_budget and (due := self._queue.take(self._in_flight)):
            keys = [request.key for request in due if request.attempt == 1]
            model = self._configuration.returned_model
            cached = calls.find_answers(self._reusable, keys, model) if keys else {}
            requests = []
            for request in due:
                if request.attempt == 1 and request.key in cached:
                    self._reply_processing.note_cached(request, cached[request.key])
                else:
                    requests.append(request)
            affordable = self._reserve(requests)
            self._send(pool, affordable)
            self._reply_processing.store()
            if len(affordable) < len(requests):
                break
        return not self.calls.is_out_of_budget and self._queue.has_requests()

    def _reserve(self, requests: list[Request]) -> list[Request]:
        """Return the requests that the budget allows; the others wait for those in flight, or the run ends."""
        for number, request in enumerate(requests):
            bound = self._budget.reserve(request.body)
            if bound is None:
                self._queue.put_first(requests[number:])
                self.calls.is_out_of_budget = not self._in_flight and number == 0
                return requests[:number]
            request.bound = bound
        return requests

    def _send(self, pool: ThreadPoolExecutor, requests: Sequence[Request]) -> None:
        """Commit a row for each request, then send them."""
        now = database_now()
        for request in requests:
            request.call = call = request.group.new_call()
            call.sample, call.attempt, call.is_repair = request.sample, request.attempt, request.is_repair
            call.cache_key, call.request, call.sent_at = request.key, request.body, now
        if requests:
            type(requests[0].call)._default_manager.bulk_create([request.call for request in requests])
            self._queue.start_interval()
        for request in requests:
            self._in_flight += 1
            self.calls.requests += 1
            pool.submit(self._ask, request)

    def _ask(self, request: Request) -> None:
        """Send one request: the part that runs in threads. It does not use the database."""
        self._replies.put((request, self._endpoint.ask(request.body)))

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
            self._reply_processing.note_reply(request, reply)
        self._reply_processing.store()

    def _drain(self) -> None:
        while self._in_flight:
            self._collect()
