"""`locale/django.cfg` names the two functions that extract messages from files that Babel does not know."""

import contextlib
import json
from collections.abc import Iterator
from gettext import c2py
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from babel.messages.catalog import Message
from babel.messages.extract import extract_python
from babel.messages.frontend import CommandLineInterface
from babel.messages.pofile import read_po
from django.conf import settings
from django.utils.translation import to_locale
from django.utils.translation.template import templatize

from ...i18n.protocol_translation import message_context
from ...protocols import load, texts_of
from ...reporting.text.names import readable
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


def extract_template(file: BinaryIO, keywords: Any, comment_tags: Any, options: Any) -> Iterator[tuple[Any, ...]]:
    """Extract the messages of a template from the gettext calls that Django's makemessages generates for its tags."""
    lines = templatize(file.read().decode()).splitlines()
    python = "\n".join(line.strip() for line in lines)
    return extract_python(BytesIO(python.encode()), keywords, comment_tags, options)


def extract_protocol(file: BinaryIO, keywords: Any, comment_tags: Any, options: Any) -> Iterator[tuple[Any, ...]]:
    """Extract the texts of a built-in protocol, with its slug as context."""
    protocol = load(file.read().decode())
    texts = (*texts_of(protocol), *(readable(question.key) for question in protocol.questions))
    return ((0, "pgettext", (message_context(protocol.slug), text), []) for text in texts)


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
    translated = [message for message in catalog if message.id and message.id not in missing]
    # The singular names a message with a count.
    texts = {message.id if isinstance(message.id, str) else message.id[0]: message.string for message in translated}
    form_of = c2py(catalog.plural_expr)
    content = {"messages": dict(sorted(texts.items())), "forms": "".join(str(form_of(n)) for n in range(COUNTS))}
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
