import os
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from ...importing import SourceFile
from ...importing.item_lists import read_item_list
from ...jobs import Refused
from ...judging.judges import repeat_judge
from ...judging.tuning import create_tuned_judge, tuning_items_of
from ...models import Judge, Project
from ..base_command import FactuaryCommand
from ..endpoint_arguments import add_settings, read_text, settings_in


class Command(FactuaryCommand):
    help = (
        "Create a judge: a rule, or a model at an endpoint with the API of OpenAI. The same configuration again "
        "changes nothing; another one makes the next version, NAME@2. docs/judges.md describes the options."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME")
        add_settings(parser, Judge, [name for name in Judge.SETTINGS if name != "template"])
        parser.add_argument(
            "--store-key", action="store_true", help="store the key of --key-env now, encrypted with SECRET_KEY"
        )
        parser.add_argument(
            "--template", type=Path, metavar="PATH", help="file with the prompt (default: a built-in one)"
        )
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
        settings = Judge(name=options["name"], **settings_in(options, Judge))
        if options["repeat"]:
            is_default = settings.setting_values() == Judge().setting_values()
            if not is_default or options["template"] or options["tuned_on"] or options["store_key"]:
                raise Refused(["--repeat takes the configuration of the newest version: give no other options"])
            self.write_lines([f"judge {repeat_judge(options['name']).label}: created"])
            return
        if options["template"]:
            settings.template = read_text(options["template"])
        key = os.environ.get(settings.key_env, "") if options["store_key"] else ""
        if options["store_key"] and not key:
            raise Refused(["--store-key needs --key-env with the name of an environment variable that is set"])
        tuned_on = _tuning_items(options["tuned_on"]) if options["tuned_on"] else []
        judge, is_new = create_tuned_judge(settings, tuned_on, key=key)
        self.write_lines([f"judge {judge.label}: {'created' if is_new else 'exists with this configuration'}"])
        if tuned_on:
            self.write_lines([f"judge {judge.label}: {judge.tuning_items.count()} items tuned its prompt"])


def _tuning_items(source: str) -> list[int]:
    """Return the items (primary keys) of a project, or of a file."""
    if project := Project.objects.filter(slug=source).first():
        return tuning_items_of(project)
    if not Path(source).exists():
        raise Refused([f"--tuned-on: there is neither a project nor a file {source!r}"])
    return read_item_list(SourceFile.named_as_given(Path(source)))
