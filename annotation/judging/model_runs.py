"""Let a model rate: threads send the requests, and the thread that runs this alone writes to the database.

The row of a request is committed before it is sent, and its outcome is stored with the verdicts that follow from it, so
a process that is killed at any moment loses nothing but the answers that were on their way. Whatever has come at once
is stored in one transaction.
"""

import heapq
import itertools
import queue
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ..i18n.numbers import localized
from ..jobs import Progress, Stopped
from ..models import JudgeCall, JudgeRun
from . import call_records, retries
from .answers import InvalidAnswer, probability, read_answers
from .costs import CostBounds, characters, cost_of, guessed_tokens
from .endpoint import Endpoint, Reply
from .errors import JudgeError
from .judge_tasks import JudgeTask
from .prompts import repair_messages
from .request_bodies import Dialect, cache_key, request_body
from .verdicts import VerdictCounts, store_verdicts

LINGER = 0.01  # seconds that the first answer waits for others, to be stored together
FAILURES_IN_A_ROW = 20
"""After so many requests that failed for good, the run ends: it is not about single items."""


@dataclass(eq=False)
class Request:
    """One request that is to be sent, or was."""

    task: JudgeTask
    sample: int
    messages: list[dict[str, str]]
    is_repair: bool = False
    attempt: int = 1
    body: dict[str, Any] = field(default_factory=dict)
    form: tuple[str, str] = ("", "")
    key: str = ""
    bound: Decimal = Decimal(0)
    call: JudgeCall = field(default_factory=JudgeCall)


