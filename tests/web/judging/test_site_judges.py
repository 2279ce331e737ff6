"""The judges of the site: for admins, who see every version and never a key."""

import json
from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.importing.item_lists import read_item_list
from annotation.judging.judges import create_judge
from annotation.judging.run import run_judge
from annotation.model_calls.keys import key_of
from annotation.models import AuditEvent, Judge
from annotation.web.judging.forms import KINDS
from tests.judging.judges import rule_judge
from tests.web.pages import html_of, rates, text_of

pytestmark = pytest.mark.django_db

MODEL = {
    "name": "strict", "base_url": "https://models.example.org/v1", "model": "large-1", "context": "passages",
    "request_unit": "sentence", "samples": "3", "temperature": "0.5", "max_tokens": "500", "timeout": "60",
    "concurrency": "4", "requests_per_minute": "", "input_price": "0.15", "output_price": "10", "template": "",
    "fact_source": "reference", "key": "", "key_env": "",
}  # fmt: skip
NEW = "/judges/new/"


def model(name="strict", key="", **fields):
    """Create a judge at an endpoint that no test asks."""
    settings = Judge(name=name, base_url="https://models.example.org/v1", model="large-1", **fields)
    return create_judge(settings, key=key)[0]


def test_the_list_shows_versions_prices_and_where_the_key_is_from_and_never_the_key(ada):
    first = model(key="sk-secret")
    model(key_env="JUDGE_KEY", input_price=Decimal(10), output_price=Decimal("0.15"))
    rule_judge("numbers", "digits")
    page = text_of(ada.get("/judges/"))
    endpoint = "large-1 · https://models.example.org/v1 The whole article 1"
    assert f"strict@2 {endpoint} requests USD 10, answers USD 0.15 from the environment: JUDGE_KEY" in page
    assert f"strict@1 {endpoint} none stored" in page and "digits@1 Rule: Numbers check" in page
    for address in ("/judges/", "/judges/strict/1/", "/judges/new/?from=strict@1"):
        html = html_of(ada.get(address))
        assert "sk-secret" not in html and first.encrypted_key not in html


def test_a_version_shows_its_prompt_escaped_and_the_projects_it_rated_in(june, ada):
    model(template="Answer: $questions <script>alert(1)</script> $items")
    run_judge(rule_judge(), june.project)
    html = html_of(ada.get("/judges/strict/1/"))
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html and "<script>alert(1)" not in html
    assert "This version has rated nothing yet." in html
    assert "Study june 3 verdicts" in text_of(ada.get("/judges/rule/1/"))
    assert ada.get("/judges/rule/2/").status_code == 404


def test_an_admin_creates_a_model_judge_and_its_key_is_stored_encrypted(ada):
    page = ada.post(NEW, {**MODEL, "key": "sk-secret", "template": "$questions\r\n$items\r\n"}, follow=True)
    assert "Judge strict@1 is created." in text_of(page)
    judge = Judge.objects.get()
    assert (judge.samples, judge.temperature, judge.context, judge.output_price) == (3, 0.5, "passages", 10)
    assert judge.template == "$questions\n$items\n"
    assert key_of(judge) == "sk-secret" and "sk-secret" not in judge.encrypted_key
    event = AuditEvent.objects.get(action="create judge")
    assert (event.actor.username, event.target) == ("ada", "judge:strict@1")
    assert "sk-secret" not in f"{event.after}"


def test_the_same_configuration_replaces_the_key_and_another_one_is_the_next_version(ada):
    ada.post(NEW, {**MODEL, "key": "sk-old"})
    page = ada.post(NEW, {**MODEL, "key": "sk-new"}, follow=True)
    assert "Judge strict@1 has this configuration already. Its key is replaced." in text_of(page)
    assert key_of(Judge.objects.get()) == "sk-new"
    initial = ada.get(f"{NEW}?from=strict").context["form"].initial
    sent = {name: value for name, value in initial.items() if value not in (None, False)}
    for address, values in ((NEW, MODEL), (f"{NEW}?from=strict", sent)):
        page = text_of(ada.post(address, values, follow=True))
        assert "Judge strict@1 has this configuration already; nothing is changed" in page
        assert key_of(Judge.objects.get()) == "sk-new"
    ada.post(NEW, {**MODEL, "samples": "5"})
    assert [judge.label for judge in Judge.objects.all()] == ["strict@1", "strict@2"]
    assert 'href="/judges/new/?from=strict%401"' in html_of(ada.get("/judges/strict/1/")), "the version of the page"
    assert ada.get(f"{NEW}?from=nobody").status_code == ada.get(f"{NEW}?from=%00").status_code == 404


