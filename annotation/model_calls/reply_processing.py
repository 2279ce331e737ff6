"""What follows from the replies of a run: costs, repairs and retries, results, or the end of the run.

One reply, whatever it is, decides about its own items alone. A run ends by what many replies have in common.
"""

import logging
from collections.abc import Sequence
from decimal import Decimal

from django.db import transaction

from ..models.model_calls import ModelCall, ModelConfiguration, ModelRun
from . import calls, request_queue
from .costs import Budget, Spending, characters, cost_of, guessed_tokens, spending_of
from .errors import InvalidAnswer, ModelChanged, ModelError, WithheldAnswer
from .replies import MAX_ANSWER_LENGTH, MAX_ERROR_LENGTH, NOT_AN_ANSWER, Reply, check_is_whole, shortened
from .request_groups import RequestGroup, ResultCounts
from .request_queue import Request, RequestQueue

FAILURES_IN_A_ROW = 20
"""After requests of so many groups that failed finally, the run ends: it is not about single items."""
NO_ANSWERS_IN_A_ROW = 5
"""After so many replies with a status of success that are no answers of a model, as web pages, a run without an answer
ends.
"""
REFUSALS_IN_A_ROW = 3
"""After requests of so many groups that got one of `NO_ACCESS_STATUSES`, a run ends that had answers before."""
UNNAMED_IN_A_ROW = 3
"""After so many answers without a name of the model, where others had one, the model is another one."""
MAX_REPEATED_ANSWER = 20_000
"""Characters of an invalid answer that a model is shown again."""

log = logging.getLogger(__name__)


