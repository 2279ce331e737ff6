"""Answer the prompts of a data set with passages of their documents."""

from typing import Any

from django.core.management.base import CommandParser

from ...importing.retrieved_responses import load_retrieved_responses
from ...retrieval import METHODS
from ..base_command import FactuaryCommand, add_json, get_dataset


class Command(FactuaryCommand):
    help = (
        "Add the responses of a baseline without a model: the passages of the document that BM25 ranks first for the "
        "prompt. bm25: one chunk of 200 characters; rag-chunks: five of 1,000. The same again changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dataset", required=True, metavar="SLUG")
        parser.add_argument("--method", choices=tuple(METHODS), default="bm25", help="(bm25)")
        parser.add_argument("--system", default="", metavar="NAME", help="name of the system (the method)")
        parser.add_argument("--dry-run", action="store_true", help="count everything, store nothing")
        add_json(parser)

    def work(self, **options: Any) -> None:
        dataset = get_dataset(options["dataset"])
        with self.progress() as progress:
            counts = load_retrieved_responses(
                dataset,
                options["method"],
                system=options["system"],
                dry_run=options["dry_run"],
                progress=progress,
            )
        self.show(counts.lines(), counts.as_json(), json_wanted=options["json"])
