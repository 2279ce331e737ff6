"""The form for the settings of a generated system: what it stores, refuses and shows."""

import pytest

from annotation.generation.templates import TemplateContent, save_template
from annotation.model_calls.keys import key_of
from annotation.models import AuditEvent, Generator, Prompt, Response, System
from tests.web.generation.conftest import HOSTILE, SAFE
from tests.web.pages import html_of, text_of

pytestmark = pytest.mark.django_db
NEW = "/datasets/birds/generate/"
SETTINGS = {
    "system": "model-a", "base_url": "https://models.example.org/v1", "model": "large-1", "key": "", "key_env": "",
    "template": "whole-article@1", "temperature": "0.5", "max_tokens": "500", "context_tokens": "8000",
    "timeout": "60", "concurrency": "4", "requests_per_minute": "30", "input_price": "0.15", "output_price": "10",
}  # fmt: skip


def test_an_admin_stores_the_settings_and_the_tokens_are_counted(ada, birds, sent):
    page = ada.post(NEW, {**SETTINGS, "key": "sk-secret"}, follow=True)
    assert "System model-a is created. Nothing is sent before you start a run." in text_of(page)
    stored = Generator.objects.get()
    assert page.redirect_chain[-1][0] == f"/datasets/birds/generators/{stored.public_id}/"
    assert (stored.dataset, stored.system, stored.template.label) == (birds, "model-a", "whole-article@1")
    assert (stored.temperature, stored.context_tokens, stored.requests_per_minute) == (0.5, 8000, 30)
    assert (stored.output_price, stored.created_by.username) == (10, "ada")
    assert key_of(stored) == "sk-secret" and "sk-secret" not in stored.encrypted_key + html_of(page)
    assert [(job.kind, job.params["generator"]) for job in sent] == [("count_generation_tokens", stored.pk)]
    assert AuditEvent.objects.get(action="create generator").actor.username == "ada"


def test_the_same_settings_replace_the_key_and_the_form_begins_with_them(ada, birds, sent):
    ada.post(NEW, {**SETTINGS, "key": "sk-old"})
    page = ada.post(NEW, {**SETTINGS, "key": "sk-new"}, follow=True)
    assert "System model-a has these settings already. Its key is replaced." in text_of(page)
    stored = Generator.objects.get()
    assert key_of(stored) == "sk-new"
    unchanged = "System model-a has these settings already; nothing is changed."
    assert unchanged in text_of(ada.post(NEW, SETTINGS, follow=True))
    save_template("whole-article", TemplateContent("$document $prompt"))
    page = ada.get(f"{NEW}?from={stored.public_id}")
    assert "sk-new" not in html_of(page)
    form = page.context["form"]
    values = {name: "" if form[name].value() is None else form[name].value() for name in form.fields}
    assert values["template"] == "whole-article@1", "the version of the system, although there is a newer one"
    assert unchanged in text_of(ada.post(f"{NEW}?from={stored.public_id}", values, follow=True))
    assert key_of(Generator.objects.get()) == "sk-new" and len(sent) == 1
    for unknown in ("nothing", "00000000-0000-4000-8000-000000000000"):
        assert ada.get(f"{NEW}?from={unknown}").status_code == 404


def test_settings_that_cannot_be_used_are_refused_beside_their_field(ada, birds, sent):
    heron = System.objects.create(dataset=birds, name="heron")
    Response.objects.create(dataset=birds, prompt=Prompt.objects.first(), system=heron, key="r", text="Terns.")
    for change, field, reason in (
        ({"system": " "}, "system", "required"),
        ({"base_url": "ftp://models"}, "base_url", "is not an address"),
        ({"base_url": "https://me:secret@models.example.org/v1"}, "base_url", "user name or password"),
        ({"model": ""}, "model", "required"),
        ({"key_env": "SECRET_KEY"}, "key_env", "MODEL_ or JUDGE_"),
        ({"template": "whole-article@7"}, "template", "not one of the available choices"),
        ({"temperature": "3"}, "temperature", "less than or equal to 2"),
        ({"context_tokens": "0"}, "context_tokens", "greater than or equal to 1"),
        ({"concurrency": "1000"}, "concurrency", "less than or equal to 256"),
        ({"output_price": ""}, "output_price", "Give both prices"),
        ({"system": "heron"}, "system", "has responses of system"),
    ):
        page = ada.post(NEW, {**SETTINGS, "key": "sk-secret", **change})
        assert reason in " ".join(page.context["form"].errors[field])
        assert "Nothing was stored. Correct these fields:" in text_of(page) and "Enter the key again" in text_of(page)
        assert "sk-secret" not in html_of(page)
    assert not Generator.objects.exists() and not sent


def test_each_template_is_shown_with_its_text(ada, birds):
    ada.get(NEW)
    save_template("zero-shot", TemplateContent(f"{HOSTILE} $prompt", "none"))
    html = html_of(ada.get(NEW))
    assert SAFE in html and HOSTILE not in html
    page = text_of(ada.get(NEW))
    assert "Answer the question by these passages of a document." in page
    assert "zero-shot@2: No document" in page and "zero-shot@1" not in page


@pytest.mark.parametrize("name", [f'"{HOSTILE}"', "a/b ü\u202e", "x" * 200])
def test_any_name_of_a_system_has_a_page_and_a_file(ada, birds, name):
    ada.post(NEW, {**SETTINGS, "system": name})
    stored = Generator.objects.get(system=name)
    address = f"/datasets/birds/generators/{stored.public_id}/"
    for page in (address, "/datasets/birds/", f"{NEW}?from={stored.public_id}"):
        assert HOSTILE not in html_of(ada.get(page))
    file = ada.get(f"{address}results.jsonl")
    assert file.status_code == 200 and "\n" not in file["content-disposition"]
