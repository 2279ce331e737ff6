"""Print the Fact-QA scores of a judge in a project."""

from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandParser

from ...jobs import Refused
from ...judging.judges import find_judge
from ...reporting.choices import CLUSTERS, DEFAULT, Choices
from ...reporting.parts import MeanEstimate
from ...reporting.sections.fact_qa.figures import FactMeans, FactQAReport, HumanCorrelation, fact_qa_report
from ..base_command import FactuaryCommand, add_json, add_output, get_project, record_written


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
        yield _of_group(means)
    yield from map(_of_correlation, report.correlations)


def _of_group(means: FactMeans) -> str:
    figures = {"precision": means.precision, "recall": means.recall, "F1": means.f1}
    words = ", ".join(f"{name} {_of_mean(mean)}" for name, mean in figures.items())
    return f"{means.value or 'all'} ({means.responses:,}): {words}"


def _of_mean(mean: MeanEstimate) -> str:
    return _of_estimate(mean.value, mean.low, mean.high)


def _of_correlation(correlation: HumanCorrelation) -> str:
    estimate = _of_estimate(correlation.pearson, correlation.low, correlation.high)
    return f"{correlation.figure}, Pearson's r with people ({correlation.n:,}): {estimate}"


def _of_estimate(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return "undefined"
    return f"{value:.3f}" if low is None or high is None else f"{value:.3f} ({low:.3f} to {high:.3f})"
