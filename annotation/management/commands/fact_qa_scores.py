from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandParser

from ...jobs import Refused
from ...judging.judges import find_judge
from ...reporting.choices import CLUSTERS, DEFAULT, Choices
from ...reporting.sections.fact_qa.figures import FactQAReport, fact_qa_report
from ..base_command import FactuaryCommand, add_json, add_output, get_project, interval_text, record_written


class Command(FactuaryCommand):
    help = (
        "Print the mean precision, recall and F1 of a judge with Fact-QA by system, source class and question type, "
        "with intervals by prompt or document, and their correlation with people's scores (docs/judges.md). Undefined "
        "figures are null."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the newest version, or NAME@N")
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument("--cluster", choices=CLUSTERS, default=DEFAULT.cluster, help="sampling unit (auto)")
        add_json(parser)
        add_output(parser)

    def work(self, **options: Any) -> None:
        project, judge = get_project(options["project"]), find_judge(options["name"])
        if not judge.fact_qa:
            raise Refused([f"judge {judge.label} rates items: create one with --fact-qa"])
        report = fact_qa_report(project, judge, Choices(cluster=options["cluster"]))
        if not report.scored and not report.failed:
            raise Refused(
                [f"judge {judge.label} has scored nothing in project {project.slug!r}: start run_judge first"]
            )
        text = report.to_json() if options["json"] else "".join(f"{line}\n" for line in _lines(report)).encode()
        extension = "json" if options["json"] else "txt"
        record_written(project, f"fact-qa-{judge.label}.{extension}", with_names=False)
        self.write_out([text], options["output"])


def _lines(report: FactQAReport) -> Iterator[str]:
    yield (
        f"judge {report.judge}, Fact-QA {report.mode}, facts of responses by the {report.fact_source}: "
        f"{report.scored:,} of {report.responses:,} responses scored"
    )
    counts = {
        "failed": report.failed,
        "tuned the prompt, in no figure": report.tuned,
        "missing": report.missing,
        "unreadable answers, counted 0": report.unreadable,
    }
    yield from (f"{name}: {count:,}" for name, count in counts.items() if count)
    for means in (report.overall, *report.systems, *report.source_classes, *report.question_types):
        figures = {"precision": means.precision, "recall": means.recall, "F1": means.f1}
        words = ", ".join(f"{name} {interval_text(mean.value, mean.low, mean.high)}" for name, mean in figures.items())
        yield f"{means.value or 'all'} ({means.responses:,}): {words}"
    for row in report.correlations:
        estimate = interval_text(row.pearson, row.low, row.high)
        yield f"{row.figure}, Pearson's r with people ({row.n:,}): {estimate}"
