"""The requests of a run, one a prompt, and what is stored of their answers: responses and results."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Self

from django.db import transaction
from django.db.models import Q, QuerySet

from ..importing.import_counts import ImportCounts
from ..importing.problems import Problems
from ..importing.records import SourceResponse
from ..importing.storage import Store
from ..model_calls.replies import shortened
from ..model_calls.request_groups import RequestGroup, ResultCounts
from ..models import GenerationCall, GenerationResult, GenerationRun, GenerationTemplate, Generator, Prompt
from .answers import StepsAnswer, read_steps, read_text
from .prompts import DocumentTexts, build_messages, hash_of
from .token_limits import TokenLimit

CHUNK = 200
"""Prompts whose texts are in memory at once."""
MAX_TYPE, MAX_STEPS = 500, 20_000
"""Characters of the type of a question and of the steps that are stored beside a response."""


@dataclass(eq=False, kw_only=True)
class GenerationRequest(RequestGroup):
    """The request about one prompt, and the parts of its answer, once it is there."""

    run: GenerationRun
    prompt: Prompt
    answer: StepsAnswer | None = None
    is_failed: bool = False
    calls: list[GenerationCall] = field(default_factory=list)

    @property
    def can_be_repaired(self) -> bool:
        return False  # a response that was asked for twice is not what the template asked for

    def new_call(self) -> GenerationCall:
        call = GenerationCall(run=self.run, prompt=self.prompt)
        self.calls.append(call)
        return call

    def note_answer(self, number: int, text: str) -> None:
        is_in_steps = self.run.generator.template.answer_form == GenerationTemplate.AnswerForm.STEPS
        self.answer = read_steps(text) if is_in_steps else StepsAnswer(read_text(text))

    def note_failure(self, number: int) -> None:
        self.answer, self.is_failed = None, True

    @property
    def is_complete(self) -> bool:
        return self.answer is not None or self.is_failed

    @classmethod
    def store(cls, groups: Sequence[Self]) -> ResultCounts:
        return store_results(groups[0].run, [group.result() for group in groups])

    def result(self) -> "NewResult":
        """Return the result about the prompt."""
        return NewResult(
            self.prompt,
            self.answer,
            problem=self.problem,
            prompt_sha256=hash_of(self.messages[1]),
            call=self.calls[-1] if self.calls else None,
            seconds=self.seconds,
        )


@dataclass(frozen=True)
class NewResult:
    """A result that is not stored. `answer` None: it failed, and `problem` says why; `call`: of the answer."""

    prompt: Prompt
    answer: StepsAnswer | None
    problem: str
    prompt_sha256: str = ""
    call: GenerationCall | None = None
    seconds: float | None = None


def prompts_to_answer(run: GenerationRun, *, retry_failed: bool) -> QuerySet[Prompt]:
    """Return the prompts that the run has to answer: the missing ones, without those that failed in this run."""
    return missing_prompts(run.generator, retry_failed=retry_failed).exclude(
        pk__in=GenerationResult.objects.filter(run=run).values("prompt")
    )


def missing_prompts(generator: Generator, *, retry_failed: bool = False) -> QuerySet[Prompt]:
    """Return the prompts without a result, ordered by document. `retry_failed`: those that failed, too."""
    results = GenerationResult.objects.filter(generator=generator)
    if retry_failed:
        results = results.filter(state=GenerationResult.State.STORED)
    prompts = Prompt.objects.filter(dataset=generator.dataset_id).exclude(pk__in=results.values("prompt"))
    return prompts.order_by("document_id", "key")


def iter_requests(run: GenerationRun, prompts: Sequence[int], limit: TokenLimit) -> Iterator[GenerationRequest]:
    """Yield the requests about these prompts (primary keys), which are ordered by document. For a prompt that cannot be
    asked about, a failed result is stored instead: its document is missing, or too long.
    """
    template = run.generator.template
    texts = DocumentTexts(template)
    for chunk in (prompts[start : start + CHUNK] for start in range(0, len(prompts), CHUNK)):
        rows = Prompt.objects.defer("annotations", "metadata", "reference").in_bulk(chunk)
        for prompt in (rows[pk] for pk in chunk if pk in rows):
            context = texts.context_for(prompt)
            messages = build_messages(template, prompt, context)
            if problem := cannot_ask(template, context) or limit.problem_of(messages):
                store_results(run, [NewResult(prompt, None, problem, hash_of(messages))])
            else:
                yield GenerationRequest(run=run, prompt=prompt, messages={1: messages}, schema=None)


def cannot_ask(template: GenerationTemplate, context: str) -> str:
    """Return why the template cannot be used for a prompt; "" if it can."""
    if template.context != GenerationTemplate.Context.NONE and not context.strip():
        return "The prompt has no document, and the template shows one."
    return ""


@transaction.atomic
def store_results(run: GenerationRun, results: Sequence[NewResult]) -> ResultCounts:
    """Store the responses with their results; a failed result of an earlier run is replaced."""
    generator = run.generator
    stored = [result for result in results if result.answer]
    keys = {result.prompt.pk: _source(generator, result).key for result in stored}
    counts = ImportCounts({"responses": 0, "items": 0})
    with Problems() as problems:
        store = Store(generator.dataset, counts, problems)
        for result in stored:
            store.add_response(_source(generator, result))
        store.flush()
    responses = dict(generator.dataset.responses.filter(key__in=keys.values()).values_list("key", "pk"))
    failed = Q(generator=generator, state=GenerationResult.State.FAILED)
    GenerationResult.objects.filter(failed, prompt__in=[result.prompt for result in results]).delete()
    GenerationResult.objects.bulk_create(
        _row(run, result, responses[keys[result.prompt.pk]] if result.answer else None) for result in results
    )
    return ResultCounts(len(stored), len(results) - len(stored))


def _source(generator: Generator, result: NewResult) -> SourceResponse:
    assert result.answer
    key = result.prompt.key
    return SourceResponse(key, key, generator.system, result.answer.answer)


def _row(run: GenerationRun, result: NewResult, response: int | None) -> GenerationResult:
    row = GenerationResult(
        generator=run.generator,
        prompt=result.prompt,
        run=run,
        response_id=response,
        state=GenerationResult.State.STORED if response else GenerationResult.State.FAILED,
        problem="" if response else result.problem,
        prompt_sha256=result.prompt_sha256,
    )
    if result.answer:
        row.question_type = shortened(result.answer.question_type, MAX_TYPE)
        row.steps = shortened(result.answer.steps, MAX_STEPS)
    if call := result.call:
        row.model, row.cost, row.reasoning = call.returned_model, call.cost, call.reasoning
        row.prompt_tokens, row.completion_tokens = call.prompt_tokens, call.completion_tokens
        row.seconds = result.seconds
    return row