class ReplyProcessing:
    """Notes the replies of a run one by one and stores them together. `fatal_error`: why the run must end, if it must.
    `done`: number of items that have all their answers, also where no results are stored.
    """

    def __init__(self, run: ModelRun, queue: RequestQueue, budget: Budget, *, stores_results: bool):
        self.results, self.calls = ResultCounts(), calls.CallCounts()
        self.fatal_error: ModelError | None = None
        self.done = 0
        self._run, self._configuration, self._queue, self._budget = run, run.configuration, queue, budget
        self._stores_results = stores_results
        self._lost_keys = calls.uncounted_lost_keys(run)
        self._completed: list[ModelCall] = []
        self._repeated: list[ModelCall] = []
        self._finished: list[RequestGroup] = []
        self._no_answers = 0
        self._has_answers = False
        self._failed: set[RequestGroup] = set()
        self._refused: set[RequestGroup] = set()
        self._unnamed: set[RequestGroup] = set()

    def note_reply(self, request: Request, reply: Reply) -> None:
        """Note the reply to a request that was sent."""
        call = request.call
        call.state, call.http_status, call.error = reply.state, reply.http_status, reply.error
        call.answer, call.reasoning, call.answer_body = reply.text, reply.reasoning, reply.body
        call.returned_model, call.system_fingerprint = reply.model, reply.fingerprint
        call.finish_reason = reply.finish_reason
        request.group.seconds += reply.seconds
        self._budget.release(request.bound)
        self._completed.append(call)
        if reply.state == ModelCall.State.ANSWERED:
            self._note_answer(request, reply)
        else:
            self._note_failure(request, reply)

    def note_cached(self, request: Request, call: ModelCall) -> None:
        """Note the answer of an earlier request, `call`. It costs nothing if an unrelated run paid for it."""
        self.calls.cached += 1
        self._note_repeated(call)
        if self._run.has_paid_for(call):
            request.group.add_cost(call.cost)
        elif self._configuration.has_prices:
            request.group.add_cost(Decimal(0))
        request.group.probability = call.confidence
        self._read_answer(request, call)

    def store(self) -> None:
        """Store replies, tokens of lost requests whose repetition was answered, and results, in one transaction."""
        completed, self._completed = self._completed, []
        repeated, self._repeated = self._repeated, []
        finished, self._finished = self._finished, []
        if not completed and not repeated and not finished:
            return
        try:
            with transaction.atomic():
                self._store(completed, repeated, finished)
        except Exception:  # one of them cannot be stored, which must not cost the others
            log.exception("replies are stored one by one")
            self._store_one_by_one(completed, repeated, finished)
        for call in repeated:
            self._budget.settle_lost(call.cache_key, self._spending(call))

    def _store(
        self, completed: Sequence[ModelCall], repeated: Sequence[ModelCall], finished: Sequence[RequestGroup]
    ) -> None:
        calls.complete_calls(completed)
        calls.estimate_lost(self._run, repeated)
        if finished and self._stores_results:
            self.results += type(finished[0]).store(finished)

    def _store_one_by_one(
        self, completed: Sequence[ModelCall], repeated: Sequence[ModelCall], finished: Sequence[RequestGroup]
    ) -> None:
        """Store what can be stored. Of the other answers their end alone is, and the results fail."""
        for call in completed:
            try:
                with transaction.atomic():
                    self._store([call], [], [])
            except Exception as error:
                call.answer, call.answer_body = "", None
                call.returned_model = call.system_fingerprint = call.finish_reason = ""
                call.state, call.error = ModelCall.State.LOST, _not_stored(error)
                call.confidence = call.cost = None
                self._store([call], [], [])
        self._store([], repeated, [])
        for group in finished:
            try:
                with transaction.atomic():
                    self._store([], [], [group])
            except Exception as error:
                group.problem = _not_stored(error)
                for number in group.messages:
                    group.note_failure(number)
                self._store([], [], [group])

    # Answers

    def _note_repeated(self, call: ModelCall) -> None:
        """Note an answered request if lost ones, which are estimated by it, were the same."""
        if call.cache_key in self._lost_keys:
            self._repeated.append(call)
            self._lost_keys.discard(call.cache_key)

    def _spending(self, call: ModelCall) -> Spending:
        return spending_of(self._configuration, call.prompt_tokens or 0, call.completion_tokens or 0)

    def _note_answer(self, request: Request, reply: Reply) -> None:
        self._has_answers, self._no_answers = True, 0
        self._failed.clear()
        self._refused.clear()
        self._note_tokens(request, reply)
        if not self._queue.dialect.is_confirmed:
            self._queue.dialect.is_confirmed = True
            type(self._run)._default_manager.filter(pk=self._run.pk).update(response_format=request.form[0])
        if not reply.model and self._configuration.returned_model:  # others say of which model they are
            self._unnamed.add(request.group)
            if len(self._unnamed) >= UNNAMED_IN_A_ROW:
                self.fatal_error = _model_changed(self._configuration, reply.model)
            self._fail(request, "It does not name its model, as earlier answers do.")
            return
        self._unnamed.clear()
        if calls.note_returned_model(self._run, reply.model, replaces_unnamed=UNNAMED_IN_A_ROW):
            self._read_answer(request, request.call, reply)
        else:
            self.fatal_error = _model_changed(self._configuration, reply.model)

    def _note_tokens(self, request: Request, reply: Reply) -> None:
        call = request.call
        call.is_estimated = reply.prompt_tokens is None or reply.completion_tokens is None
        call.prompt_tokens, call.completion_tokens = reply.prompt_tokens, reply.completion_tokens
        if call.prompt_tokens is None:
            call.prompt_tokens = guessed_tokens(characters(request.body))
        if call.completion_tokens is None:
            call.completion_tokens = guessed_tokens(len(reply.text) + len(reply.reasoning))
        call.cost = cost_of(self._configuration, call.prompt_tokens, call.completion_tokens)
        self._budget.observe(request.body, call.prompt_tokens)
        self._budget.spent += self._spending(call)
        self._note_repeated(call)
        request.group.add_cost(call.cost)

    def _read_answer(self, request: Request, call: ModelCall, reply: Reply | None = None) -> None:
        """Give the group a valid answer; ask once to repair an invalid one that was not withheld."""
        group = request.group
        if call.system_fingerprint:
            group.fingerprints.add(call.system_fingerprint)
        try:
            if reply:
                group.probability = call.confidence = group.probability_of(reply)
            if len(call.answer) > MAX_ANSWER_LENGTH:
                raise InvalidAnswer(f"It has more than {MAX_ANSWER_LENGTH:,} characters.")
            if not group.accepts_cut_answers:
                check_is_whole(call.answer, call.reasoning, call.finish_reason, self._configuration.max_tokens)
            group.note_answer(request.sample, call.answer)
        except Exception as error:
            problem = str(error)
            if not isinstance(error, InvalidAnswer):  # readers did not expect this of a model
                log.error("an answer cannot be read", exc_info=error)
                problem = f"It cannot be read ({type(error).__name__})."
            problem = shortened(problem, MAX_ERROR_LENGTH)
            if group.can_be_repaired and not request.is_repair and not isinstance(error, WithheldAnswer):
                group.problem = problem
                instruction = (
                    f"Your answer is not valid: {problem} Answer again, with one JSON object of the required form."
                )
                invalid = {"role": "assistant", "content": shortened(call.answer, MAX_REPEATED_ANSWER)}
                messages = [*request.messages, invalid, {"role": "user", "content": instruction}]
                self._queue.put_first([Request(group, request.sample, messages, is_repair=True)])
            else:
                self._fail(request, problem)
            return
        self._finish(group)

    def _fail(self, request: Request, problem: str) -> None:
        """Fail the sample of a request."""
        request.group.problem = problem
        request.group.note_failure(request.sample)
        self._finish(request.group)

    def _finish(self, group: RequestGroup) -> None:
        if group.is_complete and not group.is_dropped:
            self._finished.append(group)
            self.done += group.size

    # Failures

    def _note_failure(self, request: Request, reply: Reply) -> None:
        if reply.state == ModelCall.State.LOST:
            self._lost_keys.add(request.key)
            self._budget.charge_lost(request.key, request.bound)
        self._no_answers += reply.is_no_answer
        if self._no_answers >= NO_ANSWERS_IN_A_ROW and not self._has_answers:
            self.fatal_error = _no_answers(self._configuration, reply)
        elif self._queue.dialect.note_refusal(reply, request.form):
            self._queue.put_first([request])
        elif reply.http_status in request_queue.NO_ACCESS_STATUSES and self._is_without_access(request):
            self.fatal_error = ModelError(f"the endpoint failed: {_description(reply)}")
        elif request_queue.is_retriable(reply) and request.attempt < request_queue.ATTEMPTS:
            self._queue.put_retry(request, reply)
        else:
            self._give_up(request, reply)

    def _is_without_access(self, request: Request) -> bool:
        """Return whether it is the key, the payment or the address that is refused, and not this request alone."""
        self._refused.add(request.group)
        return not self._has_answers or len(self._refused) >= REFUSALS_IN_A_ROW

    def _give_up(self, request: Request, reply: Reply) -> None:
        """Fail the sample whose request is refused, or never gets an answer of use. The items stay without a result if
        no reply came, or if no request was accepted so far: then it is not about them.
        """
        self._failed.add(request.group)
        self.calls.last_failure = _description(reply)
        if len(self._failed) >= FAILURES_IN_A_ROW:
            self.fatal_error = ModelError(f"the endpoint failed: {_description(reply)}")
        is_about_request = reply.is_no_answer or not request_queue.is_retriable(reply)
        if is_about_request and self._queue.dialect.is_confirmed:
            self._fail(request, _description(reply))
        elif not request.group.is_dropped:
            request.group.is_dropped = True
            self.calls.unanswered += request.group.size


def _not_stored(error: Exception) -> str:
    return shortened(f"It cannot be stored: {error}", MAX_ERROR_LENGTH)


def _description(reply: Reply) -> str:
    error = shortened(reply.error, 300)
    return f"HTTP {reply.http_status}: {error}" if reply.http_status else error


def _no_answers(configuration: ModelConfiguration, reply: Reply) -> ModelError:
    start = reply.error.removeprefix(NOT_AN_ANSWER)[:120]
    return ModelError(
        f"the endpoint {configuration.base_url} answered {NO_ANSWERS_IN_A_ROW} requests in a row with status "
        f"{reply.http_status} but without an answer of a model; the last reply starts with {start!r}. The address may "
        f"be wrong, or the endpoint wants a login: {configuration.how_to_replace} with the address of its API, which "
        "often ends in /v1, and with a key"
    )


def _model_changed(configuration: ModelConfiguration, new: str) -> ModelChanged:
    now, before = (
        f"model {name!r}" if name else "a model that it does not name"
        for name in (new, configuration.returned_model or "")
    )
    return ModelChanged(
        f"the endpoint now answers as {now}; it answered {configuration.label} as {before} before. Results of two "
        f"models must not be mixed, so the run has ended: {configuration.how_to_replace} to continue"
    )
