"""What follows from the replies of a run: costs and votes, repairs and retries, verdicts, or the end of the run."""

from decimal import Decimal

from django.db import transaction
from django.utils.translation import gettext as _

from ..models import JudgeCall, JudgeRun
from . import calls, retries
from .answers import InvalidAnswer, WithheldAnswer, check_end
from .costs import Budget, Spending, characters, cost_of, guessed_tokens, spending_of
from .errors import JudgeError, ModelChanged
from .prompts import repair_messages
from .replies import NOT_AN_ANSWER, Reply
from .request_groups import RequestGroup
from .request_queue import Request, RequestQueue
from .verdicts import VerdictCounts

FAILURES_IN_A_ROW = 20
"""After so many requests that failed finally, the run ends: it is not about single items."""
NO_ANSWERS_IN_A_ROW = 5
"""After so many replies with a status of success that are no answers of a model, as web pages, the run ends."""


class ReplyProcessing:
    """Replies are noted one by one and stored together. `fatal_error`: why the run must end, if it must. `done` items
    have all their answers, also where no verdicts are stored.
    """

    def __init__(self, run: JudgeRun, queue: RequestQueue, budget: Budget, *, stores_verdicts: bool):
        self.verdicts, self.calls = VerdictCounts(), calls.CallCounts()
        self.fatal_error: JudgeError | None = None
        self.done = 0
        self._run, self._judge, self._queue, self._budget = run, run.judge, queue, budget
        self._stores_verdicts = stores_verdicts
        self._lost_keys = calls.uncounted_lost_keys(run.judge, run.project)
        self._completed: list[JudgeCall] = []
        self._repeated: list[JudgeCall] = []
        self._finished: list[RequestGroup] = []
        self._failures = self._no_answers = 0

    def note_reply(self, request: Request, reply: Reply) -> None:
        """Note the reply to a request that was sent."""
        call = request.call
        call.state, call.answer, call.error = reply.state, reply.text, reply.error
        call.http_status, call.answer_body = reply.http_status, reply.body
        call.returned_model, call.system_fingerprint = reply.model, reply.fingerprint
        call.finish_reason = reply.finish_reason
        request.group.seconds += reply.seconds
        self._budget.release(request.bound)
        self._completed.append(call)
        if reply.state == JudgeCall.State.ANSWERED:
            self._note_answer(request, reply)
        else:
            self._note_failure(request, reply)

    def note_cached(self, request: Request, call: JudgeCall) -> None:
        """Note the answer of an earlier request, `call`. It costs nothing if another judge or project paid for it."""
        self.calls.cached += 1
        self._note_repeated(call)
        is_own = (call.run.judge_id, call.run.project_id) == (self._judge.pk, self._run.project_id)
        request.group.add_cost(call.cost if is_own else Decimal(0) if self._judge.has_prices else None)
        request.group.probability = call.confidence
        self._read(request, call)

    def store(self) -> None:
        """Store replies, tokens of lost requests whose repetition was answered, and verdicts, in one transaction."""
        completed, self._completed = self._completed, []
        repeated, self._repeated = self._repeated, []
        finished, self._finished = self._finished, []
        if not completed and not repeated and not finished:
            return
        with transaction.atomic():
            calls.complete_calls(completed)
            calls.estimate_lost(self._run, repeated)
            if finished and self._stores_verdicts:
                self.verdicts += type(finished[0]).store(self._run, finished)
        for call in repeated:
            self._budget.settle_lost(call.cache_key, self._spending(call))

    # Answers

    def _note_repeated(self, call: JudgeCall) -> None:
        """Note an answered request if lost ones, which are estimated by it, were the same."""
        if call.cache_key in self._lost_keys:
            self._repeated.append(call)
            self._lost_keys.discard(call.cache_key)

    def _spending(self, call: JudgeCall) -> Spending:
        return spending_of(self._judge, call.prompt_tokens or 0, call.completion_tokens or 0)

    def _note_answer(self, request: Request, reply: Reply) -> None:
        self._failures = self._no_answers = 0
        self._note_tokens(request, reply)
        if not self._queue.dialect.is_confirmed:
            self._queue.dialect.is_confirmed = True
            JudgeRun.objects.filter(pk=self._run.pk).update(response_format=request.form[0])
        if not calls.note_returned_model(self._judge, reply.model):
            self.fatal_error = ModelChanged(_model_changed(self._judge.returned_model or "", reply.model))
            return
        request.group.probability = request.call.confidence = request.group.probability_of(reply)
        self._read(request, request.call)

    def _note_tokens(self, request: Request, reply: Reply) -> None:
        call = request.call
        call.is_estimated = reply.prompt_tokens is None or reply.completion_tokens is None
        call.prompt_tokens, call.completion_tokens = reply.prompt_tokens, reply.completion_tokens
        if call.prompt_tokens is None:
            call.prompt_tokens = guessed_tokens(characters(request.body))
        if call.completion_tokens is None:
            call.completion_tokens = guessed_tokens(len(reply.text))
        call.cost = cost_of(self._judge, call.prompt_tokens, call.completion_tokens)
        self._budget.observe(request.body, call.prompt_tokens)
        self._budget.spent += self._spending(call)
        self._note_repeated(call)
        request.group.add_cost(call.cost)

    def _read(self, request: Request, call: JudgeCall) -> None:
        """Give the group a valid answer; ask once to repair an invalid one that was not withheld."""
        if call.system_fingerprint:
            request.group.fingerprints.add(call.system_fingerprint)
        try:
            if not request.group.accepts_cut_answers:
                check_end(call.finish_reason, self._judge.max_tokens)
            request.group.note_answer(request.sample, call.answer)
        except InvalidAnswer as invalid:
            request.group.problem = str(invalid)
            if not request.is_repair and not isinstance(invalid, WithheldAnswer):
                messages = repair_messages(request.messages, call.answer, str(invalid))
                self._queue.put_first([Request(request.group, request.sample, messages, is_repair=True)])
                return
            request.group.note_failure(request.sample)
        self._finish(request.group)

    def _finish(self, group: RequestGroup) -> None:
        if group.is_complete and not group.is_dropped:
            self._finished.append(group)
            self.done += len(group.items)

    # Failures

    def _note_failure(self, request: Request, reply: Reply) -> None:
        if reply.state == JudgeCall.State.LOST:
            self._lost_keys.add(request.key)
            self._budget.charge_lost(request.key, request.bound)
        self._no_answers += reply.is_no_answer
        if self._no_answers >= NO_ANSWERS_IN_A_ROW:
            self.fatal_error = _no_answers(self._judge.base_url, reply)
        elif self._queue.dialect.note_refusal(reply, request.form):
            self._queue.put_first([request])
        elif reply.http_status in retries.NO_ACCESS_STATUSES:
            self.fatal_error = _endpoint_failed(reply)
        elif retries.is_retriable(reply) and request.attempt < retries.ATTEMPTS:
            self._queue.put_retry(request, reply)
        else:
            self._give_up(request, reply)

    def _give_up(self, request: Request, reply: Reply) -> None:
        """Fail the sample whose request is refused. The items stay without a verdict if no answer came, or if no
        request was accepted so far: then the refusal is not about them.
        """
        self._failures += 1
        self.calls.last_failure = _description(reply)
        if self._failures >= FAILURES_IN_A_ROW:
            self.fatal_error = _endpoint_failed(reply)
        if not retries.is_retriable(reply) and self._queue.dialect.is_confirmed:
            request.group.problem = _description(reply)
            request.group.note_failure(request.sample)
            self._finish(request.group)
        elif not request.group.is_dropped:
            request.group.is_dropped = True
            self.calls.unanswered += len(request.group.items)


