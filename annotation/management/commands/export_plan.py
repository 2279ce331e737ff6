from typing import Any

from django.core.management.base import CommandParser

from ...exporting.analysis_plan_page import plan_page
from ...jobs import Refused
from ...projects.analysis_plans import newest_plan
from ..base_command import FactuaryCommand, add_output, get_project

FORMATS = ("markdown", "toml")


class Command(FactuaryCommand):
    help = (
        "Write the newest version of a project's analysis plan: a Markdown page for a "
        "preregistration with the version, its hash and its time, or the stored TOML text."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", required=True, metavar="SLUG", help="the project")
        parser.add_argument("--format", choices=FORMATS, default="markdown", help="default: markdown")
        add_output(parser)

    def work(self, **options: Any) -> None:
        project = get_project(options["project"])
        version = newest_plan(project)
        if version is None:
            raise Refused([f"project {project.slug!r} has no analysis plan: store one with set_plan"])
        text = version.source if options["format"] == "toml" else plan_page(version)
        self.write_out([text.encode()], options["output"])
        self.write_lines([f"analysis plan, version {version.number} ({version.sha256[:12]})"])
