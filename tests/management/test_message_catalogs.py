"""The catalogs of translations are whole: whoever adds a message adds its translations too."""

import ast
import re
from collections import Counter

import pytest
from babel.messages.catalog import Catalog, Message
from django.conf import settings

from annotation.management.message_catalogs import (
    DOMAINS,
    Domain,
    as_po,
    catalog_path,
    compile_catalog,
    forms_of,
    read_catalog,
    translated_languages,
    untranslated_messages,
    update_catalog,
)

REMEDY = "run `.venv/bin/python manage.py messages` and translate what it names in the .po file (docs/translating.md)"
CATALOGS = [(language, domain) for language in translated_languages() for domain in DOMAINS]
each_catalog = pytest.mark.parametrize(("language", "domain"), CATALOGS, ids=lambda part: getattr(part, "name", part))


def messages(catalog: Catalog) -> list[Message]:
    return [message for message in catalog if message.id]


def originals_of(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def names_in(text: str) -> set[str]:
    """The values that a text is filled with: %(name)s of gettext, {name} of format, and per cent signs."""
    return set(re.findall(r"%\(\w+\)[sd]|%%|\{\w*\}", text))


def tags_in(text: str) -> Counter[str]:
    return Counter(re.findall(r"</?\w+(?:\s[^<>]*)?>", text))


@pytest.fixture(scope="module")
def found() -> dict[tuple[str, str], Catalog]:
    return {(language, domain.name): update_catalog(language, domain) for language, domain in CATALOGS}


@each_catalog
def test_the_catalog_has_what_the_code_says_and_nothing_else(found, language: str, domain: Domain):
    assert catalog_path(language, domain).read_bytes() == as_po(found[language, domain.name]), REMEDY


@each_catalog
def test_every_message_is_translated(found, language: str, domain: Domain):
    assert [message.id for message in untranslated_messages(found[language, domain.name])] == [], REMEDY


@each_catalog
def test_what_the_site_reads_was_compiled_from_the_catalog(found, language: str, domain: Domain):
    path = catalog_path(language, domain)
    assert path.with_suffix(domain.compiled).read_bytes() == compile_catalog(found[language, domain.name], domain), (
        REMEDY
    )


@each_catalog
def test_translations_take_the_values_of_their_messages(language: str, domain: Domain):
    wrong = []
    for message in messages(read_catalog(catalog_path(language, domain))):
        taken = [names_in(original) for original in originals_of(message)]
        wrong += [(message.id, form) for form in forms_of(message) if names_in(form) not in taken]
    assert wrong == []


@each_catalog
def test_translations_have_the_tags_of_their_messages(language: str, domain: Domain):
    wrong = []
    for message in messages(read_catalog(catalog_path(language, domain))):
        taken = [tags_in(original) for original in originals_of(message)]
        wrong += [(message.id, form) for form in forms_of(message) if tags_in(form) not in taken]
    assert wrong == []


def test_no_message_stands_in_the_values_of_an_f_string():
    """The finder of messages sees it there with some versions of Python only."""
    folders = (settings.BASE_DIR / "annotation", settings.BASE_DIR / "tasks")
    wrong = [
        f"{path.relative_to(settings.BASE_DIR)}:{call.lineno}"
        for folder in folders
        for path in sorted(folder.rglob("*.py"))
        for text in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and is_message(call)
    ]
    assert wrong == []


def is_message(call: ast.Call) -> bool:
    named = isinstance(call.func, ast.Name) and (call.func.id == "_" or "gettext" in call.func.id)
    return named and bool(call.args) and isinstance(call.args[0], ast.Constant)


def test_calls_in_scripts_are_all_found(found):
    """The finder of messages misses a call within the values of another."""
    known = {
        original
        for (_, name), catalog in found.items()
        if name == "djangojs"
        for message in messages(catalog)
        for original in originals_of(message)
    }
    scripts = sorted((settings.BASE_DIR / "static" / "js").rglob("*.js"))
    code = "\n".join(line for path in scripts for line in path.read_text().splitlines() if not line.startswith("//"))
    called = set(re.findall(r'\b(?:translate|plural)\("((?:[^"\\]|\\.)*)"', code))
    assert len(called) > 100
    assert called - known == set()
