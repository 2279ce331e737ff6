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
        project, with_names = get_project(options["project"]), options["with_names"]
        report = None
        if not options["dataset"]:
            report = reporting.freeze(project) if options["freeze"] else _report(project, options["report"])
        file = Bundle(report, with_names=with_names) if report else HuggingFace(project, with_names=with_names)
        record_written(project, file.filename, with_names=with_names)
        self.write_out(file, options["output"])
        if report:
            self.write_lines([f"report {report.public_id}, frozen {report.frozen_at:%Y-%m-%d %H:%M} UTC"])


def _report(project: Project, public_id: str | None) -> Report:
    """Return the frozen report with this id, of the job with this id, or the newest one. Raise Refused."""
    reports = Report.objects.select_related("project__protocol").filter(project=project).defer("figures")
    if public_id:
        try:
            jobs = Job.objects.filter(public_id=UUID(public_id), report__isnull=False)
            reports = reports.filter(Q(public_id=UUID(public_id)) | Q(pk__in=jobs.values("report")))
        except ValueError:
            reports = reports.none()
    report = reports.first()
    if report is None:
        which = f" {public_id!r}" if public_id else ""
        raise Refused([f"project {project.slug!r} has no frozen report{which}: freeze one, or add --freeze"])
    return report
