from typing import Any

from django.core.management.base import CommandParser

from ...exporting.judge_card import judge_card, summary
from ...jobs import Refused
from ...judging.judges import find_judge
from ...reporting.sections.judge.comparison import compare_judge
from ..base_command import FactuaryCommand, add_json, add_output, get_project, record_written


class Command(FactuaryCommand):
    help = (
        "Compare a judge with the people's ratings that count: accuracy, kappa, detection, the human ceiling, "
        "calibration, bias and drift, with intervals by prompt or document (docs/judges.md). Undefined figures are "
        "null."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the newest version, or NAME@N")
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument("--card", action="store_true", help="write the judge card: one page of Markdown")
        add_json(parser)
        add_output(parser)

    def work(self, **options: Any) -> None:
        project, judge = get_project(options["project"]), find_judge(options["name"])
        if options["card"] and options["json"]:
            raise Refused(["--card is Markdown and --json is JSON: choose one"])
        if judge.fact_qa:
            raise Refused([f"judge {judge.label} scores responses: use fact_qa_scores"])
        comparison, protocol = compare_judge(project, judge), project.protocol.definition
        if not comparison.verdicts:
            raise Refused([f"judge {judge.label} has rated nothing in project {project.slug!r}: start run_judge first"])
        if options["json"]:
            text, extension = comparison.to_json().decode(), "json"
        elif options["card"]:
            text, extension = judge_card(comparison, protocol), "md"
        else:
            text, extension = "\n".join(summary(comparison, protocol)) + "\n", "txt"
        record_written(project, f"judge-{judge.label}.{extension}", with_names=False)
        self.write_out([text.encode()], options["output"])
