from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandParser

from ...jobs import Refused
from ...reporting.choices import CLUSTERS, DEFAULT, Choices
from ...reporting.sections.metrics.figures import MetricReport, metric_report
from ..base_command import FactuaryCommand, add_json, add_output, get_project, interval_text, record_written


class Command(FactuaryCommand):
    help = (
        "Print the means of automatic metrics by system and metadata, the share of people's preferences that each "
        "predicts, its rank correlation with people's figures, and the similarity of the questions about one document, "
        "with intervals (docs/metrics.md). Undefined figures are null."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument("--cluster", choices=CLUSTERS, default=DEFAULT.cluster, help="sampling unit (auto)")
        parser.add_argument("--seed", type=int, default=DEFAULT.seed, metavar="S")
        parser.add_argument("--resamples", type=int, default=DEFAULT.resamples, metavar="B")
        add_json(parser)
        add_output(parser)

    def work(self, **options: Any) -> None:
        project = get_project(options["project"])
        choices = Choices(options["seed"], options["resamples"], options["cluster"])
        if problems := choices.problems():
            raise Refused([f"--{field}: {lines[0]}" for field, lines in problems.items()])
        report = metric_report(project, choices)
        if not report.metrics and not report.similarity:
            raise Refused([f"project {project.slug!r} has no scores of metrics: start compute_metrics first"])
        text = report.to_json() if options["json"] else "".join(f"{line}\n" for line in _lines(report)).encode()
        record_written(project, f"metrics.{'json' if options['json'] else 'txt'}", with_names=False)
        self.write_out([text], options["output"])


def _lines(report: MetricReport) -> Iterator[str]:
    yield f"{report.responses:,} responses, intervals by {report.method.cluster}"
    for row in report.means:
        mean = row.mean
        estimate = interval_text(mean.value, mean.low, mean.high)
        yield f"{row.metric}, mean of {_group(row.system, row.key, row.value)} ({mean.n:,}): {estimate}"
    if report.predictions:
        yield f"preferences of people; {report.ties:,} ties excluded"
    for prediction in report.predictions:
        share = prediction.predicted
        estimate = interval_text(share.value, share.low, share.high)
        counts = f"{share.k:,}/{share.n:,}" + (f", undecided {prediction.undecided:,}" if prediction.undecided else "")
        group = _group(None, prediction.key, prediction.value)
        yield f"{prediction.metric}, predicted of {group} ({counts}): {estimate}"
    for correlation in report.correlations:
        of = f"{correlation.metric} with {correlation.figure} over {correlation.n:,} {correlation.over}"
        for name, figure in (("Spearman's rho", correlation.spearman), ("Kendall's tau-b", correlation.kendall_tau_b)):
            yield f"{of}, {name}: {interval_text(figure.value, figure.low, figure.high)}"
    if report.similarity:
        mean = report.similarity.mean
        estimate = interval_text(mean.value, mean.low, mean.high)
        counts = f"{report.similarity.pairs:,} pairs, {mean.n:,} documents"
        yield f"rougeL, mean of each two questions about a document ({counts}): {estimate}"


def _group(system: str | None, key: str | None, value: str | None) -> str:
    names = [*([system] if system else []), *([f"{key} = {value}"] if key else [])]
    return ", ".join(names) or "all"
