"""The results of a generator as a file: one JSON object a line, in the order in which they were stored."""

import json
from collections.abc import Iterator

from ..models import GenerationResult, Generator

CHUNK = 500
PARAMETERS = ("temperature", "max_tokens", "context_tokens")


def export_results(generator: Generator) -> Iterator[bytes]:
    """Yield a line for each result: prompt and response (imported ids), text, and how it was made. Costs are USD.

    `model`: the one requested; `returned_model`: the one that the endpoint named. A failed result has no response.
    """
    settings = {
        "system": generator.system,
        "model": generator.model,
        "template": generator.template.label,
        "parameters": {name: getattr(generator, name) for name in PARAMETERS},
    }
    results = GenerationResult.objects.filter(generator=generator).select_related("prompt", "response").order_by("pk")
    results = results.defer("prompt__annotations", "prompt__metadata", "prompt__reference", "prompt__text")
    for result in results.iterator(chunk_size=CHUNK):
        response = result.response
        line = {
            "prompt": result.prompt.key,
            "response": response.key if response else None,
            "text": response.text if response else None,
            "state": result.state,
            "problem": result.problem,
            **settings,
            "returned_model": result.model,
            "question_type": result.question_type,
            "steps": result.steps,
            "reasoning": result.reasoning,
            "prompt_sha256": result.prompt_sha256,
            "prompt_tokens": result.prompt_tokens,
            "completion_tokens": result.completion_tokens,
            "cost": None if result.cost is None else float(result.cost),
            "seconds": result.seconds,
        }
        yield (json.dumps(line, ensure_ascii=False) + "\n").encode()
