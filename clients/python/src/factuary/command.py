"""The command `factuary`: `check` is a release gate for continuous integration."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from .client import Client
from .errors import FactuaryError
from .estimates import Estimate
from .reports import Report

PASSED, CROSSED, UNDECIDED = 0, 1, 2


@dataclass(frozen=True)
class Limit:
    """A limit of a bound (`value`, `low` or `high`) of an estimate."""

    bound: str
    below: float | None
    above: float | None

    def holds(self, estimate: Estimate) -> bool | None:
        """Return whether the bound is within the limit, None if the bound is undefined."""
        number: float | None = getattr(estimate, self.bound)
        if number is None:
            return None
        return (self.below is None or number < self.below) and (self.above is None or number > self.above)

    def __str__(self) -> str:
        """Return such as "high below 0.02"."""
        limits = [f"below {self.below:g}"] if self.below is not None else []
        limits += [f"above {self.above:g}"] if self.above is not None else []
        return f"{self.bound} {' and '.join(limits)}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 0 within the limit, 1 not, 2 if that cannot be decided."""
    options = _parser().parse_args(arguments)
    try:
        with Client(options.url) as client:
            reports = client.projects.get(options.project).reports
            choices = {"judge": options.judge} if options.judge else {}
            report = reports.get(options.report) if options.report else reports.live(**choices)
            return check(report, options.measure, options.system, limit_of(options), judge=options.judge)
    except (FactuaryError, KeyError) as error:
        print(f"error: {error.args[0] if error.args else error}", file=sys.stderr)
        return UNDECIDED
    except Exception as error:  # Python's own exit status would be 1, which says that a limit is crossed
        print(f"error: {type(error).__name__}: {error}", file=sys.stderr)
        return UNDECIDED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="factuary", description="Work with a Factuary site.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    gate = commands.add_parser(
        "check",
        help="check that a measure is within a limit",
        description="Exit with 0 if the bound of every system's estimate is within the limit, with 1 if one is not, "
        "and with 2 if that cannot be decided. The token is read from FACTUARY_TOKEN.",
    )
    gate.add_argument("project", metavar="PROJECT")
    gate.add_argument("--measure", required=True, help="such as severely_inaccurate")
    gate.add_argument("--below", type=float, metavar="X", help="the bound must be smaller than this")
    gate.add_argument("--above", type=float, metavar="X", help="the bound must be larger than this")
    gate.add_argument("--bound", choices=["value", "low", "high"], help="default: high with --below, low with --above")
    gate.add_argument("--system", action="append", help="check this system (once or more; default: all)")
    gate.add_argument("--report", metavar="ID", help="a frozen report (default: the present ratings)")
    gate.add_argument("--judge", metavar="NAME", help="the estimates from people's ratings and this judge")
    gate.add_argument("--url", metavar="ADDRESS", help="of the site (default: FACTUARY_URL)")
    gate.set_defaults(parser=gate)
    return parser


def limit_of(options: argparse.Namespace) -> Limit:
    """Return the limit that the options name. Exits with 2 where they name none."""
    if options.below is None and options.above is None:
        options.parser.error("give --below, --above or both")
    if options.bound is None and options.below is not None and options.above is not None:
        options.parser.error("give --bound with --below and --above")
    return Limit(options.bound or ("high" if options.below is not None else "low"), options.below, options.above)


def check(
    report: Report, measure: str, systems: Sequence[str] | None, limit: Limit, *, judge: str | None = None
) -> int:
    """Print a line for each system and return the exit status."""
    results = []
    for system in systems or report.systems:
        estimate = report.with_judge(measure, system) if judge else report[measure, system]
        results.append(limit.holds(estimate))
        print(f"{_word(results[-1])}  {system}  {measure} {estimate}  (limit: {limit})")
    if not results:
        print("error: the report has no system", file=sys.stderr)
        return UNDECIDED
    if False in results:
        return CROSSED
    return UNDECIDED if None in results else PASSED


def _word(holds: bool | None) -> str:
    return "undecided" if holds is None else "passed   " if holds else "FAILED   "
