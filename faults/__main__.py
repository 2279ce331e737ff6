"""Runs the scenarios: `python -m faults [--short] [--broker-seconds N] [SCENARIO...]`.

A JSON object for each on standard output, and a table of all at the end on standard error. The exit status is 1 if a
promise was broken.
"""

import argparse
import json
import os
import signal
import sys
from typing import Any

from .scenarios import load_all
from .site import PARTS, Site

COLUMNS = {
    "saves": "saves", "lost": "lost", "doubled": "doubled", "over_assigned": "over-assigned",
    "tallies_unequal": "tallies", "jobs": "jobs", "jobs_resumed": "resumed", "jobs_stuck": "stuck",
    "longest_gap": "longest gap, s",
}  # fmt: skip


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m faults", description=__doc__)
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="names of scenarios; all without")
    parser.add_argument("--short", action="store_true", help="the scenarios of the test suite, with short outages")
    parser.add_argument("--broker-seconds", type=float, default=600, help="how long the broker is gone (600)")
    parser.add_argument("--list", action="store_true", help="list the scenarios")
    parser.add_argument("--keep", action="store_true", help="keep the site's folder, with its logs")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    site = Site.new()
    try:
        return _run_on(site, options)
    finally:
        if options.keep:
            print(f"logs: {site.folder}", file=sys.stderr)
        site.remove(keep_logs=options.keep)


def _run_on(site: Site, options: argparse.Namespace) -> int:
    site.start_services()
    os.environ |= site.environment() | {"LOG_LEVEL": "CRITICAL"}
    import django
    from django.core.management import call_command

    django.setup()
    load_all()
    from . import situation, study

    names = options.scenarios or [s.name for s in situation.SCENARIOS.values() if s.is_short or not options.short]
    if options.list:
        print("\n".join(situation.SCENARIOS))
        return 0
    if unknown := set(names) - set(situation.SCENARIOS):
        print(f"error: no scenario is called {', '.join(sorted(unknown))}: see --list", file=sys.stderr)
        return 1
    call_command("migrate", interactive=False, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    tokens = study.load(site.folder, study.SHORT_PROMPTS if options.short else study.PROMPTS)
    site.start(*PARTS)
    cookie = study.session_cookie()
    scenario_options = situation.Options(options.short, options.broker_seconds, pause=0.2 if options.short else 0.08)
    results = []
    for name in names:
        print(f"{name} …", file=sys.stderr, flush=True)
        results.append(situation.run(situation.SCENARIOS[name], site, tokens, cookie, scenario_options))
        print(json.dumps(results[-1]), flush=True)
    print(table(results), file=sys.stderr)
    return int(not all(result["kept"] for result in results))


def table(results: list[dict[str, Any]]) -> str:
    """Return the results as a Markdown table."""
    head = ["scenario", *COLUMNS.values(), "answers", "kept"]
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for result in results:
        answers = ", ".join(f"{status}: {n}" for status, n in result["answers"].items())
        cells = [str(result[name]) for name in COLUMNS]
        lines.append(f"| {' | '.join([result['scenario'], *cells, answers, 'yes' if result['kept'] else '**no**'])} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
