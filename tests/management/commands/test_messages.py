"""The translation catalogs are complete: a change that adds a message adds its translations too."""

import ast
import re
import shutil
from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management import call_command

from annotation.management.commands.messages import forms_of, untranslated_messages

REMEDY = "run `.venv/bin/python manage.py messages` and translate what it names in the .po file (docs/translating.md)"
LOCALE = settings.BASE_DIR / "locale"
CATALOGS = sorted(path.relative_to(LOCALE) for path in LOCALE.glob("*/LC_MESSAGES/*.po"))
COMPILED = {"django": ".mo", "djangojs": ".json"}
each_catalog = pytest.mark.parametrize("catalog", CATALOGS, ids=str)


def read_catalog(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


def messages(catalog: Catalog) -> list[Message]:
    return [message for message in catalog if message.id]


def originals_of(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def names_in(text: str) -> set[str]:
    """Return the placeholders of a text: %(name)s of gettext, {name} of format, and percent signs."""
    return set(re.findall(r"%\(\w+\)[sd]|%%|\{\w*\}", text))


def tags_in(text: str) -> Counter[str]:
    return Counter(re.findall(r"</?\w+(?:\s[^<>]*)?>", text))


@pytest.fixture(scope="module")
def updated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the catalogs after `manage.py messages`, on a site with one language more."""
    folder = tmp_path_factory.mktemp("catalogs") / "locale"
    shutil.copytree(LOCALE, folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "LOCALE_PATHS", [folder])
        patch.setattr(settings, "LANGUAGES", [*settings.LANGUAGES, ("pl", "Polski")])
        call_command("messages", stdout=StringIO(), stderr=StringIO())
    return folder


def test_each_language_has_its_catalogs():
    languages = {code for code, _ in settings.LANGUAGES} - {settings.LANGUAGE_CODE}
    assert {(path.parts[0], path.stem) for path in CATALOGS} == {
        (code, name) for code in languages for name in COMPILED
    }


@each_catalog
def test_the_catalog_has_the_messages_of_the_code_each_translated_and_its_compiled_file_matches(
    updated: Path, catalog: Path
):
    compiled = catalog.with_suffix(COMPILED[catalog.stem])
    assert (LOCALE / catalog).read_bytes() == (updated / catalog).read_bytes(), REMEDY
    assert [message.id for message in untranslated_messages(updated / catalog)] == [], REMEDY
    assert (LOCALE / compiled).read_bytes() == (updated / compiled).read_bytes(), REMEDY


def test_a_new_language_gets_both_catalogs_with_its_plural_forms(updated: Path):
    assert read_catalog(updated / "pl/LC_MESSAGES/django.po").num_plurals == 3
    assert len(untranslated_messages(updated / "pl/LC_MESSAGES/django.po")) > 1_000
    assert '"messages":{}' in (updated / "pl/LC_MESSAGES/djangojs.json").read_text()


@each_catalog
@pytest.mark.parametrize("parts_of", [names_in, tags_in])
def test_translations_have_the_placeholders_and_tags_of_their_messages(catalog: Path, parts_of):
    wrong = []
    for message in messages(read_catalog(LOCALE / catalog)):
        expected = [parts_of(original) for original in originals_of(message)]
        wrong += [(message.id, form) for form in forms_of(message) if parts_of(form) not in expected]
    assert wrong == []


def test_no_message_is_in_the_values_of_an_f_string():
    """Babel extracts it there with some versions of Python only."""
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


def test_every_call_in_scripts_is_extracted(updated: Path):
    """Babel misses a call within the values of another."""
    extracted = {
        original
        for path in updated.glob("*/LC_MESSAGES/djangojs.po")
        for message in messages(read_catalog(path))
        for original in originals_of(message)
    }
    scripts = sorted((settings.BASE_DIR / "static" / "js").rglob("*.js"))
    code = "\n".join(line for path in scripts for line in path.read_text().splitlines() if not line.startswith("//"))
    called = set(re.findall(r'\b(?:translate|plural)\("((?:[^"\\]|\\.)*)"', code))
    assert len(called) > 100
    assert called - extracted == set()
