from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from ...generation.generators import create_generator
from ...generation.run import generate_responses, result_json
from ...generation.templates import DEFAULT_TEMPLATE, TemplateContent, find_template, save_template
from ...generation.token_counts import TokenCounts, count_tokens
from ...jobs import Refused
from ...model_calls.runs import RunResult
from ...models import GenerationRun, GenerationTemplate, Generator
from ..base_command import FactuaryCommand, add_json, get_dataset
from ..endpoint_arguments import add_run_limits, add_settings, read_text, run_limits, settings_in


class Command(FactuaryCommand):
    help = (
        "Let a language model answer the prompts of a data set, at an endpoint with the API of OpenAI, and wait until "
        "it has. Again: only what is missing. The settings of a system never change. docs/generation.md describes the "
        "options."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dataset", required=True, metavar="SLUG")
        parser.add_argument("--system", required=True, metavar="NAME", help="whose responses these are")
        add_settings(parser, Generator, [name for name in Generator.SETTINGS if name != "template"])
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
        add_run_limits(parser, GenerationRun)
        parser.add_argument("--count", action="store_true", help="count tokens and find what is too long; send nothing")
        add_json(parser)

    def work(self, **options: Any) -> None:
        limits = run_limits(options)
        settings = Generator(
            dataset=get_dataset(options["dataset"]), system=options["system"], **settings_in(options, Generator)
        )
        limits.set_on(GenerationRun(generator=settings))  # before a template is stored
        settings.template = self._template(options)
        generator, _is_new = create_generator(settings)
        with self.progress() as progress:
            if options["count"]:
                counts = count_tokens(generator, progress)
                self.show(_count_lines(generator, counts), counts.as_json(), json_wanted=options["json"])
                return
            result = generate_responses(generator, limits, progress=progress)
        self.show(_result_lines(result), result_json(result), json_wanted=options["json"])

    def _template(self, options: dict[str, Any]) -> GenerationTemplate:
        """Return the template; a file is saved as its next version."""
        if options["template_file"] is None:
            return find_template(options["template"] or DEFAULT_TEMPLATE)
        if not options["template"]:
            raise Refused(["--template-file needs --template with the name under which the text is saved"])
        content = TemplateContent(read_text(options["template_file"]), options["context"], options["answer_form"])
        return save_template(options["template"], content)[0]


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


def _result_lines(result: RunResult[GenerationRun]) -> list[str]:
    cost = "" if result.cost_usd is None else f", USD {result.cost_usd:.4f}"
    lines = [
        f"system {result.run.generator.system}: {result.new:,} responses to {result.total:,} prompts stored in "
        "this run",
        f"requests: {result.calls.requests:,}, tokens: {result.tokens:,}{cost}; {result.run.get_ended_display()}",
    ]
    if result.failed:
        lines.append(f"failed: {result.failed:,}")
    if result.missing:
        lines.append(f"without a response: {result.missing:,}")
    return lines
