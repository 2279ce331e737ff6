from datetime import timedelta
from typing import Any

from django.core.management.base import CommandParser

from ...judging.estimate import estimate_run
from ...judging.judges import find_judge
from ...judging.run import result_json, run_judge
from ...model_calls.runs import RunResult
from ...models import Judge, JudgeRun, Project
from ..base_command import FactuaryCommand, add_json, get_project
from ..endpoint_arguments import add_run_limits, run_limits


class Command(FactuaryCommand):
    help = (
        "Let a judge rate the items of a project that have no verdict of it yet, and wait until it has. Its ratings "
        "have the role judge and never count. Again: only what is missing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the newest version, or NAME@N")
        parser.add_argument("--project", required=True, metavar="SLUG")
        add_run_limits(parser, JudgeRun)
        parser.add_argument(
            "--estimate", action="store_true", help="ask about ten items, and print what the whole run will cost"
        )
        add_json(parser)

    def work(self, **options: Any) -> None:
        project, judge = get_project(options["project"]), find_judge(options["name"])
        if options["estimate"]:
            self._estimate(judge, project, options)
            return
        with self.progress() as progress:
            result = run_judge(judge, project, run_limits(options), progress=progress)
        self.show(self._lines(result), result_json(result), json_wanted=options["json"])

    def _estimate(self, judge: Judge, project: Project, options: dict[str, Any]) -> None:
        with self.progress() as progress:
            estimate = estimate_run(judge, project, limit=options["limit"], progress=progress)
        cost = "unknown without prices" if estimate.cost_usd is None else f"USD {estimate.cost_usd:.4f}"
        lines = [
            f"{estimate.items:,} {_noun(judge)}, by {estimate.tried} tried: requests {estimate.requests:,}, "
            f"tokens {estimate.tokens:,}, cost {cost}, time {timedelta(seconds=round(estimate.seconds))}"
        ]
        self.show(lines, estimate.as_json(), json_wanted=options["json"])

    def _lines(self, result: RunResult[JudgeRun]) -> list[str]:
        judge = result.run.judge
        lines = [f"judge {judge.label}: {result.new:,} of {result.total:,} {_noun(judge)} rated in this run"]
        if result.calls.requests or result.calls.cached:
            cost = "" if result.cost_usd is None else f", USD {result.cost_usd:.4f}"
            requests = f"requests: {result.calls.requests:,}, from the cache: {result.calls.cached:,}"
            lines.append(f"{requests}, tokens: {result.tokens:,}{cost}")
        if result.failed:
            lines.append(f"failed: {result.failed:,}")
        if result.missing:
            lines.append(f"without a verdict: {result.missing:,}")
        return lines


def _noun(judge: Judge) -> str:
    return "responses" if judge.fact_qa else "items"
