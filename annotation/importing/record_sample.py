"""The first prompts and responses of an import, for the page of its dry run."""

from dataclasses import dataclass, field
from typing import Any

from ..splitting import split_items
from .records import SourcePrompt, SourceResponse

PROMPTS_SHOWN = 3
RESPONSES_SHOWN = 5  # of each prompt
TEXT_LENGTH = 300  # characters of a text


@dataclass
class SampledPrompt:
    """A prompt with its first responses."""

    text: str
    document: str | None = None
    reference: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    responses: list[SourceResponse] = field(default_factory=list)

    def add(self, responses: tuple[SourceResponse, ...]) -> None:
        self.responses += responses[: RESPONSES_SHOWN - len(self.responses)]

    def as_json(self) -> dict[str, Any]:
        """Return the prompt and its responses, each with its number of sentences to rate."""
        fields = {"text": self.text, "document": self.document, "reference": self.reference, "metadata": self.metadata}
        responses = [
            ({"system": response.system, "text": response.text[:TEXT_LENGTH]}, sentences_to_rate(response))
            for response in self.responses
        ]
        shortened = {"text": self.text[:TEXT_LENGTH], "reference": self.reference[:TEXT_LENGTH]}
        return {"prompt": fields | shortened, "responses": responses}


class RecordSample:
    """Collects the first prompts; a prompt may come with each of its responses."""

    def __init__(self) -> None:
        self._prompts: dict[str, SampledPrompt] = {}

    def take_prompt(self, prompt: SourcePrompt) -> None:
        sampled = SampledPrompt(prompt.text, prompt.document, prompt.reference, prompt.metadata)
        self._take(prompt.key, sampled, prompt.responses)

    def take_response(self, response: SourceResponse, prompt_text: str, document: str | None) -> None:
        """Add a response to a stored prompt."""
        self._take(response.prompt, SampledPrompt(prompt_text, document), (response,))

    @property
    def is_full(self) -> bool:
        """Whether no further response can be taken."""
        full = [len(prompt.responses) >= RESPONSES_SHOWN for prompt in self._prompts.values()]
        return len(full) >= PROMPTS_SHOWN and all(full)

    def _take(self, key: str, prompt: SampledPrompt, responses: tuple[SourceResponse, ...]) -> None:
        if key in self._prompts or len(self._prompts) < PROMPTS_SHOWN:
            self._prompts.setdefault(key, prompt).add(responses)

    def as_json(self) -> list[dict[str, Any]]:
        return [prompt.as_json() for prompt in self._prompts.values()]


def sentences_to_rate(response: SourceResponse) -> int | None:
    """Return how many sentences raters would rate; None where the file gives items of other units only."""
    if response.items is None:
        return sum(span.rate for span in split_items(response.text))
    sentences = [item for item in response.items if item.unit == "sentence"]
    return sum(item.rate for item in sentences) if sentences else None
