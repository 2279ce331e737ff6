"""The list of personal data covers every model and every field, in the code and in docs/privacy.md."""

import re
from pathlib import Path

from django.apps import apps

from annotation.privacy.personal_data import NO_PERSONAL_DATA, TABLES, model_of, references

DOCS = (Path(__file__).parents[2] / "docs/privacy.md").read_text()
SECTION = dict(re.findall(r"^## (.+)\n((?:(?!^## ).*\n)*)", DOCS, re.M))
ROW = re.compile(r"^\| `(\w+\.\w+)` \| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$", re.M)
ROWS = {label: cells for label, *cells in ROW.findall(SECTION["Personal data by table"])}
OTHERS = SECTION["Other fields of the tables with personal data"]
OTHER_FIELDS = dict(re.findall(r"^- `(\w+\.\w+)`: ((?:.+\n(?:  .+\n)*))", OTHERS, re.M))
MODELS = {model._meta.label for model in apps.get_models()}


def codes(text: str) -> list[str]:
    return re.findall(r"`([\w.]+)`", text)


def fields_of(label: str) -> list[str]:
    return [field.name for field in model_of(label)._meta.get_fields() if field.concrete]


def test_each_model_is_listed_as_personal_or_not_and_those_that_refer_to_a_person_are():
    assert set(TABLES) | NO_PERSONAL_DATA == MODELS
    assert set(TABLES) & NO_PERSONAL_DATA == set()
    assert {label for label in MODELS - set(TABLES) if references(model_of(label))} <= {"pghistory.MiddlewareEvents"}


def test_what_erasing_does_is_said_about_each_reference():
    for label, data in TABLES.items():
        deleted = {field.partition("__")[0] for field in data.deleted_by}
        assert data.stays or all(field.name in deleted for field in references(model_of(label))), label
        assert set(data.texts) <= set(fields_of(label)), label


def test_the_documentation_lists_each_table_its_fields_once_and_what_erasing_does():
    assert set(ROWS) == set(TABLES)
    assert set(codes(SECTION["Tables without personal data"])) == NO_PERSONAL_DATA
    for label, data in TABLES.items():
        listed, erasing = codes(ROWS[label][0]) + codes(OTHER_FIELDS[label]), ROWS[label][3]
        assert sorted(listed) == sorted(fields_of(label)), label
        assert ("deleted" in erasing) >= bool(data.deleted_by), label
        assert ("replaced" in erasing) >= bool(data.texts), label
        assert ("stay" in erasing or "pseudonym" in erasing) == bool(data.stays), label
