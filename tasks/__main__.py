"""Run the worker or beat: `python -m tasks worker`, `python -m tasks beat`.

Celery's own command line also starts them, but loads an interactive shell first: 14 MB in each process.
"""

import os
import sys
from argparse import ArgumentParser, Namespace


def run_worker(options: Namespace) -> int:
    """Work until asked to stop; return the exit status."""
    from tasks.app import app

    worker = app.Worker(
        hostname=options.hostname,
        concurrency=options.concurrency,
        queues=options.queues,
        loglevel=log_level(),
        without_gossip=True,  # workers need nothing of one another
        without_mingle=True,
    )
    worker.start()
    return worker.exitcode or 0


def run_beat(_options: Namespace) -> int:
    """Send the tasks of the schedule until asked to stop; return the exit status."""
    from tasks.beat import app

    app.Beat(loglevel=log_level()).run()
    return 0


def log_level() -> str:
    """Return the level of the log; Celery's loggers do not take it from Django's settings."""
    return os.environ.get("LOG_LEVEL") or "INFO"


def main(arguments: list[str]) -> int:
    parser = ArgumentParser(prog="python -m tasks")
    programs = parser.add_subparsers(required=True)
    worker = programs.add_parser("worker", help="run jobs and tasks")
    worker.add_argument("--concurrency", type=int, default=2, help="number of processes (2)")
    worker.add_argument("--hostname", help="name of the worker, such as worker@host1; unique (celery@HOST)")
    worker.add_argument("--queues", help="queues to take tasks from: celery, long (both)")
    worker.set_defaults(run=run_worker)
    beat = programs.add_parser("beat", help="send the tasks of the schedule; exactly one process of a site")
    beat.set_defaults(run=run_beat)
    options = parser.parse_args(arguments)
    status: int = options.run(options)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
