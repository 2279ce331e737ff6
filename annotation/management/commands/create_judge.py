from argparse import ArgumentTypeError
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from ...importing import SourceFile
from ...importing.item_lists import read_item_list
from ...jobs import Refused
from ...judging.judges import Configuration, repeat_judge
from ...judging.rules import RULES
from ...judging.tuning import create_tuned_judge, tuning_items_of
from ...models import Judge, Project
from ..base_command import FactuaryCommand


def usd(text: str) -> Decimal:
    """Return an amount in USD."""
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal(-1)
    if not amount.is_finite() or amount < 0:
        raise ArgumentTypeError(f"{text!r} is not an amount in USD")
    return amount


class Command(FactuaryCommand):
    help = (
        "Create a judge: a rule, or a model at an endpoint with the API of OpenAI. The same configuration again "
        "changes nothing; another one makes the next version, NAME@2. docs/judges.md describes the options."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        default = Configuration()
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("--rule", choices=list(RULES), default="", help="a rule needs no model")
        parser.add_argument(
            "--base-url", metavar="URL", default="", help="address of the endpoint, often ending in /v1"
        )
        parser.add_argument("--model", metavar="M", default="")
        parser.add_argument("--key-env", metavar="VAR", default="", help="environment variable with the key")
        parser.add_argument(
            "--store-key", action="store_true", help="store the key of --key-env now, encrypted with SECRET_KEY"
        )
        parser.add_argument(
            "--template", type=Path, metavar="PATH", help="file with the prompt (default: a built-in one)"
        )
        parser.add_argument("--temperature", type=float, metavar="T", default=default.temperature)
        parser.add_argument("--samples", type=int, metavar="K", default=default.samples, help="answers per request (1)")
        parser.add_argument("--sees", choices=Judge.Sees.values, default=default.sees)
        parser.add_argument(
            "--rates", choices=Judge.Rates.values, default=default.rates, help="what one request asks about"
        )
        parser.add_argument(
            "--fact-qa", choices=Judge.FactQA.values, default="", help="score facts of responses; the mode"
        )
        parser.add_argument(
            "--fact-source",
            choices=Judge.FactSource.values,
            default=default.fact_source,
            help="Fact-QA: what supports the facts of a response (reference)",
        )
        parser.add_argument(
            "--precision-only", action="store_true", help="Fact-QA: ask nothing about reference answers, no recall"
        )
        parser.add_argument(
            "--max-tokens", type=int, metavar="N", default=default.max_tokens, help="of an answer (1000)"
        )
        parser.add_argument("--logprobs", action="store_true", help="request log-probabilities for the confidence")
        parser.add_argument("--timeout", type=float, metavar="S", default=default.timeout, help="seconds (120)")
        parser.add_argument(
            "--concurrency", type=int, metavar="N", default=default.concurrency, help="requests at once (8)"
        )
        parser.add_argument("--requests-per-minute", type=int, metavar="N")
        parser.add_argument("--input-price", type=usd, metavar="USD", help="per million tokens of requests")
        parser.add_argument("--output-price", type=usd, metavar="USD", help="per million tokens of answers")

        parser.add_argument(
            "--repeat",
            action="store_true",
            help="make the next version with the configuration of the newest, which asks again (no other options)",
        )
        parser.add_argument(
            "--tuned-on",
            metavar="PROJECT|FILE",
            help="what tuned the prompt: a project, whose rated items these are, or a file with `response` and `item`",
        )

    def work(self, **options: Any) -> None:
        names = set(Configuration.__dataclass_fields__) - {"template"}
        values = {name: value for name, value in options.items() if name in names}
        if options["repeat"]:
            self._repeat(options, Configuration(**values))
            return
        template = self._read(options["template"]) if options["template"] else ""
        key = self._key(options["key_env"]) if options["store_key"] else ""
        tuned_on = self._tuning_items(options["tuned_on"]) if options["tuned_on"] else []
        judge, is_new = create_tuned_judge(
            options["name"], Configuration(**values, template=template), tuned_on, key=key
        )
        self.write_lines([f"judge {judge.label}: {'created' if is_new else 'exists with this configuration'}"])
        if tuned_on:
            self.write_lines([f"judge {judge.label}: {judge.tuning_items.count()} items tuned its prompt"])

    def _repeat(self, options: dict[str, Any], configuration: Configuration) -> None:
        if configuration != Configuration() or options["template"] or options["tuned_on"] or options["store_key"]:
            raise Refused(["--repeat takes the configuration of the newest version: give no other options"])
        self.write_lines([f"judge {repeat_judge(options['name']).label}: created"])

    def _tuning_items(self, source: str) -> list[int]:
        """Return the items (primary keys) of a project, or of a file."""
        if project := Project.objects.filter(slug=source).first():
            return tuning_items_of(project)
        if not Path(source).exists():
            raise Refused([f"--tuned-on: there is neither a project nor a file {source!r}"])
        return read_item_list(SourceFile.named_as_given(Path(source)))

    def _read(self, path: Path) -> str:
        try:
            return path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise Refused([f"{path}: cannot be read: {error}"]) from None

    def _key(self, variable: str) -> str:
        import os

        if not variable or not os.environ.get(variable):
            raise Refused(["--store-key needs --key-env with the name of an environment variable that is set"])
        return os.environ[variable]
