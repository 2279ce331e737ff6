"""The settings of generated systems, which never change, and the templates of their prompts."""

import pytest
from django.db import ProgrammingError, transaction

from annotation.generation.answers import read_steps
from annotation.generation.generators import create_generator
from annotation.generation.templates import (
    BUILT_IN,
    DEFAULT_TEMPLATE,
    TemplateContent,
    content_of,
    find_template,
    save_template,
)
from annotation.model_calls.errors import InvalidAnswer, ModelError
from annotation.model_calls.keys import key_of
from annotation.models import GenerationTemplate, Generator, Prompt, Response, System
from tests.cast import dataset

pytestmark = pytest.mark.django_db
URL = "https://models.example.org/v1"


def settings_of(data, system="model-a", **values):
    template = find_template(DEFAULT_TEMPLATE)
    return Generator(
        dataset=data, system=system, **{"base_url": URL, "model": "large-1", "template": template, **values}
    )


def test_the_same_settings_again_create_nothing_and_others_are_refused():
    data = dataset()
    first, is_new = create_generator(settings_of(data), key="sk-one")
    assert is_new and key_of(first) == "sk-one" and "sk-one" not in first.encrypted_key
    again, is_new = create_generator(settings_of(data), key="sk-two")
    again.refresh_from_db()
    assert (again.pk, is_new, key_of(again)) == (first.pk, False, "sk-two")
    with pytest.raises(ModelError, match=r"other settings \(max_tokens, temperature\)"):
        create_generator(settings_of(data, temperature=0.5, max_tokens=9))
    assert again.setting_values() == settings_of(data).setting_values()
    assert again.template.label == "whole-article@1"


@pytest.mark.parametrize(
    ("system", "values", "field"),
    [
        (" ", {}, "system"),
        ("a", {"base_url": "ftp://models"}, "base_url"),
        ("a", {"base_url": "https://me:secret@models/v1"}, "base_url"),
        ("a", {"model": ""}, "model"),
        ("a", {"temperature": 3.0}, "temperature"),
        ("a", {"context_tokens": -1}, "context_tokens"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_field(system, values, field):
    with pytest.raises(ModelError) as caught:
        create_generator(settings_of(dataset(), system, **values))
    assert caught.value.field == field and not Generator.objects.exists()


def test_a_system_with_imported_responses_is_refused():
    data = dataset()
    question = Prompt.objects.create(dataset=data, key="q", text="What?")
    system = System.objects.create(dataset=data, name="heron")
    Response.objects.create(dataset=data, prompt=question, system=system, key="r", text="Terns.")
    with pytest.raises(ModelError, match="has responses of system 'heron' already"):
        create_generator(settings_of(data, "heron"))


def test_settings_cannot_be_changed_in_the_database():
    settings, _ = create_generator(settings_of(dataset()))
    with pytest.raises(ProgrammingError), transaction.atomic():
        Generator.objects.filter(pk=settings.pk).update(model="large-2")


def test_each_built_in_template_can_be_used():
    for name, content in BUILT_IN.items():
        template = find_template(name)
        assert (template.label, content_of(template)) == (f"{name}@1", content)
    assert GenerationTemplate.objects.count() == len(BUILT_IN) == 4


def test_templates_have_versions_of_which_those_of_ones_own_stay_the_newest():
    first, _ = save_template("short", TemplateContent("$prompt", "none"))
    same, is_new = save_template("short", TemplateContent("$prompt", "none"))
    second, _ = save_template("short", TemplateContent("Briefly: $prompt", "none"))
    assert (same, is_new, second.label) == (first, False, "short@2")
    assert find_template("short") == second and find_template("short@1") == first
    mine, _ = save_template("zero-shot", TemplateContent("Mine. $prompt", "none"))
    assert (mine.label, find_template("zero-shot")) == ("zero-shot@2", mine)
    assert find_template("zero-shot@1").text == BUILT_IN["zero-shot"].text


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a b", TemplateContent("$prompt", "none")),
        ("a", TemplateContent("$document")),
        ("a", TemplateContent("$prompt")),
        ("a", TemplateContent("$prompt $document", "none")),
        ("a", TemplateContent("$prompt $document $other")),
        ("a", TemplateContent("$prompt $document $")),
        ("a", TemplateContent("$prompt $document", "pages")),
    ],
)
def test_a_template_that_cannot_be_used_is_refused(name, content):
    with pytest.raises(ModelError):
        save_template(name, content)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Answer: Yes.", ("Yes.", "", "")),
        (
            "type: yes/no\nsteps: one\nanswer: Yes.\nAnswer: is part of it",
            ("Yes.\nAnswer: is part of it", "yes/no", "one"),
        ),
        ("> ### Type: a\n* Steps: b\n- c\n__Answer__: d", ("d", "a", "b\n- c")),
    ],
)
def test_parts_of_an_answer_in_steps(text, expected):
    parts = read_steps(text)
    assert (parts.answer, parts.question_type, parts.steps) == expected


@pytest.mark.parametrize("text", ["Yes.", "Type: a\nSteps: b", "The Answer: Yes.", "Answer:\n  "])
def test_without_an_answer_there_is_no_response(text):
    with pytest.raises(InvalidAnswer, match="Answer:"):
        read_steps(text)
