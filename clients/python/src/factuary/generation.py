"""Responses that a language model generates to the prompts of a data set. All of this is for admins."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from .connection import Connection
from .jobs import Job
from .records import Rows


@dataclass(frozen=True)
class GenerationTemplate:
    """A version of a prompt template, as `NAME@N`. `context`: what it shows of the document."""

    template: str
    name: str
    version: int
    text: str
    context: str
    answer_form: str
    created_at: datetime


@dataclass(frozen=True)
class GenerationRun:
    """A run with what it has stored so far. `ended` says why it has ended; empty: it has not."""

    id: str | None
    number: int
    started_at: datetime
    started_by: str | None
    ended_at: datetime | None
    ended: str
    problem: str
    limit: int | None
    budget_usd: float | None
    budget_tokens: int | None
    stored: int
    failed: int
    requests: int
    tokens: int
    cost_usd: float | None


@dataclass(frozen=True)
class GenerationResult:
    """A response and how it was made, or why there is none. `prompt` and `response` are imported ids."""

    prompt: str
    response: str | None
    text: str | None
    state: str
    problem: str
    question_type: str
    steps: str
    reasoning: str
    returned_model: str
    prompt_sha256: str
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_usd: float | None
    seconds: float | None
    created_at: datetime


@dataclass(frozen=True)
class Generator:
    """The settings of a system, which never change, and for how many prompts there is a response."""

    id: str
    system: str
    base_url: str
    model: str
    key_env: str
    template: str
    temperature: float
    max_tokens: int
    context_tokens: int | None
    timeout: float
    concurrency: int
    requests_per_minute: int | None
    input_price: str | None
    output_price: str | None
    returned_model: str | None
    has_key: bool
    created_at: datetime
    stored: int
    failed: int
    missing: int
    cost_usd: float | None
    _connection: Connection = field(repr=False, compare=False)
    _dataset: str = field(repr=False, compare=False)

    @property
    def _path(self) -> str:
        return f"datasets/{self._dataset}/generators/{self.id}/"

    def count_tokens(self) -> Job[Mapping[str, Any]]:
        """Start a job that counts the tokens of the missing responses; nothing is sent to the model.

        Its result has `prompts`, `prompt_tokens`, `most_completion_tokens`, `most_cost_usd`, `too_long` and others.
        """
        answer = self._connection.post(f"{self._path}token-counts/")
        return Job(self._connection, answer["id"], lambda job: job.result or {})

    def run(
        self,
        *,
        limit: int | None = None,
        budget_usd: float | None = None,
        budget_tokens: int | None = None,
        retry_failed: bool = False,
    ) -> Job[Mapping[str, Any]]:
        """Start a job that generates the missing responses. ConflictError while one does.

        Its result has `new`, `failed`, `missing`, `ended`, `requests`, `tokens` and `cost_usd`.
        """
        body = {
            "limit": limit,
            "budget_usd": budget_usd,
            "budget_tokens": budget_tokens,
            "retry_failed": retry_failed,
        }
        answer = self._connection.post(f"{self._path}runs/", body)
        return Job(self._connection, answer["id"], lambda job: job.result or {})

    def runs(self) -> Rows[GenerationRun]:
        """Return the runs, the newest first."""
        return Rows(self._connection, f"{self._path}runs/", GenerationRun, {})

    def results(self, state: str | None = None) -> Rows[GenerationResult]:
        """Return the responses and failures, or those in one state: `stored` or `failed`."""
        return Rows(self._connection, f"{self._path}results/", GenerationResult, {"state": state})
