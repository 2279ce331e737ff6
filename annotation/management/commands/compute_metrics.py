"""Compute the automatic metrics of a data set."""

from typing import Any

from django.core.management.base import CommandParser

from ...jobs import Refused
from ...metrics.compute import compute_metrics
from ..base_command import FactuaryCommand, add_json, get_dataset, get_project


class Command(FactuaryCommand):
    help = (
        "Compute ROUGE, length, numbers and Self-BLEU of every response of a data set, or of a project's data set, and "
        "store them (docs/metrics.md). Former scores of these metrics are replaced."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dataset", metavar="SLUG")
        parser.add_argument("--project", metavar="SLUG", help="instead of --dataset: the project's data set")
        add_json(parser)

    def work(self, **options: Any) -> None:
        if bool(options["dataset"]) == bool(options["project"]):
            raise Refused(["name either --dataset or --project"])
        dataset = get_dataset(options["dataset"]) if options["dataset"] else get_project(options["project"]).dataset
        with self.progress() as progress:
            counts = compute_metrics(dataset, progress=progress)
        lines = [f"responses: {counts['responses']:,}"]
        lines += [f"{metric}: {count:,}" for metric, count in counts["scores"].items()]
        self.show(lines, counts, json_wanted=options["json"])
