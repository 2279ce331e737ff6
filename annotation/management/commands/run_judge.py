from datetime import timedelta
from typing import Any

from django.core.management.base import CommandParser

from ...jobs import Refused
from ...judging.estimate import estimate_run
from ...judging.judges import find_judge
from ...judging.run import RunResult, run_judge
from ...models import Judge, Project
from ..base_command import FactuaryCommand, add_json, get_project
from .create_judge import usd


class Command(FactuaryCommand):
    help = (
        "Let a judge rate the items of a project that have no verdict of it yet, and wait until it has. Its ratings "
        "have the role judge and never count. Again: only what is missing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the newest version, or NAME@N")
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument("--limit", type=int, metavar="N", help="rate at most N items")
        parser.add_argument("--budget-usd", type=usd, metavar="X", help="stop before this run costs more")
        parser.add_argument(
            "--budget-tokens", type=int, metavar="N", help="stop before requests and answers have more tokens"
        )
        parser.add_argument("--retry-failed", action="store_true", help="rate the items again whose verdict failed")
        parser.add_argument(
            "--estimate", action="store_true", help="ask about ten items, and print what the whole run will cost"
        )
        add_json(parser)

    def work(self, **options: Any) -> None:
        project, judge = get_project(options["project"]), find_judge(options["name"])
        if options["limit"] is not None and options["limit"] < 1:
            raise Refused(["--limit must be at least 1"])
        if options["budget_tokens"] is not None and options["budget_tokens"] < 1:
            raise Refused(["--budget-tokens must be at least 1"])
        if options["estimate"]:
            self._estimate(judge, project, options)
            return
        with self.progress() as progress:
            result = run_judge(
                judge,
                project,
                limit=options["limit"],
                budget_usd=options["budget_usd"],
                budget_tokens=options["budget_tokens"],
                retry_failed=options["retry_failed"],
                progress=progress,
            )
        self.show(self._lines(result), result.as_json(), json_wanted=options["json"])

    def _estimate(self, judge: Judge, project: Project, options: dict[str, Any]) -> None:
        with self.progress() as progress:
            estimate = estimate_run(judge, project, limit=options["limit"], progress=progress)
        cost = "unknown without prices" if estimate.cost_usd is None else f"USD {estimate.cost_usd:.4f}"
        lines = [
            f"{estimate.items:,} {_noun(judge)}, by {estimate.tried} tried: requests {estimate.requests:,}, "
            f"tokens {estimate.tokens:,}, cost {cost}, time {timedelta(seconds=round(estimate.seconds))}"
        ]
        self.show(lines, estimate.as_json(), json_wanted=options["json"])

    def _lines(self, result: RunResult) -> list[str]:
        judge = result.run.judge
        lines = [f"judge {judge.label}: {result.rated:,} of {result.items:,} {_noun(judge)} rated in this run"]
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