def _description(reply: Reply) -> str:
    return f"HTTP {reply.http_status}: {reply.error[:300]}" if reply.http_status else reply.error[:300]


def _endpoint_failed(reply: Reply) -> JudgeError:
    return JudgeError(_("the endpoint failed: %(error)s") % {"error": _description(reply)})


def _no_answers(address: str, reply: Reply) -> JudgeError:
    sentence = _(
        "the endpoint %(address)s answered %(n)s requests in a row with status %(status)s but without an answer of a "
        "model; the last reply starts with %(start)s. The address may be wrong, or the endpoint wants a login: create "
        "the next version of the judge with the address of its API, which often ends in /v1, and with a key"
    )
    start = reply.error.removeprefix(NOT_AN_ANSWER)[:120]
    values = {"address": address, "n": NO_ANSWERS_IN_A_ROW, "status": reply.http_status, "start": repr(start)}
    return JudgeError(sentence % values)


def _model_changed(before: str, now: str) -> str:
    sentence = _(
        "the endpoint now answers as %(now)s; it answered this version of the judge as %(before)s before. Two models "
        "are two judges, so the run has ended: create the next version of the judge to continue"
    )
    return sentence % {"now": _model_name(now), "before": _model_name(before)}


def _model_name(name: str) -> str:
    return _("model %(name)s") % {"name": repr(name)} if name else _("a model that it does not name")
