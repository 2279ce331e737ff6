"""Update the translation catalogs from the messages of the code, for developers and translators."""

from pathlib import Path
from typing import Any

from .. import message_catalogs
from ..base_command import FactuaryCommand


class Command(FactuaryCommand):
    help = (
        "Find every message in templates, Python and scripts, bring locale/*/LC_MESSAGES/*.po up to them, and compile "
        "those. Translations are kept; messages that nothing says any more go. docs/translating.md says how to add a "
        "language. Needs the packages for development."
    )

    def work(self, **options: Any) -> None:
        for language in message_catalogs.translated_languages():
            for domain in message_catalogs.DOMAINS:
                self._renew(language, domain)

    def _renew(self, language: str, domain: message_catalogs.Domain) -> None:
        path = message_catalogs.catalog_path(language, domain)
        words = message_catalogs.update_catalog(language, domain)
        missing = len(message_catalogs.untranslated_messages(words))
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_if_other(path, message_catalogs.as_po(words))
        _write_if_other(path.with_suffix(domain.compiled), message_catalogs.compile_catalog(words, domain))
        self.say([f"{language} {domain.name}: {len(words)} messages, {missing} of them not translated"])


def _write_if_other(path: Path, content: bytes) -> None:
    if not path.exists() or path.read_bytes() != content:
        path.write_bytes(content)
