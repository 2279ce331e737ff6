"""The judges of a project: models or rules that rate beside people."""

from collections.abc import Iterator, Mapping
from typing import Any, TypedDict, Unpack

from . import records
from .decoding import decode
from .jobs import Job
from .records import Estimate, JudgeRequest, Run, RunResult, TunedItem, Verdict  # noqa: F401 -- as in earlier versions
from .records import ProjectJudge as Judge  # noqa: F401 -- its earlier name
from .resources import Resource, Rows, check_options


class RunOptions(TypedDict, total=False):
    """What bounds a run: at most `limit` items or responses, and budgets of the whole run.

    `retry_failed` repeats what an earlier run failed at.
    """

    limit: int | None
    budget_usd: float | None
    budget_tokens: int | None
    retry_failed: bool


class Judges(Resource):
    """The judges of a project. `judge` is a name (its newest version) or `NAME@N`."""

    def __iter__(self) -> Iterator[records.ProjectJudge]:
        """Yield the judges that can rate in the project, with what each has rated and what it cost."""
        return iter(self._get(records.ProjectJudges, "judges/").judges)

    def run(self, judge: str, **options: Unpack[RunOptions]) -> Job[records.RunResult]:
        """Start a job in which the judge rates what is missing. ConflictError while it rates here."""
        check_options(RunOptions, options)
        return self._start(lambda job: decode(records.RunResult, job.result), "judge-runs/", judge=judge, **options)

    def estimate(self, judge: str, *, limit: int | None = None) -> Job[records.Estimate]:
        """Start a job that asks the judge about at most ten items to estimate requests, tokens, cost and time."""
        body = {"judge": judge, "limit": limit, "estimate": True}
        return self._start(lambda job: decode(records.Estimate, job.result), "judge-runs/", **body)

    def runs(self, judge: str | None = None) -> Rows[records.Run]:
        """Return the runs, the newest first."""
        return self._rows(records.Run, "judge-runs/", judge=judge)

    def verdicts(self, judge: str, *, state: str | None = None, option: str | None = None) -> Rows[records.Verdict]:
        """Return what the judge said. `state`: `rated`, `failed`, `quote_not_found` or `differs`."""
        return self._rows(records.Verdict, "verdicts/", judge=judge, state=state, option=option)

    def requests(self, judge: str, *, run: int | None = None, state: str | None = None) -> Rows[records.JudgeRequest]:
        """Return the stored requests with their answers. `run`: the `number` of one; `state`: such as `failed`."""
        return self._rows(records.JudgeRequest, "judge-requests/", judge=judge, run=run, state=state)

    def delete_requests(self, judge: str) -> int:
        """Delete the stored requests with their answers and return how many. For admins.

        Verdicts, ratings and costs stay.
        """
        return int(self._json("DELETE", "judge-requests/", query={"judge": judge})["deleted"])

    def tuning_items(self, judge: str, version: int) -> Rows[records.TunedItem]:
        """Return the items of the project's data set that tuned this version or an earlier one."""
        return self._rows(records.TunedItem, f"judges/{judge}/{version}/tuning-items/")

    def plan(self, judge: str, *, further: int = 200, system: str | None = None) -> records.JudgePlan:
        """Return the margins with `further` ratings of people, with the judge and without, and what it is worth."""
        return self._get(records.JudgePlan, "planner/judge/", judge=judge, further=further, system=system)

    def comparison(self, judge: str, version: int) -> Mapping[str, Any]:
        """Return the judge against people, as `compare_judge --json` prints it."""
        figures: Mapping[str, Any] = self._json("GET", f"judges/{judge}/{version}/comparison/")
        return figures

    def fact_qa(self, judge: str) -> Mapping[str, Any]:
        """Return the Fact-QA figures of a judge, as `fact_qa_scores --json` prints them."""
        figures: Mapping[str, Any] = self._json("GET", "fact-qa/", query={"judge": judge})
        return figures
