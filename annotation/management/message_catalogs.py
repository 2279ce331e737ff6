"""Translation catalogs: English messages of the code, extracted by Babel and stored in `locale/`.

There are two for each language: `django` for templates, Python and built-in protocols, compiled to .mo, and `djangojs`
for the pages' scripts, compiled to JSON. They change only with their messages: no dates, no line numbers, sorted
messages. Only developers need Babel: an installation reads the compiled files, which are committed.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from gettext import c2py
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir, extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation import to_locale
from django.utils.translation.template import templatize

from ..i18n.protocol_translation import message_context
from ..protocols import load, texts_of
from ..reporting.text.names import readable

Extracted = tuple[Any, ...]
"""A result of Babel's extraction: line, function, message or messages, comments."""
ONE, COUNTED, IN_CONTEXT, COUNTED_IN_CONTEXT = None, (1, 2), ((1, "c"), 2), ((1, "c"), 2, 3)
IN_PYTHON = {
    "_": ONE, "gettext": ONE, "gettext_lazy": ONE, "gettext_noop": ONE, "ngettext": COUNTED, "ngettext_lazy": COUNTED,
    "pgettext": IN_CONTEXT, "pgettext_lazy": IN_CONTEXT, "npgettext": COUNTED_IN_CONTEXT, "translatable": ONE,
}  # fmt: skip
"""Functions of Django, and `translatable` of annotation/protocols, which does not import Django."""
IN_SCRIPTS = {"translate": ONE, "plural": COUNTED}
"""Functions of static/js/shared/translate.js."""
OPTIONS = {"static/js/**.js": {"parse_template_string": True}}
OTHER_FOLDERS = {".git", ".venv", "node_modules", "tests", "locale"}
WIDTH = 110
COUNTS = 200
"""A page knows the plural forms of so many counts; larger counts have the form of their last two digits."""


def extract_template(file: BinaryIO, keywords: Any, comment_tags: Any, options: Any) -> Iterator[Extracted]:
    """Extract the messages of a template from the gettext calls that Django's makemessages generates for its tags."""
    lines = templatize(file.read().decode()).splitlines()
    python = "\n".join(line.strip() for line in lines)
    return extract_python(BytesIO(python.encode()), keywords, comment_tags, options)


def extract_protocol(file: BinaryIO, keywords: Any, comment_tags: Any, options: Any) -> Iterator[Extracted]:
    """Extract the texts of a built-in protocol, with its slug as context."""
    protocol = load(file.read().decode())
    texts = (*texts_of(protocol), *(readable(question.key) for question in protocol.questions))
    return ((0, "pgettext", (message_context(protocol.slug), text), []) for text in texts)


@dataclass(frozen=True)
class Domain:
    """One catalog of a language: the files that it covers, and their marks of messages."""

    name: str
    methods: dict[str, str]
    """Pattern of files below the project's folder -> Babel's extraction method, or module and function of our own."""
    keywords: dict[str, tuple[Any, ...] | None]
    compiled: str
    """Suffix of the compiled catalog."""


DOMAINS = (
    Domain(
        "django",
        {
            "annotation/**.py": "python", "tasks/**.py": "python", "templates/**.html": f"{__name__}:extract_template",
            "templates/**.txt": f"{__name__}:extract_template",
            "annotation/protocols/builtin/*.toml": f"{__name__}:extract_protocol",
        },
        IN_PYTHON,
        ".mo",
    ),
    Domain("djangojs", {"static/js/**.js": "javascript"}, IN_SCRIPTS, ".json"),
)  # fmt: skip


class Words(Catalog):
    """A catalog whose header has the necessary fields and no times."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        return [
            ("Project-Id-Version", "Factuary"),
            ("Language", str(self.locale)),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Plural-Forms", self.plural_forms),
        ]


def translated_languages() -> list[str]:
    """Return the languages with a catalog: all but the source language."""
    return [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def catalog_path(language: str, domain: Domain) -> Path:
    """Return the path of a catalog, whose compiled file is in the same folder."""
    return Path(settings.LOCALE_PATHS[0]) / to_locale(language) / "LC_MESSAGES" / f"{domain.name}.po"


def update_catalog(language: str, domain: Domain) -> Words:
    """Return the code's messages with their stored translations."""
    name = dict(settings.LANGUAGES)[language]
    words = Words(locale=to_locale(language), fuzzy=False, header_comment=f"# Factuary in {name}.")
    for message in read_catalog(catalog_path(language, domain)):
        if message.id:
            words[message.id] = message
    words.update(extract_messages(domain), no_fuzzy_matching=True)
    words.obsolete.clear()
    return words


def extract_messages(domain: Domain) -> Catalog:
    """Return the messages of a domain's files, untranslated."""
    template = Catalog()
    for path, _line, message, comments, context in extract_from_dir(
        settings.BASE_DIR, list(domain.methods.items()), OPTIONS, domain.keywords, ["Translators:"],
        strip_comment_tags=True, directory_filter=lambda folder: Path(folder).name not in OTHER_FOLDERS,
    ):  # fmt: skip
        template.add(message, locations=[(path, 0)], auto_comments=comments, context=context)
    return template


def read_catalog(path: Path) -> Catalog:
    """Return the catalog at `path`; an empty one if there is none yet."""
    locale = path.parent.parent.name
    return read_po(BytesIO(path.read_bytes()) if path.exists() else BytesIO(), locale=locale, domain=path.stem)


def as_po(words: Catalog) -> bytes:
    """Return the catalog as translators edit it."""
    file = BytesIO()
    write_po(file, words, width=WIDTH, sort_output=True, include_lineno=False)
    return file.getvalue()


def compile_catalog(words: Catalog, domain: Domain) -> bytes:
    """Return the catalog in the site's compiled form, without untranslated messages: those stay English."""
    return _as_mo(words) if domain.compiled == ".mo" else _as_json(words)


def untranslated_messages(words: Catalog) -> list[Message]:
    """Return the messages whose translation, or a form of it, is missing or uncertain."""
    return [message for message in words if message.id and (message.fuzzy or not _is_whole(message, words))]


def forms_of(message: Message) -> tuple[str, ...]:
    """Return the translation, or its forms for a message with a count; "" for a missing one."""
    return (message.string or "",) if isinstance(message.string, str | None) else tuple(message.string)


def _is_whole(message: Message, words: Catalog) -> bool:
    forms = forms_of(message)
    return all(forms) and len(forms) == (words.num_plurals if message.pluralizable else 1)


def _as_mo(words: Catalog) -> bytes:
    file = BytesIO()
    write_mo(file, words)
    return file.getvalue()


def _as_json(words: Catalog) -> bytes:
    """Return `{"messages": {text: translation, singular: [form, …]}, "forms": "…"}` for shared/translate.js."""
    missing = {message.id for message in untranslated_messages(words)}
    texts = {_key(message): message.string for message in words if message.id and message.id not in missing}
    form_of = c2py(words.plural_expr)
    catalog = {"messages": dict(sorted(texts.items())), "forms": "".join(str(form_of(n)) for n in range(COUNTS))}
    return json.dumps(catalog, ensure_ascii=False, separators=(",", ":")).encode()


def _key(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]
