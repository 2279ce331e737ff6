from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from ...jobs import Refused
from ...metrics.bertscore import BertModel
from ...metrics.compute import compute_metrics, configured_bertscore_model
from ..base_command import FactuaryCommand, add_json, get_dataset, get_project


class Command(FactuaryCommand):
    help = (
        "Compute ROUGE, length, numbers and Self-BLEU of every response of a data set, or of a project's data set, and "
        "store them (docs/metrics.md). Former scores of these metrics are replaced."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dataset", metavar="SLUG")
        parser.add_argument("--project", metavar="SLUG", help="instead of --dataset: the project's data set")
        parser.add_argument(
            "--bertscore-model", type=Path, metavar="FOLDER", help="compute BERTScore with this model (BERTSCORE_MODEL)"
        )
        parser.add_argument(
            "--bertscore-layers", type=int, metavar="N", help="with its first N layers (BERTSCORE_LAYERS, or all)"
        )
        add_json(parser)

    def work(self, **options: Any) -> None:
        if bool(options["dataset"]) == bool(options["project"]):
            raise Refused(["name either --dataset or --project"])
        dataset = get_dataset(options["dataset"]) if options["dataset"] else get_project(options["project"]).dataset
        folder, layers = options["bertscore_model"], options["bertscore_layers"]
        if layers is not None and folder is None:
            raise Refused(["--bertscore-layers is of --bertscore-model: name its folder, too"])
        model = BertModel(folder, layers) if folder else configured_bertscore_model()
        with self.progress() as progress:
            counts = compute_metrics(dataset, model=model, progress=progress)
        lines = [f"responses: {counts['responses']:,}"]
        lines += [f"{metric}: {count:,}" for metric, count in counts["scores"].items()]
        self.show(lines, counts, json_wanted=options["json"])
