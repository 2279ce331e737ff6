"""The command `factuary`: `check` is a release gate for continuous integration."""

import argparse
import sys
from collections.abc import Sequence

from .client import Client
from .errors import FactuaryError
from .estimates import Estimate
from .reports import Report

PASSED, CROSSED, UNDECIDED = 0, 1, 2
WORDS = {True: "passed   ", False: "FAILED   ", None: "undecided"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 0 within the limit, 1 not, 2 if that cannot be decided."""
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
    options = parser.parse_args(arguments)
    if options.below is None and options.above is None:
        gate.error("give --below, --above or both")
    if options.bound is None and options.below is not None and options.above is not None:
        gate.error("give --bound with --below and --above")
    options.bound = options.bound or ("high" if options.below is not None else "low")
    try:
        with Client(options.url) as client:
            reports = client.projects.get(options.project).reports
            choices = {"judge": options.judge} if options.judge else {}
            return check(reports.get(options.report) if options.report else reports.live(**choices), options)
    except (FactuaryError, KeyError) as error:
        print(f"error: {error.args[0] if error.args else error}", file=sys.stderr)
        return UNDECIDED
    except Exception as error:  # Python's own exit status would be 1, which says that a limit is crossed
        print(f"error: {type(error).__name__}: {error}", file=sys.stderr)
        return UNDECIDED


def check(report: Report, options: argparse.Namespace) -> int:
    """Print a line for each system and return the exit status."""
    limits = [f"{name} {x:g}" for name, x in (("below", options.below), ("above", options.above)) if x is not None]
    results = []
    for system in options.system or report.systems:
        key = (options.measure, system)
        estimate = report.with_judge(*key) if options.judge else report[key]
        results.append(is_within(estimate, options))
        text = f"{WORDS[results[-1]]}  {system}  {options.measure} {estimate}"
        print(f"{text}  (limit: {options.bound} {' and '.join(limits)})")
    if not results:
        print("error: the report has no system", file=sys.stderr)
        return UNDECIDED
    if False in results:
        return CROSSED
    return UNDECIDED if None in results else PASSED


def is_within(estimate: Estimate, options: argparse.Namespace) -> bool | None:
    """Return whether the bound of an estimate is within the limit, None if the bound is undefined."""
    number: float | None = getattr(estimate, options.bound)
    if number is None:
        return None
    is_below = options.below is None or number < options.below
    return is_below and (options.above is None or number > options.above)