def test_each_kind_shows_the_fields_that_apply_to_it_and_a_rule_is_created(ada):
    ada.post(f"{NEW}?kind=rule", {"name": "digits", "rule": "numbers"})
    assert Judge.objects.get().rule == "numbers"
    model()
    fields = {kind: set(ada.get(f"{NEW}?kind={kind}").context["form"].fields) for kind in KINDS}
    assert fields["rule"] == {"name", "rule"}
    assert fields["repetition"] == {"repeated"}
    assert fields["model"] - fields["fact_qa"] == {"request_unit", "samples", "temperature", "logprobs"}
    assert fields["fact_qa"] - fields["model"] == {"fact_qa", "fact_source", "precision_only"}
    assert ada.get(f"{NEW}?kind=other").status_code == 404
    model("facts", fact_qa="strict")
    assert 'aria-current="true">Fact-QA by a model</a>' in html_of(ada.get(f"{NEW}?from=facts"))


def test_an_invalid_judge_is_refused_at_its_field_with_the_reason_and_its_key_is_lost(ada):
    for change, problem, field in (
        ({"base_url": ""}, "This field is required.", "base_url"),
        ({"model": ""}, "This field is required.", "model"),
        ({"base_url": "ftp://models"}, "is not an address (http or https)", ""),
        ({"temperature": "0"}, "Several samples need a temperature above 0", "temperature"),
        ({"output_price": ""}, "Give both prices, of input and of output, or none.", "output_price"),
        ({"template": "Rate it."}, "placeholders", "template"),
        ({"key_env": "SECRET_KEY"}, "Name a variable that starts with MODEL_ or JUDGE_", ""),
        ({"name": "a b"}, "A name has letters, digits and . _ + -", "name"),
        ({"samples": "51"}, "less than or equal to 50", ""),
    ):
        page = ada.post(NEW, {**MODEL, "key": "sk-secret", **change})
        assert problem in html_of(page) and "sk-secret" not in page.content.decode()
        if field:
            errors = page.context["form"].errors
            assert set(errors) == {field, "key"}
            assert errors["key"] == ["Enter the key again: it is not sent back, so this field is empty now."]
            assert f'<a href="#id_{field}">' in html_of(page)
            assert set(ada.post(NEW, {**MODEL, **change}).context["form"].errors) == {field}
    assert not Judge.objects.exists()


def test_a_model_is_repeated_and_a_rule_is_not(ada):
    rule_judge("numbers", "digits")
    page = html_of(ada.get(f"{NEW}?kind=repetition"))
    assert "There is no model to repeat yet" in page and ">Create judge</button>" not in page
    ada.post(NEW, {**MODEL, "key": "sk-secret"})
    page = html_of(ada.get(f"{NEW}?kind=repetition"))
    assert "There is no model to repeat yet" not in page and ">Create judge</button>" in page
    assert 'href="/judges/new/?kind=repetition&amp;from=strict%401"' in html_of(ada.get("/judges/strict/1/"))
    page = ada.post(f"{NEW}?kind=repetition", {"repeated": "strict"}, follow=True)
    assert "Judge strict@2 is created." in text_of(page)
    second = Judge.objects.get(version=2)
    assert (second.samples, key_of(second)) == (3, "sk-secret")


def test_the_items_that_tuned_a_judge_are_recorded_shown_and_sent_as_the_command_reads_them(june, ada, tmp_path):
    page = ada.post(NEW, {**MODEL, "tuned_project": "june"})
    assert "No item of project &#x27;june&#x27; is rated" in html_of(page)
    upload = SimpleUploadedFile("items.jsonl", b'{"response": "none", "item": 0}\n')
    assert set(ada.post(NEW, {**MODEL, "tuned_file": upload}).context["form"].errors) == {"tuned_file"}
    assert not Judge.objects.exists()
    first, second = june.items()[:2]
    rows = [{"response": item.response.key, "item": item.position} for item in (first, second)]
    upload = SimpleUploadedFile("items.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows).encode())
    page = text_of(ada.post(NEW, {**MODEL, "tuned_file": upload}, follow=True))
    assert "2 items tuned the prompt" in page and f"{first.response.key} · item: {first.position}" in page
    content = b"".join(ada.get("/judges/strict/1/tuned.jsonl").streaming_content)
    (tmp_path / "again.jsonl").write_bytes(content)
    assert sorted(read_item_list(tmp_path / "again.jsonl")) == sorted([first.pk, second.pk])
    assert AuditEvent.objects.filter(target="judge:strict@1", after__name="tuned-strict@1.jsonl").exists()


def test_the_items_that_tuned_a_judge_with_fact_qa_are_recorded_and_said_to_be_included(june, ada, lena):
    rates(june.people["ravi"], june.project)
    form = html_of(ada.get(f"{NEW}?kind=fact_qa"))
    assert "Fact-QA figures include them." in form and "exclude them" not in form
    values = {**MODEL, "fact_qa": "strict", "tuned_project": "june"}
    page = text_of(ada.post(f"{NEW}?kind=fact_qa", values, follow=True))
    assert "3 items tuned the prompt" in page and "Fact-QA figures include them." in page
    assert Judge.objects.get().tuning_items.count() == 3
    page = text_of(lena.get("/projects/june/judges/strict/1/"))
    assert "3 items of this project tuned its prompt; the figures include them" in page