class ModelRun:
    """The loop of one run over `tasks`. `use_cache` is off where failed verdicts are repeated, `stores_verdicts` where
    costs are estimated.
    """

    def __init__(
        self,
        run: JudgeRun,
        endpoint: Endpoint,
        tasks: Iterator[JudgeTask],
        total: int,
        *,
        use_cache: bool = True,
        stores_verdicts: bool = True,
    ):
        self.run, self.judge = run, run.judge
        self.counts, self.calls = VerdictCounts(), call_records.CallCounts()
        self.out_of_budget = False
        self._endpoint, self._tasks, self._total = endpoint, tasks, total
        self._use_cache, self._stores_verdicts = use_cache, stores_verdicts
        self._dialect = Dialect(run.response_format or Dialect.response_format, is_known=bool(run.response_format))
        self._bounds = CostBounds(self.judge)
        self._spent, self._reserved = call_records.cost_so_far(run.calls.all()), Decimal(0)
        self._lost = call_records.uncounted_lost_keys(self.judge, run.project)
        self._waiting: deque[Request] = deque()
        self._paused: list[tuple[float, int, Request]] = []
        self._numbers = itertools.count()
        self._in_flight = 0
        self._not_before = 0.0
        self._replies: queue.SimpleQueue[tuple[Request, Reply]] = queue.SimpleQueue()
        self._finished: list[JudgeTask] = []
        self._failures, self._fatal = 0, ""

    def rate(self, progress: Progress) -> None:
        """Rate until nothing is left, or the budget is used. Raises JudgeError if the endpoint fails, and Stopped."""
        with ThreadPoolExecutor(self.judge.concurrency, thread_name_prefix="judge") as pool:
            try:
                while not self._fatal and (self._launch(pool) or self._in_flight):
                    self._collect()
                    self._report(progress)
                self._drain()
            except Stopped:
                self._drain()
                raise
            except BaseException:
                self._endpoint.close()
                raise
        call_records.estimate_rest(self.run)
        if self._fatal:
            raise JudgeError(_("the endpoint failed: %(error)s") % {"error": self._fatal})

    def _report(self, progress: Progress) -> None:
        values = {"requests": localized(f"{self.calls.requests:,}"), "cost": f"{self._spent:.4f}"}
        message = _("requests: %(requests)s, USD %(cost)s") if self.judge.has_prices else _("requests: %(requests)s")
        progress(self.counts.rated + self.counts.failed, self._total, message % values)

    def _drain(self) -> None:
        while self._in_flight:
            self._collect()

    # Sending

    def _launch(self, pool: ThreadPoolExecutor) -> bool:
        """Send what may be sent now. Return whether something is left to send, now or later."""
        while (free := self._free()) and (taken := list(itertools.islice(self._ready(), free))):
            fresh = self._without_cached(taken)
            affordable = self._affordable(fresh)
            self._send(pool, affordable)
            if self._finished:
                self._store([], [])
            if len(affordable) < len(fresh):
                break
        return not self.out_of_budget and bool(self._waiting or self._paused or self._peek())

    def _free(self) -> int:
        """Return how many requests may be sent now. The first goes alone, until its form is known to be accepted."""
        if self.out_of_budget or time.monotonic() < self._not_before:
            return 0
        allowed = self.judge.concurrency if self._dialect.is_known else 1
        free = allowed - self._in_flight
        return min(free, 1) if self.judge.requests_per_minute else max(free, 0)

    def _ready(self) -> Iterator[Request]:
        """Yield requests whose pause is over, then repairs and further samples, then new tasks."""
        now = time.monotonic()
        while self._paused and self._paused[0][0] <= now:
            request = self._prepared(heapq.heappop(self._paused)[2])
            if not request.task.is_dropped:
                yield request
        while self._waiting or self._peek():
            request = self._prepared(self._waiting.popleft())
            if not request.task.is_dropped:
                yield request

    def _peek(self) -> bool:
        """Put the samples of the next task among the waiting requests; return whether there was one."""
        task = next(self._tasks, None)
        if task:
            self._waiting.extend(Request(task, n, task.messages) for n in range(1, self.judge.samples + 1))
        return task is not None

    def _prepared(self, request: Request) -> Request:
        if request.form != self._dialect.form:
            request.form = self._dialect.form
            questions = request.task.questions[0]
            if len(request.task.items) > 1 or self.judge.rates == self.judge.Rates.RESPONSE:
                questions = self.run.project.protocol.definition
            request.body = request_body(self.judge, questions, request.messages, request.form)
            request.key = cache_key(self.judge, request.body, request.sample)
        return request

    def _without_cached(self, requests: list[Request]) -> list[Request]:
        """Read the answers that the cache has; return the other requests."""
        first = [request.key for request in requests if request.attempt == 1] if self._use_cache else []
        cached = call_records.cached_answers(first) if first else {}
        fresh = []
        for request in requests:
            call = cached.get(request.key) if request.attempt == 1 else None
            if call is None:
                fresh.append(request)
                continue
            self.calls.cached += 1
            is_own = (call.run.judge_id, call.run.project_id) == (self.judge.pk, self.run.project_id)
            request.task.add_cost(call.cost if is_own else Decimal(0) if self.judge.has_prices else None)
            request.task.probability = call.confidence
            self._read(request, call.answer)
        return fresh

    def _affordable(self, requests: list[Request]) -> list[Request]:
        """Return the requests that the budget allows; the others wait for those in flight, or the run ends."""
        if self.run.budget_usd is None:
            return requests
        for number, request in enumerate(requests):
            request.bound = self._bounds.bound(request.body)
            if self._spent + self._reserved + request.bound > self.run.budget_usd:
                self._waiting.extendleft(reversed(requests[number:]))
                self.out_of_budget = not self._in_flight and number == 0
                return requests[:number]
            self._reserved += request.bound
        return requests

    def _send(self, pool: ThreadPoolExecutor, requests: Sequence[Request]) -> None:
        """Commit a row for each request, then send them."""
        now = timezone.now()
        for request in requests:
            request.call = JudgeCall(
                run=self.run,
                item=request.task.items[0],
                sample=request.sample,
                attempt=request.attempt,
                is_repair=request.is_repair,
                cache_key=request.key,
                request=request.body,
                sent_at=now,
            )
        JudgeCall.objects.bulk_create([request.call for request in requests])
        if requests and self.judge.requests_per_minute:
            self._not_before = max(time.monotonic() + 60 / self.judge.requests_per_minute, self._not_before)
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
            replies = [self._replies.get(timeout=self._wait())]
        except queue.Empty:
            return
        if self._in_flight > 1:
            time.sleep(LINGER)
        while not self._replies.empty():
            replies.append(self._replies.get())
        self._in_flight -= len(replies)
        answered = [self._take(request, reply) for request, reply in replies]
        self._store([request.call for request, _reply in replies], [call for call in answered if call])

    def _wait(self) -> float:
        """Return the seconds until a request may be sent, at most one: a run notices soon that it was canceled."""
        now = time.monotonic()
        times = [max(self._paused[0][0], self._not_before)] if self._paused else []
        times += [self._not_before] if self._not_before > now else []
        return max(min([when - now for when in times] + [1.0]), 0.001)

    def _take(self, request: Request, reply: Reply) -> JudgeCall | None:
        """Note the outcome of a request and what follows from it. Return the row if it was answered."""
        call = request.call
        call.state, call.answer, call.error = reply.state, reply.text, reply.error
        call.http_status = reply.http_status
        request.task.seconds += reply.seconds
        self._reserved -= request.bound
        if reply.state != JudgeCall.State.ANSWERED:
            self._take_failure(request, reply)
            return None
        self._failures = 0
        self._take_tokens(request, reply)
        if not self._dialect.is_known:
            self._dialect.is_known = True
            JudgeRun.objects.filter(pk=self.run.pk).update(response_format=request.form[0])
        request.task.probability = call.confidence = self._probability(request, reply)
        self._read(request, reply.text)
        return call

    def _take_tokens(self, request: Request, reply: Reply) -> None:
        call = request.call
        call.is_estimated = reply.prompt_tokens is None or reply.completion_tokens is None
        call.prompt_tokens, call.completion_tokens = reply.prompt_tokens, reply.completion_tokens
        if call.prompt_tokens is None:
            call.prompt_tokens = guessed_tokens(characters(request.body))
        if call.completion_tokens is None:
            call.completion_tokens = guessed_tokens(len(reply.text))
        call.cost = cost_of(self.judge, call.prompt_tokens, call.completion_tokens)
        self._bounds.observe(request.body, call.prompt_tokens)
        self._spent += call.cost or 0
        request.task.add_cost(call.cost)

    def _take_failure(self, request: Request, reply: Reply) -> None:
        if reply.state == JudgeCall.State.LOST:
            self._lost.add(request.key)
            self._spent += request.bound
        if self._dialect.learn(reply, request.form):
            self._waiting.appendleft(request)
        elif reply.http_status in retries.ACCESS:
            self._fatal = f"HTTP {reply.http_status}: {reply.error[:300]}"
        elif retries.is_retriable(reply) and request.attempt < retries.ATTEMPTS:
            self._pause(request, reply)
        else:
            self._give_up(request, reply)

    def _pause(self, request: Request, reply: Reply) -> None:
        when = time.monotonic() + retries.pause(request.attempt, reply)
        if reply.retry_after is not None:
            self._not_before = max(self._not_before, time.monotonic() + min(reply.retry_after, 60.0))
        request.attempt += 1
        heapq.heappush(self._paused, (when, next(self._numbers), request))

    def _give_up(self, request: Request, reply: Reply) -> None:
        """Fail the sample whose request is refused. The items stay without a verdict if no answer came, or if no
        request was accepted so far: then the refusal is not about them.
        """
        error = f"HTTP {reply.http_status}: {reply.error[:300]}" if reply.http_status else reply.error[:300]
        self._failures += 1
        if self._failures >= FAILURES_IN_A_ROW:
            self._fatal = error
        if not retries.is_retriable(reply) and self._dialect.is_known:
            request.task.problem = error
            self._end_sample(request, None)
        elif not request.task.is_dropped:
            request.task.is_dropped = True
            self.calls.unanswered += len(request.task.items)

    def _probability(self, request: Request, reply: Reply) -> float | None:
        protocol = request.task.questions[0]
        if not reply.tokens or len(request.task.items) > 1 or not protocol.measures:
            return None
        try:
            (answer,) = read_answers(reply.text, [protocol], is_list=self.judge.rates == self.judge.Rates.RESPONSE)
        except InvalidAnswer:
            return None
        choice = answer.answers.get(protocol.checked_questions[0].key)
        return probability(reply.text, reply.tokens, choice) if choice else None

    def _read(self, request: Request, text: str) -> None:
        """Take a valid answer as a vote; ask once to repair an invalid one."""
        try:
            answers = read_answers(text, request.task.questions, is_list=self.judge.rates == self.judge.Rates.RESPONSE)
        except InvalidAnswer as invalid:
            request.task.problem = str(invalid)
            if request.is_repair:
                self._end_sample(request, None)
                return
            messages = repair_messages(request.messages, text, str(invalid))
            self._waiting.appendleft(Request(request.task, request.sample, messages, is_repair=True))
        else:
            self._end_sample(request, answers)

    def _end_sample(self, request: Request, answers: Any) -> None:
        task = request.task
        task.samples[request.sample] = answers
        if len(task.samples) == self.judge.samples and not task.is_dropped:
            self._finished.append(task)

    def _store(self, calls: list[JudgeCall], answered: list[JudgeCall]) -> None:
        """Store outcomes, tokens of lost requests whose repetition was answered, and verdicts, in one transaction."""
        repeated = [call for call in answered if call.cache_key in self._lost]
        finished, self._finished = self._finished, []
        verdicts = [verdict for task in finished for verdict in task.verdicts()]
        with transaction.atomic():
            call_records.complete_calls(calls)
            call_records.estimate_lost(self.run, repeated)
            if verdicts and self._stores_verdicts:
                self.counts += store_verdicts(self.run, verdicts)
        self._lost -= {call.cache_key for call in repeated}
