"""Write the bundle of a frozen report, or a data set folder, to a file."""

from typing import Any
from uuid import UUID

from django.core.management.base import CommandParser
from django.db.models import Q

from ... import reporting
from ...exporting.bundle import Bundle
from ...exporting.huggingface import HuggingFace
from ...jobs import Refused
from ...models import Job, Project, Report
from ..base_command import FactuaryCommand, add_output, get_project, record_written


class Command(FactuaryCommand):
    help = (
        "Write a zip with a frozen report and all that it depends on: ratings, prompts, responses, items, protocol, "
        "guidelines, codebook, tables, figures, and programs in Python and R that compute the main figures again "
        "(docs/bundle.md); rebuild_bundle builds the report again from it. With --dataset a folder for Hugging Face's "
        "datasets instead. Raters have pseudonyms."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument(
            "--report", metavar="ID", help="id of a report or its job; default: the newest frozen report"
        )
        parser.add_argument("--freeze", action="store_true", help="freeze a report now and use it")
        parser.add_argument("--dataset", action="store_true", help="write a data set folder instead of a bundle")
        parser.add_argument("--with-names", action="store_true", help="use user names instead of pseudonyms")
        add_output(parser)

    def work(self, **options: Any) -> None:
        project = get_project(options["project"])
        with_names = options["with_names"]
        if options["dataset"]:
            self._write(project, HuggingFace(project, with_names=with_names), options)
            return
        report = reporting.freeze(project) if options["freeze"] else _report(project, options["report"])
        self._write(project, Bundle(report, with_names=with_names), options)
        self.write_lines([f"report {report.public_id}, frozen {report.frozen_at:%Y-%m-%d %H:%M} UTC"])

    def _write(self, project: Project, file: Bundle | HuggingFace, options: dict[str, Any]) -> None:
        record_written(project, file.filename, with_names=options["with_names"])
        self.write_out(file, options["output"])


def _report(project: Project, public_id: str | None) -> Report:
    """Return the frozen report with this id, of this job, or the newest one. Raise Refused."""
    reports = Report.objects.select_related("project__protocol").filter(project=project).defer("figures")
    selected = reports.filter(_has_id(public_id)).first() if public_id else reports.first()
    if selected is None:
        which = f" {public_id!r}" if public_id else ""
        raise Refused([f"project {project.slug!r} has no frozen report{which}: freeze one, or add --freeze"])
    return selected


def _has_id(public_id: str) -> Q:
    """Return the condition that a report or the job that froze it has this id."""
    try:
        number = UUID(public_id)
    except ValueError:
        return Q(pk__in=[])
    jobs = Job.objects.filter(public_id=number, report__isnull=False)
    return Q(public_id=number) | Q(pk__in=jobs.values("report"))
