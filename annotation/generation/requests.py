"""The requests of a run, one a prompt, and what is stored of their answers: responses and results."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
    """The request about one prompt, its last call, and the parts of the answer, once it is there."""

    run: GenerationRun
    prompt: Prompt
    answer: StepsAnswer | None = None
    is_failed: bool = False
    call: GenerationCall | None = None

    @property
    def can_be_repaired(self) -> bool:
        return False  # a response that was asked for twice is not what the template asked for

    def new_call(self) -> GenerationCall:
        self.call = GenerationCall(run=self.run, prompt=self.prompt)
        return self.call

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
        return store_results(groups)


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
            request = GenerationRequest(run=run, prompt=prompt, messages={1: messages}, schema=None)
            request.problem = cannot_ask(template, context) or limit.problem_of(messages)
            if request.problem:
                store_results([request])
            else:
                yield request


def cannot_ask(template: GenerationTemplate, context: str) -> str:
    """Return why the template cannot be used for a prompt; "" if it can."""
    if template.context != GenerationTemplate.Context.NONE and not context.strip():
        return "The prompt has no document, and the template shows one."
    return ""


@transaction.atomic
def store_results(requests: Sequence[GenerationRequest]) -> ResultCounts:
    """Store the responses of one run with their results; a failed result of an earlier run is replaced."""
    run, generator = requests[0].run, requests[0].run.generator
    sources = {
        request.prompt.pk: SourceResponse(
            request.prompt.key, request.prompt.key, generator.system, request.answer.answer
        )
        for request in requests
        if request.answer
    }
    with Problems() as problems:
        store = Store(generator.dataset, ImportCounts({"responses": 0, "items": 0}), problems)
        for source in sources.values():
            store.add_response(source)
        store.flush()
    stored = generator.dataset.responses.filter(key__in=[source.key for source in sources.values()])
    responses = dict(stored.values_list("key", "pk"))
    rows = []
    for request in requests:
        row = GenerationResult(
            generator=generator,
            prompt=request.prompt,
            run=run,
            state=GenerationResult.State.FAILED,
            problem=request.problem,
            prompt_sha256=hash_of(request.messages[1]),
        )
        if request.answer:
            row.state, row.problem = GenerationResult.State.STORED, ""
            row.response_id = responses[sources[request.prompt.pk].key]
            row.question_type = shortened(request.answer.question_type, MAX_TYPE)
            row.steps = shortened(request.answer.steps, MAX_STEPS)
        if call := request.call:
            row.model, row.cost, row.reasoning = call.returned_model, call.cost, call.reasoning
            row.prompt_tokens, row.completion_tokens = call.prompt_tokens, call.completion_tokens
            row.seconds = request.seconds
        rows.append(row)
    failed = Q(generator=generator, state=GenerationResult.State.FAILED)
    GenerationResult.objects.filter(failed, prompt__in=[request.prompt for request in requests]).delete()
    GenerationResult.objects.bulk_create(rows)
    return ResultCounts(len(sources), len(requests) - len(sources))
