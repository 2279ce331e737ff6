"""The report of this moment, as a file or on standard output."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ... import reporting
from ...exporting import tables
from ...models import Project


class Command(BaseCommand):
    help = (
        "Builds the report of a project from the ratings that count, with all its intervals, and writes it as JSON, "
        "CSV, Markdown, LaTeX (booktabs) or a page of HTML. "
        "The same data, protocol, seed and resamples give the same bytes."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", required=True, metavar="SLUG", help="whose report")
        parser.add_argument("--format", choices=tables.FORMATS, default="json", help="default: json")
        parser.add_argument("--seed", type=int, default=reporting.SEED, help="of the resamples; default: %(default)s")
        parser.add_argument(
            "--resamples", type=int, default=reporting.RESAMPLES, help="of the bootstrap; default: %(default)s"
        )
        parser.add_argument("--output", type=Path, metavar="PATH", help="default: standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        project = _project(options["project"])
        _check(options)
        report = reporting.build(
            project, seed=options["seed"], resamples=options["resamples"], agreement_intervals=True
        )
        text = tables.render(report, options["format"])
        if options["output"]:
            _write(Path(options["output"]), text)
        else:
            self.stdout.write(text, ending="")


def _project(slug: str) -> Project:
    project = Project.objects.select_related("protocol").filter(slug=slug).first()
    if project is None:
        raise CommandError(f"there is no project {slug!r}")
    return project


def _check(options: dict[str, Any]) -> None:
    problems = reporting.check_parameters(options["seed"], options["resamples"])
    if problems:
        raise CommandError("; ".join(f"--{field}: {' '.join(lines)}" for field, lines in problems.items()))


def _write(path: Path, text: str) -> None:
    try:
        path.write_bytes(text.encode())
    except OSError as error:
        raise CommandError(f"{path}: cannot be written: {error.strerror}") from None
