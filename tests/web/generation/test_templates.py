"""The page of the prompt templates: all versions with their texts, and the form for the next one."""

import pytest

from annotation.generation.templates import TemplateContent, find_template, save_template
from annotation.models import AuditEvent, GenerationTemplate
from tests.web.generation.conftest import HOSTILE, SAFE
from tests.web.pages import html_of, text_of

pytestmark = pytest.mark.django_db
PAGE = "/generation/templates/"
SHORT = {"name": "short", "context": "none", "answer_form": "text", "text": "One sentence.\r\n$prompt\r\n"}


def test_all_versions_are_listed_with_their_texts_escaped_and_the_form_begins_with_one(ada):
    save_template("mine", TemplateContent(f"{HOSTILE} $prompt", "none"))
    save_template("mine", TemplateContent("Newer. $prompt", "none"))
    html, page = html_of(ada.get(PAGE)), text_of(ada.get(PAGE))
    assert SAFE in html and HOSTILE not in html
    assert "mine@2 · No document · used by 0 systems" in page and "mine@1 · No document" in page
    assert "chain-of-thought Built in" in page and "answer in steps" in page
    initial = {"name": "rag", "text": find_template("rag").text, "context": "passages", "answer_form": "text"}
    assert ada.get(f"{PAGE}?from=rag").context["form"].initial == initial
    assert ada.get(f"{PAGE}?from=nothing").status_code == ada.get(f"{PAGE}?from=%00").status_code == 404


def test_a_template_is_saved_and_another_text_is_its_next_version(ada):
    assert "Template short@1 is saved." in text_of(ada.post(PAGE, SHORT, follow=True))
    assert find_template("short").text == "One sentence.\n$prompt\n"
    assert "Template short@1 has this content already." in text_of(ada.post(PAGE, SHORT, follow=True))
    ada.post(PAGE, {**SHORT, "text": "Two. $document $prompt", "context": "document", "answer_form": "steps"})
    newest = find_template("short")
    assert (newest.label, newest.context, newest.answer_form) == ("short@2", "document", "steps")
    assert newest.created_by.username == "ada"
    assert AuditEvent.objects.filter(action="save generation template", actor__username="ada").count() == 2


def test_a_template_that_cannot_be_used_is_refused_beside_its_field(ada):
    for change, field, reason in (
        ({"name": "a b"}, "name", "letters, digits"),
        ({"text": "$document"}, "text", "needs the placeholders $prompt, may have $fence, and no others"),
        ({"text": "$prompt $"}, "text", "needs the placeholders"),
        ({"text": ""}, "text", "required"),
        ({"context": "pages"}, "context", "not one of the available choices"),
    ):
        page = ada.post(PAGE, {**SHORT, **change})
        assert reason in " ".join(page.context["form"].errors[field])
    assert not GenerationTemplate.objects.filter(created_by__isnull=False).exists()
