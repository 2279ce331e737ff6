from typing import Any

from django.core.management.base import CommandParser

from ...jobs import Refused
from ...judging.calls import calls_of, delete_calls, export_calls
from ...judging.judges import find_judge
from ..base_command import FactuaryCommand, add_output, get_project, record_written


class Command(FactuaryCommand):
    help = (
        "Write every request of a judge in a project with its answer, tokens and cost, one JSON object per line. "
        "The key of the endpoint is in none."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the newest version, or NAME@N")
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument(
            "--delete", action="store_true", help="delete them after they are written; ratings and verdicts stay"
        )
        add_output(parser)

    def work(self, **options: Any) -> None:
        project, judge = get_project(options["project"]), find_judge(options["name"])
        if not calls_of(judge, project).exists():
            raise Refused([f"{judge.label} has sent no requests in {project.slug}: NAME@N is another version"])
        record_written(project, f"requests-{judge.label}.jsonl", with_names=False)
        self.write_out(export_calls(judge, project), options["output"])
        if options["delete"]:
            self.write_lines([f"deleted requests: {delete_calls(judge, project):,}"])
