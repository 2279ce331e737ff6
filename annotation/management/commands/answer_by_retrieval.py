from typing import Any

from django.core.management.base import CommandParser

from ...importing.retrieved_responses import load_retrieved_responses
from ...jobs import Progress
from ...retrieval import METHODS
from ..base_command import Counts, ImportCommand, get_dataset


class Command(ImportCommand):
    help = (
        "Add the responses of a baseline without a model: the passages of the document that BM25 ranks first for the "
        "prompt. bm25: one chunk of 200 characters; rag-chunks: five of 1,000. The same again changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dataset", required=True, metavar="SLUG")
        parser.add_argument("--method", choices=tuple(METHODS), default="bm25", help="(bm25)")
        parser.add_argument("--system", default="", metavar="NAME", help="name of the system (the method)")
        super().add_arguments(parser)

    def load(self, options: dict[str, Any], *, dry_run: bool, progress: Progress) -> Counts:
        dataset = get_dataset(options["dataset"])
        return load_retrieved_responses(
            dataset,
            options["method"],
            system=options["system"],
            dry_run=dry_run,
            progress=progress,
        )
