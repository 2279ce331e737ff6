from typing import Any

from django.core.management.base import CommandParser

from ...exporting.metric_scores import FORMATS, export_metric_scores, scores_of
from ..base_command import FactuaryCommand, add_output, get_project, record_written


class Command(FactuaryCommand):
    help = (
        "Write the scores of automatic metrics of a project's data set, one per line or row: response, against, "
        "metric, value, source (computed or imported), prompt and system (docs/metrics.md)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument("--format", required=True, choices=FORMATS)
        add_output(parser)

    def work(self, **options: Any) -> None:
        project, format = get_project(options["project"]), options["format"]
        record_written(project, f"metric-scores.{format}", with_names=False)
        self.write_out(export_metric_scores(project, format), options["output"])
        self.write_lines([f"{scores_of(project).count():,} scores"])
