"""The messages of a request: the template with a prompt and what it shows of the document."""

import hashlib
import json

from ..importing.retrieved_responses import SEPARATOR, text_of
from ..model_calls.prompt_templates import fill
from ..model_calls.request_bodies import Messages
from ..models import Document, GenerationTemplate, Prompt
from ..retrieval import Retriever

RETRIEVAL_METHOD = "rag-chunks"
"""How passages are retrieved for templates that show passages: five chunks of 1,000 characters."""


class DocumentTexts:
    """What a template shows of the current document: prompts come ordered by document."""

    def __init__(self, template: GenerationTemplate):
        self._context = template.context
        self._pk: int | None = None
        self._text = ""
        self._retriever: Retriever | None = None

    def context_for(self, prompt: Prompt) -> str:
        """Return the text of the document, or its passages for the prompt; "" where there is nothing to show."""
        if self._context == GenerationTemplate.Context.NONE or prompt.document_id is None:
            return ""
        if prompt.document_id != self._pk:
            self._pk, self._text = prompt.document_id, text_of(Document.objects.get(pk=prompt.document_id))
            if self._context == GenerationTemplate.Context.PASSAGES:
                self._retriever = Retriever(self._text, RETRIEVAL_METHOD)
        return SEPARATOR.join(self._retriever.best(prompt.text)) if self._retriever else self._text


def build_messages(template: GenerationTemplate, prompt: Prompt, context: str) -> Messages:
    """Return the messages that ask for the response to a prompt. `context`: of the document, or its passages."""
    return [{"role": "user", "content": fill(template.text, {"document": context, "prompt": prompt.text})}]


def hash_of(messages: Messages) -> str:
    """Return the SHA-256 of the messages as JSON."""
    return hashlib.sha256(json.dumps(messages, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
