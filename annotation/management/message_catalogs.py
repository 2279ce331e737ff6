"""The catalogues of translations: what the code says in English, found by Babel, and kept in `locale/`.

Two a language: `django` for templates, Python and the protocols that come with Factuary, compiled to .mo as Django
reads it, and `djangojs` for the pages' scripts, compiled to the JSON that pages hold. Nothing in them changes by
itself: no dates, no line numbers, messages in the order of the alphabet. Babel is wanted here alone: an installation
reads what was compiled, which is committed.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from gettext import c2py
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation import to_locale
from django.utils.translation.template import templatize

from ..i18n.protocol_translation import context_of
from ..protocols import load, texts_of
from ..reporting.text.naming import readable

ONE, COUNTED, IN_CONTEXT, COUNTED_IN_CONTEXT = None, (1, 2), ((1, "c"), 2), ((1, "c"), 2, 3)
IN_PYTHON = {
    "_": ONE, "gettext": ONE, "gettext_lazy": ONE, "gettext_noop": ONE, "ngettext": COUNTED, "ngettext_lazy": COUNTED,
    "pgettext": IN_CONTEXT, "pgettext_lazy": IN_CONTEXT, "npgettext": COUNTED_IN_CONTEXT, "translatable": ONE,
}  # fmt: skip
"""Those of Django, and `translatable` of annotation/protocols, which knows nothing of Django."""
IN_SCRIPTS = {"translate": ONE, "plural": COUNTED}
"""The functions of static/js/shared/translate.js."""
NOTE_TO_TRANSLATORS = ["Translators:"]
WIDTH = 110
COUNTS = 200
"""For so many counts a page is told which plural form they take; larger ones go by their last two figures."""


@dataclass(frozen=True)
class Domain:
    """A catalogue's part of the code."""

    name: str
    places: tuple[tuple[str, str], ...]
    """Folders with the patterns of the files in them that may hold words."""
    compiled: str
    """How the name of the compiled catalogue ends."""


IN_DJANGO = (
    ("annotation", "*.py"), ("tasks", "*.py"), ("templates", "*.html"), ("templates", "*.txt"),
    ("annotation/protocols/builtin", "*.toml"),
)  # fmt: skip
DOMAINS = (Domain("django", IN_DJANGO, ".mo"), Domain("djangojs", (("static/js", "*.js"),), ".json"))


class Words(Catalog):
    """A catalogue whose header holds what readers of it need and no times."""

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
    """The languages that need a catalogue: all but the one that the code is written in."""
    return [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def catalogue_path(language: str, domain: Domain) -> Path:
    """Where a catalogue is; the compiled one is beside it."""
    return Path(settings.LOCALE_PATHS[0]) / to_locale(language) / "LC_MESSAGES" / f"{domain.name}.po"


def up_to_date(language: str, domain: Domain) -> Words:
    """The code's messages with the translations that the kept catalogue has of them; what nothing says is left out."""
    stored = read_catalogue(catalogue_path(language, domain))
    name = dict(settings.LANGUAGES)[language]
    words = Words(locale=to_locale(language), fuzzy=False, header_comment=f"# Factuary in {name}.")
    for message in _messages_of(domain):
        words.add(message.id, locations=message.locations, auto_comments=message.auto_comments, context=message.context)
    for message in words:
        translation = stored.get(message.id, context=message.context) if message.id else None
        if translation is not None and type(translation.id) is type(message.id):
            message.string, message.user_comments = translation.string, translation.user_comments
            message.flags |= translation.flags & {"fuzzy"}
    return words


def read_catalogue(path: Path) -> Catalog:
    """The catalogue at `path`; an empty one when there is none yet."""
    locale = path.parent.parent.name
    return read_po(BytesIO(path.read_bytes()) if path.exists() else BytesIO(), locale=locale, domain=path.stem)


def as_po(words: Catalog) -> bytes:
    """The catalogue as translators edit it."""
    file = BytesIO()
    write_po(file, words, width=WIDTH, sort_output=True, include_lineno=False)
    return file.getvalue()


def compiled(words: Catalog, domain: Domain) -> bytes:
    """The catalogue as the site reads it. Without the messages that are not translated: those stay English."""
    return _as_mo(words) if domain.compiled == ".mo" else _as_json(words)


def untranslated(words: Catalog) -> list[Message]:
    """The messages of which a translation, or a form of it, is missing or uncertain."""
    return [message for message in words if message.id and (message.fuzzy or not _is_whole(message, words))]


def forms_of(message: Message) -> tuple[str, ...]:
    """The translation, or its forms when the message counts something; "" where one is missing."""
    return (message.string or "",) if isinstance(message.string, str | None) else tuple(message.string)


def _is_whole(message: Message, words: Catalog) -> bool:
    forms = forms_of(message)
    return all(forms) and len(forms) == (words.num_plurals if message.pluralizable else 1)


def _as_mo(words: Catalog) -> bytes:
    file = BytesIO()
    write_mo(file, words)
    return file.getvalue()


def _as_json(words: Catalog) -> bytes:
    """`{"messages": {text: translation, singular: [form, …]}, "forms": "…"}` for static/js/shared/translate.js."""
    missing = {message.id for message in untranslated(words)}
    texts = {_key(message): message.string for message in words if message.id and message.id not in missing}
    form_of = c2py(words.plural_expr)
    catalog = {"messages": dict(sorted(texts.items())), "forms": "".join(str(form_of(n)) for n in range(COUNTS))}
    return json.dumps(catalog, ensure_ascii=False, separators=(",", ":")).encode()


def _key(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def _messages_of(domain: Domain) -> Iterator[Message]:
    for path in _files_of(domain):
        name = path.relative_to(settings.BASE_DIR).as_posix()
        for _, texts, notes, context in _found_in(path):
            yield Message(texts, locations=[(name, 0)], auto_comments=notes, context=context)


def _files_of(domain: Domain) -> list[Path]:
    root = Path(settings.BASE_DIR)
    return sorted(path for folder, pattern in domain.places for path in (root / folder).rglob(pattern))


def _found_in(path: Path) -> Iterator[tuple[int, Any, list[str], str | None]]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".js":
        within_templates = {"parse_template_string": True}
        return extract("javascript", BytesIO(text.encode()), IN_SCRIPTS, options=within_templates)
    if path.suffix == ".toml":
        return _in_protocol(text)
    if path.suffix != ".py":
        text = _as_python(text)
    return extract("python", BytesIO(text.encode()), IN_PYTHON, NOTE_TO_TRANSLATORS, strip_comment_tags=True)


def _in_protocol(source: str) -> Iterator[tuple[int, Any, list[str], str | None]]:
    protocol = load(source)
    words = (*texts_of(protocol), *(readable(question.key) for question in protocol.questions))
    return ((0, text, [], context_of(protocol.slug)) for text in words)


def _as_python(template: str) -> str:
    """Calls of gettext in place of a template's tags, as Django's own makemessages has it; indents mean nothing."""
    return "\n".join(line.strip() for line in templatize(template).splitlines())
