"""The judges of a project: models or rules that rate beside people."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from .connection import Connection
from .jobs import Job
from .plans import JudgePlan
from .records import Rows, decode


@dataclass(frozen=True)
class Estimate:
    """What rating all missing `items` will take, by `tried` ones."""

    judge: str
    items: int
    tried: int
    requests: int
    tokens: int | None
    cost_usd: float | None
    seconds: float


@dataclass(frozen=True)
class Judge:
    """A judge in a project, as `NAME@N`: `rated` and `failed` of `items`. `model` or `rule` is empty."""

    judge: str
    rule: str
    model: str
    returned_model: str | None
    items: int
    rated: int
    failed: int
    cost_usd: float | None
    last_run_at: datetime | None
    estimate: Estimate | None
    problem: str


@dataclass(frozen=True)
class RunResult:
    """What a run did: `new` items are rated, `missing` have no verdict after it."""

    judge: str
    items: int
    new: int
    failed: int
    missing: int
    ended: str
    requests: int
    cached: int
    unanswered: int
    tokens: int | None
    cost_usd: float | None


@dataclass(frozen=True)
class Run:
    """A run with what it has rated so far. `ended` says why it has ended; empty: it has not.

    `problem`: the error that ended it. `still_failed`: of `failed`, those that no later run has repeated.
    """

    id: str | None
    number: int
    judge: str
    is_estimate: bool
    started_at: datetime
    started_by: str | None
    ended_at: datetime | None
    ended: str
    problem: str
    limit: int | None
    budget_usd: float | None
    budget_tokens: int | None
    rated: int
    failed: int
    still_failed: int
    requests: int
    tokens: int
    fingerprints: int
    cost_usd: float | None
    passage_ranking: int | None


@dataclass(frozen=True)
class Verdict:
    """What a judge said about an item, or why there is no rating."""

    response: str
    item: int
    item_id: str
    text: str
    state: str
    answers: Mapping[str, Any] | None
    reason: str
    quote: str
    quote_found: bool | None
    confidence: float | None
    votes: tuple[Mapping[str, Any] | None, ...]
    problem: str
    fingerprints: str
    cost_usd: float | None


@dataclass(frozen=True)
class JudgeRequest:
    """A request of a judge with its answer, as it was sent and received. `item`: the first that it is about."""

    run: int
    response: str
    item: int
    item_id: str
    sample: int
    attempt: int
    is_repair: bool
    state: str
    request: Mapping[str, Any]
    answer: str
    reasoning: str
    answer_body: Mapping[str, Any] | None
    returned_model: str
    system_fingerprint: str
    finish_reason: str
    confidence: float | None
    http_status: int | None
    error: str
    prompt_tokens: int | None
    completion_tokens: int | None
    is_estimated: bool
    cost_usd: float | None
    sent_at: datetime
    answered_at: datetime | None


@dataclass(frozen=True)
class TunedItem:
    """An item that tuned the prompt of a judge. `response` and `against` (of a pair) are imported ids."""

    response: str
    against: str | None
    unit: str
    item: int
    item_id: str
    text: str


class Judges:
    """The judges of a project. `judge` is a name (its newest version) or `NAME@N`."""

    def __init__(self, connection: Connection, project: str) -> None:
        self._connection, self._path = connection, f"projects/{project}/"

    def __iter__(self) -> Any:
        """Yield the judges that can rate in the project, with what each has rated and what it cost."""
        for each in self._connection.get(f"{self._path}judges/")["judges"]:
            yield decode(Judge, each)

    def run(
        self,
        judge: str,
        *,
        limit: int | None = None,
        budget_usd: float | None = None,
        budget_tokens: int | None = None,
        retry_failed: bool = False,
    ) -> Job[RunResult]:
        """Start a job in which the judge rates what is missing. ConflictError while it rates here."""
        body = {
            "judge": judge,
            "limit": limit,
            "budget_usd": budget_usd,
            "budget_tokens": budget_tokens,
            "retry_failed": retry_failed,
        }
        started = self._connection.post(f"{self._path}judge-runs/", body)
        return Job(self._connection, started["id"], lambda job: decode(RunResult, job.result))

    def estimate(self, judge: str, *, limit: int | None = None) -> Job[Estimate]:
        """Start a job that asks the judge about at most ten items to estimate requests, tokens, cost and time."""
        body = {"judge": judge, "limit": limit, "estimate": True}
        started = self._connection.post(f"{self._path}judge-runs/", body)
        return Job(self._connection, started["id"], lambda job: decode(Estimate, job.result))

    def runs(self, judge: str | None = None) -> Rows[Run]:
        """Return the runs, the newest first."""
        return Rows(self._connection, f"{self._path}judge-runs/", Run, {"judge": judge})

    def verdicts(self, judge: str, *, state: str | None = None, option: str | None = None) -> Rows[Verdict]:
        """Return what the judge said. `state`: `rated`, `failed`, `quote_not_found` or `differs`."""
        query = {"judge": judge, "state": state, "option": option}
        return Rows(self._connection, f"{self._path}verdicts/", Verdict, query)

    def requests(self, judge: str, *, run: int | None = None, state: str | None = None) -> Rows[JudgeRequest]:
        """Return the stored requests with their answers. `run`: the `number` of one; `state`: such as `failed`."""
        query = {"judge": judge, "run": run, "state": state}
        return Rows(self._connection, f"{self._path}judge-requests/", JudgeRequest, query)

    def delete_requests(self, judge: str) -> int:
        """Delete the stored requests with their answers and return how many. For admins.

        Verdicts, ratings and costs stay.
        """
        return int(self._connection.delete(f"{self._path}judge-requests/", {"judge": judge})["deleted"])

    def tuning_items(self, judge: str, version: int) -> Rows[TunedItem]:
        """Return the items of the project's data set that tuned this version or an earlier one."""
        return Rows(self._connection, f"{self._path}judges/{judge}/{version}/tuning-items/", TunedItem, {})

    def plan(self, judge: str, *, further: int = 200, system: str | None = None) -> JudgePlan:
        """Return the margins with `further` ratings of people, with the judge and without, and what it is worth."""
        query = {"judge": judge, "further": further, "system": system}
        return decode(JudgePlan, self._connection.get(f"{self._path}planner/judge/", query))

    def comparison(self, judge: str, version: int) -> Mapping[str, Any]:
        """Return the judge against people, as `compare_judge --json` prints it."""
        figures: Mapping[str, Any] = self._connection.get(f"{self._path}judges/{judge}/{version}/comparison/")
        return figures

    def fact_qa(self, judge: str) -> Mapping[str, Any]:
        """Return the Fact-QA figures of a judge, as `fact_qa_scores --json` prints them."""
        figures: Mapping[str, Any] = self._connection.get(f"{self._path}fact-qa/", {"judge": judge})
        return figures
