"""How many tokens a run will send, what it will cost at most, and which documents are too long: nothing is sent."""

from dataclasses import dataclass, field
from decimal import Decimal

from ..jobs import Progress
from ..model_calls.costs import cost_of
from ..models import Generator, Job
from .prompts import DocumentTexts, build_messages
from .requests import cannot_ask, missing_prompts
from .token_limits import TokenLimit

COUNT_TOKENS = "count_generation_tokens"
"""The kind of the job."""
MAX_NAMED = 20
"""Documents that are too long, of which so many are named."""


@dataclass
class TokenCounts:
    """What answering the missing prompts will take, about. Costs are USD, None without prices.

    `prompts`: those whose request can be sent; `without_document`, `too_long`: those whose request cannot.
    `prompt_tokens`: of all requests that can be sent; `longest`: of the longest of them;
    `most_completion_tokens`: if each answer were as long as allowed; `measured`: answered requests by which tokens are
    estimated. `too_long_named`: the first MAX_NAMED prompts that are too long: `{"document", "prompt", "tokens"}`.
    """

    prompts: int = 0
    without_document: int = 0
    too_long: int = 0
    too_long_named: list[dict[str, object]] = field(default_factory=list)
    prompt_tokens: int = 0
    longest: int = 0
    most_completion_tokens: int = 0
    most_cost_usd: Decimal | None = None
    tokens_per_character: float = 0.0
    measured: int = 0

    def as_json(self) -> dict[str, object]:
        cost = None if self.most_cost_usd is None else float(self.most_cost_usd)
        return {**vars(self), "most_cost_usd": cost, "tokens_per_character": round(self.tokens_per_character, 4)}


def count_tokens(generator: Generator, progress: Progress | None = None) -> TokenCounts:
    """Count the tokens of the requests for all prompts without a result."""
    progress, template = progress or Progress(), generator.template
    limit, texts = TokenLimit.of(generator), DocumentTexts(template)
    counts = TokenCounts(tokens_per_character=limit.tokens_per_character, measured=limit.measured)
    prompts = (
        missing_prompts(generator).select_related("document").defer("annotations", "metadata", "document__sections")
    )
    total = prompts.count()
    for number, prompt in enumerate(prompts.iterator(), 1):
        context = texts.context_for(prompt)
        messages = build_messages(template, prompt, context)
        tokens = limit.tokens_of(messages)
        if cannot_ask(template, context):
            counts.without_document += 1
        elif limit.problem_of(messages):
            counts.too_long += 1
            if len(counts.too_long_named) < MAX_NAMED:
                document = prompt.document.key if prompt.document else ""
                counts.too_long_named.append({"document": document, "prompt": prompt.key, "tokens": tokens})
        else:
            counts.prompts += 1
            counts.prompt_tokens += tokens
            counts.longest = max(counts.longest, tokens)
        progress(number, total)
    counts.most_completion_tokens = counts.prompts * generator.max_tokens
    counts.most_cost_usd = cost_of(generator, counts.prompt_tokens, counts.most_completion_tokens)
    return counts


def count_tokens_job(job: Job, progress: Progress) -> dict[str, object]:
    """Run a job of kind `count_generation_tokens`, with `generator` in its params."""
    generator = Generator.objects.select_related("template", "dataset").get(pk=job.params["generator"])
    return count_tokens(generator, progress).as_json()
