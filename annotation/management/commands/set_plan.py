from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from ...importing.input_files import FileReader, SourceFile
from ...jobs import Refused
from ...projects.analysis_plans import set_plan
from ...protocols.analysis_plan import PlanError
from ..base_command import FactuaryCommand, get_project


class Command(FactuaryCommand):
    help = (
        "Check an analysis plan (TOML) and store it as the next version of the project's plan. A "
        "stored version never changes; it records whether it was stored before the first rating "
        "(docs/analysis-plan.md)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, metavar="PATH", help="the plan, a TOML file")
        parser.add_argument("--project", required=True, metavar="SLUG", help="the project")

    def work(self, **options: Any) -> None:
        path, project = options["path"], get_project(options["project"])
        try:
            version, is_new = set_plan(project, "".join(FileReader(SourceFile.named_as_given(path)).text()))
        except PlanError as error:
            problems = error.problems[:20]
            raise Refused(f"{path}:{problem.line}: {problem.message}" for problem in problems) from None
        when = "before" if version.before_first_rating else "after"
        state = "stored" if is_new else "already stored, unchanged"
        plan = f"analysis plan, version {version.number} ({version.sha256[:12]})"
        self.write_lines([f"{plan}, {when} the first rating: {state}"])
