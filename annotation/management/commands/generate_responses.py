from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from ...generation.generators import GeneratorConfiguration, create_generator
from ...generation.run import RunSummary, generate_responses
from ...generation.templates import DEFAULT_TEMPLATE, TemplateContent, save_template
from ...generation.token_counts import TokenCounts, count_tokens
from ...jobs import Refused
from ...models import GenerationTemplate, Generator
from ..base_command import FactuaryCommand, add_json, get_dataset
from .create_judge import usd


class Command(FactuaryCommand):
    help = (
        "Let a language model answer the prompts of a data set, at an endpoint with the API of OpenAI, and wait until "
        "it has. Again: only what is missing. The settings of a system never change. docs/generation.md describes the "
        "options."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        default = GeneratorConfiguration()
        parser.add_argument("--dataset", required=True, metavar="SLUG")
        parser.add_argument("--system", required=True, metavar="NAME", help="whose responses these are")
        parser.add_argument("--base-url", required=True, metavar="URL", help="of the endpoint, often ending in /v1")
        parser.add_argument("--model", required=True, metavar="M")
        parser.add_argument(
            "--template", default="", metavar="NAME", help=f"the newest version, or NAME@N ({DEFAULT_TEMPLATE})"
        )
        parser.add_argument(
            "--template-file", type=Path, metavar="PATH", help="a text to save as the next version of --template"
        )
        parser.add_argument(
            "--context",
            choices=GenerationTemplate.Context.values,
            default=GenerationTemplate.Context.DOCUMENT,
            help="what the text of --template-file shows (document)",
        )
        parser.add_argument(
            "--answer-form",
            choices=GenerationTemplate.AnswerForm.values,
            default=GenerationTemplate.AnswerForm.TEXT,
            help="what the text of --template-file asks for (text)",
        )
        parser.add_argument("--key-env", default="", metavar="VAR", help="environment variable with the key")
        parser.add_argument("--temperature", type=float, default=default.temperature, metavar="T", help="(0)")
        parser.add_argument(
            "--max-tokens", type=int, default=default.max_tokens, metavar="N", help="of an answer (1000)"
        )
        parser.add_argument(
            "--context-tokens", type=int, metavar="N", help="tokens of request and answer that the model accepts"
        )
        parser.add_argument("--timeout", type=float, default=default.timeout, metavar="S", help="seconds (120)")
        parser.add_argument("--concurrency", type=int, default=default.concurrency, metavar="N", help="(8)")
        parser.add_argument("--requests-per-minute", type=int, metavar="N")
        parser.add_argument("--input-price", type=usd, metavar="USD", help="per million tokens of requests")
        parser.add_argument("--output-price", type=usd, metavar="USD", help="per million tokens of answers")
        parser.add_argument("--limit", type=int, metavar="N", help="answer at most N prompts")
        parser.add_argument("--budget-usd", type=usd, metavar="X", help="stop before this run costs more")
        parser.add_argument(
            "--budget-tokens", type=int, metavar="N", help="stop before requests and answers have more tokens"
        )
        parser.add_argument("--retry-failed", action="store_true", help="ask again about prompts that failed")
        parser.add_argument("--count", action="store_true", help="count tokens and find what is too long; send nothing")
        add_json(parser)

    def work(self, **options: Any) -> None:
        for name in ("limit", "budget_tokens"):
            if options[name] is not None and options[name] < 1:
                raise Refused([f"--{name.replace('_', '-')} must be at least 1"])
        dataset, template = get_dataset(options["dataset"]), self._template(options)
        names = set(GeneratorConfiguration.__dataclass_fields__) - {"template"}
        configuration = GeneratorConfiguration(template=template, **{name: options[name] for name in names})
        generator, _is_new = create_generator(dataset, options["system"], configuration)
        with self.progress() as progress:
            if options["count"]:
                counts = count_tokens(generator, progress)
                self.show(_count_lines(generator, counts), counts.as_json(), json_wanted=options["json"])
                return
            summary = generate_responses(
                generator,
                limit=options["limit"],
                budget_usd=options["budget_usd"],
                budget_tokens=options["budget_tokens"],
                retry_failed=options["retry_failed"],
                progress=progress,
            )
        self.show(_summary_lines(summary), summary.as_json(), json_wanted=options["json"])

    def _template(self, options: dict[str, Any]) -> str:
        """Return the label of the template; a file is saved as its next version."""
        path = options["template_file"]
        if path is None:
            return options["template"] or DEFAULT_TEMPLATE
        if not options["template"]:
            raise Refused(["--template-file needs --template with the name under which the text is saved"])
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise Refused([f"{path}: cannot be read: {error}"]) from None
        content = TemplateContent(text, options["context"], options["answer_form"])
        return save_template(options["template"], content)[0].label


def _count_lines(generator: Generator, counts: TokenCounts) -> list[str]:
    basis = f"measured in {counts.measured} requests" if counts.measured else "assumed"
    lines = [
        f"requests {counts.prompts:,}, about {counts.prompt_tokens:,} tokens, the longest {counts.longest:,} "
        f"({counts.tokens_per_character:.3f} tokens per character, {basis})",
        f"answers: at most {counts.most_completion_tokens:,} tokens",
    ]
    if counts.most_cost_usd is not None:
        lines.append(f"cost: about USD {counts.most_cost_usd:.4f} if each answer has the greatest length")
    if counts.without_document:
        lines.append(f"without a document, not sent: {counts.without_document:,}")
    if counts.too_long:
        most = generator.context_tokens
        lines.append(f"too long for {most:,} tokens with the answer, not sent: {counts.too_long:,}")
        lines += [
            f"  {each['document']}, prompt {each['prompt']}: {each['tokens']:,}" for each in counts.too_long_named
        ]
    return lines


def _summary_lines(summary: RunSummary) -> list[str]:
    cost = "" if summary.cost_usd is None else f", USD {summary.cost_usd:.4f}"
    lines = [
        f"system {summary.run.generator.system}: {summary.stored:,} responses to {summary.prompts:,} prompts stored in "
        "this run",
        f"requests: {summary.calls.requests:,}, tokens: {summary.tokens:,}{cost}; {summary.run.get_ended_display()}",
    ]
    if summary.failed:
        lines.append(f"failed: {summary.failed:,}")
    if summary.missing:
        lines.append(f"without a response: {summary.missing:,}")
    return lines
