"""Update the translation catalogs from the messages of the code, for developers and translators."""

import contextlib
import json
from gettext import c2py
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from babel.messages.catalog import Message
from babel.messages.frontend import CommandLineInterface
from babel.messages.pofile import read_po
from django.conf import settings
from django.utils.translation import to_locale

from ..base_command import FactuaryCommand

KEYWORDS = {
    "django": "gettext_lazy gettext_noop ngettext_lazy:1,2 pgettext_lazy:1c,2 translatable",
    "djangojs": "translate plural:1,2",
}
"""Catalog -> functions whose calls have messages, beside Babel's own; `locale/CATALOG.cfg` names its files."""
COUNTS = 200
"""A page knows the plural forms of so many counts; larger counts have the form of their last two digits."""


class Command(FactuaryCommand):
    help = (
        "Find every message in templates, Python and scripts, update locale/*/LC_MESSAGES/*.po, and compile them. "
        "Translations stay; messages that the code no longer has are removed. docs/translating.md explains how to add "
        "a language. Needs the packages for development."
    )

    def work(self, **options: Any) -> None:
        with contextlib.chdir(settings.BASE_DIR):
            for catalog, keywords in KEYWORDS.items():
                update_catalogs(catalog, keywords)
        run_babel("compile", "-d", str(settings.LOCALE_PATHS[0]), "-D", "django")
        for path in sorted(Path(settings.LOCALE_PATHS[0]).glob("*/LC_MESSAGES/*.po")):
            if path.stem == "djangojs":
                path.with_suffix(".json").write_bytes(script_catalog(path))
            missing = len(untranslated_messages(path))
            self.write_lines([f"{path.parent.parent.name} {path.stem}: {missing} messages are not translated"])


def update_catalogs(catalog: str, keywords: str) -> None:
    """Write the messages of the code into the catalogs of all languages with Babel."""
    folder = str(settings.LOCALE_PATHS[0])
    with TemporaryDirectory() as temporary:
        template = f"{temporary}/{catalog}.pot"
        run_babel(
            "extract", ".", "-F", f"locale/{catalog}.cfg", "-k", keywords, "-o", template, "--add-location=file",
            "--sort-output", "-c", "Translators:", "-s", "--project=Factuary", "--ignore-dirs=.* node_modules tests",
        )  # fmt: skip
        for language, _ in settings.LANGUAGES:
            if language != settings.LANGUAGE_CODE:
                run_babel(
                    "update", "-i", template, "-d", folder, "-D", catalog, "-l", to_locale(language), "-w", "110", "-N",
                    "--init-missing", "--ignore-obsolete", "--ignore-pot-creation-date",
                )  # fmt: skip


def run_babel(*arguments: str) -> None:
    """Run a command of Babel, as the program pybabel does."""
    CommandLineInterface().run(["pybabel", "--quiet", *arguments])


def untranslated_messages(path: Path) -> list[Message]:
    """Return the messages of a catalog whose translation, or a form of it, is missing or uncertain."""
    with path.open("rb") as file:
        return [message for message in read_po(file) if message.id and (message.fuzzy or not all(forms_of(message)))]


def forms_of(message: Message) -> tuple[str, ...]:
    """Return the translation, or its forms for a message with a count; "" for a missing one."""
    return (message.string or "",) if isinstance(message.string, str | None) else tuple(message.string)


def script_catalog(path: Path) -> bytes:
    """Return `{"messages": {text: translation, singular: [form, …]}, "forms": "…"}` for shared/translate.js.

    Untranslated messages are left out: those stay English.
    """
    missing = {message.id for message in untranslated_messages(path)}
    with path.open("rb") as file:
        catalog = read_po(file)
    texts = {_key(message): message.string for message in catalog if message.id and message.id not in missing}
    form_of = c2py(catalog.plural_expr)
    content = {"messages": dict(sorted(texts.items())), "forms": "".join(str(form_of(n)) for n in range(COUNTS))}
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def _key(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]
