from typing import Any, TypedDict

from django.core.management.base import CommandParser

from ... import reporting
from ...exporting import report_formats
from ...exporting.rater_names import read_choices
from ...exporting.report_formats import STYLES, UnknownTable, render_table
from ...jobs import Refused
from ...models import Project
from ...reporting.choice_validation import unknown_names
from ...reporting.choices import ANSWERS, CLUSTERS
from ...reporting.data.project_items import unrated_parts
from ...reporting.report import Report
from ...reporting.text.notes import documents_note
from ..base_command import FactuaryCommand, add_output, get_project, record_written

OPTIONS = {
    "seed": "--seed",
    "resamples": "--resamples",
    "cluster": "--cluster",
    "answers": "--answers",
    "least_gold": "--least-gold",
    "without_raters": "--without-rater",
    "least_seconds": "--least-seconds",
    "systems": "--system",
    "metadata": "--where",
    "judge": "--judge",
}
"""The options of the command line by choice."""


class Command(FactuaryCommand):
    help = (
        "Compute the report of a project from the ratings that count, with all intervals, and write "
        "it as JSON, CSV, Markdown, LaTeX (booktabs) or an HTML page. The same data, protocol and "
        "options give the same bytes."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", required=True, metavar="SLUG", help="the project")
        parser.add_argument("--format", choices=report_formats.FORMATS, default="json", help="default: json")
        parser.add_argument("--table", metavar="NAME", help="only this table: systems, comparisons, ranks, agreement …")
        parser.add_argument(
            "--style",
            choices=STYLES,
            default="full",
            help="style of the table; compact: estimate ± half the width of its interval, for one column of a paper",
        )
        for option, settings in _OF_CHOICES.items():
            parser.add_argument(OPTIONS[option], dest=option, **settings)
        add_output(parser)

    def work(self, **options: Any) -> None:
        project = get_project(options["project"])
        if options["style"] != "full" and not options["table"]:
            raise Refused([f"--style {options['style']} is of one table: name it with --table"])
        choices, problems = read_choices(options)
        if errors := problems or unknown_names(project, choices):
            raise Refused(f"{OPTIONS[field]}: {' '.join(lines)}" for field, lines in errors.items())
        with self.progress() as progress:
            report = reporting.build(project, choices, agreement_intervals=True, progress=progress)
        text = _text(report, options)
        name = f"{report_formats.filename(options['table'] or 'report')}.{report_formats.EXTENSIONS[options['format']]}"
        record_written(project, name, with_names=True)
        self.write_out([text.encode()], options["output"])
        self.write_lines(_remarks(project, report))


def _text(report: Report, options: dict[str, Any]) -> str:
    if not options["table"]:
        return report_formats.render(report, options["format"])
    try:
        return render_table(report, options["table"], options["format"], options["style"])
    except UnknownTable as problem:
        raise Refused([f"--table: {problem}"]) from None


class _Argument(TypedDict, total=False):
    metavar: str
    action: str
    help: str


_OF_CHOICES: dict[str, _Argument] = {
    "seed": {"metavar": "S", "help": f"of the resamples; default: {reporting.SEED}"},
    "resamples": {"metavar": "B", "help": f"of the bootstrap; default: {reporting.RESAMPLES}"},
    "cluster": {
        "metavar": "|".join(CLUSTERS),
        "help": "sampling unit; default: auto, documents where there are at least 10 and fewer than 0.8 × prompts",
    },
    "answers": {
        "metavar": "|".join(ANSWERS),
        "help": "adjudicated: the newest adjudication of an item replaces its ratings; default: raw",
    },
    "least_gold": {"metavar": "SHARE", "help": "exclude raters whose accuracy on gold is below this (0 to 1)"},
    "without_raters": {"metavar": "USER", "action": "append", "help": "exclude this rater; can be repeated"},
    "least_seconds": {"metavar": "SECONDS", "help": "exclude ratings given in fewer seconds"},
    "systems": {"metavar": "NAME", "action": "append", "help": "only this system; can be repeated"},
    "metadata": {
        "metavar": "KEY=VALUE",
        "action": "append",
        "help": "only prompts with this metadata value; repeated for one key: any of the values; for several "
        "keys: all of them",
    },
    "judge": {
        "metavar": "NAME",
        "help": "add the estimates from people's ratings of a sample and this judge's verdicts; NAME@N is a version",
    },
}


def _remarks(project: Project, report: Report) -> list[str]:
    """Return remarks about the report for its author."""
    lines, missing = [], unrated_parts(project)
    if missing.systems:
        lines.append(f"not in the report, because nothing of them was rated: {', '.join(missing.systems)}")
    if report.data.documents is not None:
        lines.append(documents_note(report))
    return [line for line in lines if line]
