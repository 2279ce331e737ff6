"""Responses that a language model generates to the prompts of a data set. All of this is for admins."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack

from . import records
from .jobs import Job, counts_of
from .judges import RunOptions
from .records import GenerationResult, GenerationRun, GenerationTemplate  # noqa: F401 -- as in earlier versions
from .resources import RecordWithMethods, Rows, check_options


@dataclass(frozen=True, kw_only=True)
class Generator(records.Generator, RecordWithMethods):
    """The settings of a system, which never change, and for how many prompts there is a response."""

    @property
    def _path(self) -> str:
        return f"{self._parent}generators/{self.id}/"

    def count_tokens(self) -> Job[Mapping[str, Any]]:
        """Start a job that counts the tokens of the missing responses; nothing is sent to the model.

        Its result has `prompts`, `prompt_tokens`, `most_completion_tokens`, `most_cost_usd`, `too_long` and others.
        """
        return self._start(counts_of, "token-counts/")

    def run(self, **options: Unpack[RunOptions]) -> Job[Mapping[str, Any]]:
        """Start a job that generates the missing responses. ConflictError while one does.

        Its result has `new`, `failed`, `missing`, `ended`, `requests`, `tokens` and `cost_usd`.
        """
        check_options(RunOptions, options)
        return self._start(counts_of, "runs/", **options)

    def runs(self) -> Rows[records.GenerationRun]:
        """Return the runs, the newest first."""
        return self._rows(records.GenerationRun, "runs/")

    def results(self, state: str | None = None) -> Rows[records.GenerationResult]:
        """Return the responses and failures, or those in one state: `stored` or `failed`."""
        return self._rows(records.GenerationResult, "results/", state=state)
