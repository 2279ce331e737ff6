from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from ...importing import SourceFile
from ...metrics.score_files import load_metric_scores
from ..base_command import FactuaryCommand, add_json, get_dataset


class Command(FactuaryCommand):
    help = (
        "Import scores of automatic metrics: JSON Lines, CSV, Excel or Parquet with the fields response (its id), "
        "metric, value, and for a pair against (the other response's id). All or nothing; the same file again changes "
        "nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, metavar="PATH", help="file of scores, plain or gzip")
        parser.add_argument("--dataset", required=True, metavar="SLUG")
        parser.add_argument("--replace", action="store_true", help="replace stored values that differ")
        parser.add_argument("--dry-run", action="store_true", help="check and count everything, store nothing")
        add_json(parser)

    def work(self, **options: Any) -> None:
        dataset = get_dataset(options["dataset"])
        with self.progress() as progress:
            counts = load_metric_scores(
                SourceFile.named_as_given(options["path"]),
                dataset,
                replace=options["replace"],
                dry_run=options["dry_run"],
                progress=progress,
            )
        lines = [f"{metric}: {count:,}" for metric, count in counts.scores.items()]
        self.show(
            [*lines, f"new: {counts.new:,}, changed: {counts.changed:,}"], vars(counts), json_wanted=options["json"]
        )
