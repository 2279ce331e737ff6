"""The page of a generated system: what a run takes, how runs ended, what they stored, and the file of the results."""

import json
from decimal import Decimal

import pytest

from annotation.generation.generators import create_generator
from annotation.generation.templates import DEFAULT_TEMPLATE, find_template
from annotation.model_calls.runs import RunLimits
from annotation.models import AuditEvent, Dataset, GenerationResult, GenerationRun, Generator, Job, Response
from tasks.generation import start_generation, start_token_count
from tests.cast import person, study
from tests.judging.fake_endpoint import COMPLETION_TOKENS, PROMPT_TOKENS, completion, fake_endpoint
from tests.web.generation.conftest import HOSTILE, SAFE, work
from tests.web.pages import html_of, queries, text_of

pytestmark = pytest.mark.django_db
PRICES = {"input_price": Decimal("2"), "output_price": Decimal("10")}
PRICE = Decimal(PROMPT_TOKENS * 2 + COMPLETION_TOKENS * 10) / 1_000_000
URL = "https://models.example.org/v1"


def generator(dataset, url=URL, system="model-a", **values):
    template = find_template(values.pop("template", DEFAULT_TEMPLATE))
    values = {"template": template, "timeout": 5.0, **PRICES, **values}
    return create_generator(Generator(dataset=dataset, system=system, base_url=url, model="tiny", **values))[0]


def address_of(selected):
    return f"/datasets/{selected.dataset.slug}/generators/{selected.public_id}/"


def counted(selected):
    """Count the tokens as the page does."""
    work(start_token_count(selected, actor=person("ada")))
    return selected


def generated(dataset, replies=(), **values):
    """Generate responses with a job; return their generator."""
    with fake_endpoint(lambda body: "One sentence.", faults=[completion(reply) for reply in replies]) as endpoint:
        selected = counted(generator(dataset, endpoint.url, **values))
        work(start_generation(selected, RunLimits(), actor=person("ada")))
    return selected


def page_of(client, selected):
    return client.get(address_of(selected))


def test_before_anything_is_sent_the_tokens_are_counted_and_the_page_says_what_a_run_takes(ada, birds, sent):
    selected = generator(birds, max_tokens=100)
    page = ada.post(address_of(selected), {"limit": "1"})
    assert page.status_code == 200 and not sent
    assert "The tokens are not counted yet" in " ".join(page.context["form"].non_field_errors())
    assert "Generate responses</button>" not in html_of(page)
    assert "The tokens are not counted yet. Then a run can start." in text_of(page_of(ada, selected))
    for _ in range(2):
        page = ada.post(f"{address_of(selected)}count/", follow=True)
    assert "The tokens are being counted already." in text_of(page) and len(sent) == 1
    work(sent[0])
    page = text_of(page_of(ada, selected))
    counts = sent[0].result
    assert f"Requests 3 Tokens of requests {counts['prompt_tokens']:,} longest {counts['longest']:,}" in page
    assert f"Tokens of answers, at most 300 Greatest cost in USD {counts['most_cost_usd']:.4f}" in page
    assert "Tokens are estimated: 0.250 per character is assumed, since no request has been answered yet." in page
    assert "1 prompt has no document, and the template shows one." in page
    assert "Stored 0 Failed 0 Missing 4 Cost in USD 0.0000" in page
    assert GenerationRun.objects.count() == 0


def test_documents_that_are_too_long_are_named_with_their_tokens(ada, birds):
    selected = counted(generator(birds, max_tokens=100, context_tokens=150))
    page = page_of(ada, selected)
    text = text_of(page)
    assert "Requests 0 Tokens of requests 0 Tokens of answers" in text
    assert "3 requests are too long for 150 context tokens with their answers. They are not sent" in text
    document = birds.documents.get()
    assert f'href="/datasets/birds/documents/{document.public_id}/"' in html_of(page)
    assert "Documents that are too long" in text and "On terns What about turbid days, question 0?" in text


def test_a_run_is_started_with_its_limits_and_shown_with_its_costs(ada, birds, sent):
    with fake_endpoint(lambda body: "Terns fly far.") as endpoint:
        selected = counted(generator(birds, endpoint.url))
        values = {"limit": "2", "budget_usd": "5", "budget_tokens": "9000"}
        page = ada.post(address_of(selected), values, follow=True)
        assert "Generating responses Waiting for a worker" in text_of(page)
        assert "A run is open. The next one can start when it has ended." in text_of(page)
        assert "now; wait until the run ends" in text_of(ada.post(address_of(selected), {}))
        work(sent[-1])
    assert len(sent) == 2
    page = text_of(page_of(ada, selected))
    assert f"Stored 2 Failed 0 Missing 2 Cost in USD {2 * PRICE:.4f}" in page
    end = "The limit was reached Limit 2 Budget 9,000 tokens Budget USD 5"
    assert f"by ada {end} 2 0 2 2,100 tokens {2 * PRICE:.4f}" in page
    assert "Responses were generated after this count: count again before the next run." in page
    assert "Terns fly far. Whole response 1,000 + 50 0.0025" in page
    ada.post(f"{address_of(selected)}count/")
    work(sent[-1])
    page = text_of(page_of(ada, selected))
    assert "as in 2 answered requests of this system" in page and "after this count" not in page


def test_a_budget_in_usd_is_offered_only_with_prices(ada, birds, sent):
    selected = counted(generator(birds, input_price=None, output_price=None))
    page = page_of(ada, selected)
    assert "Budget in USD" not in text_of(page) and "Without prices there is no cost." in text_of(page)
    ada.post(address_of(selected), {"limit": "0"})
    assert len(sent) == 1, "a limit of 0 is refused"
    ada.post(address_of(selected), {"budget_usd": "5", "budget_tokens": "70"})
    assert (sent[1].params["budget_usd"], sent[1].params["budget_tokens"]) == (None, 70)


def test_failed_prompts_are_listed_with_the_problem_and_asked_again(ada, birds, sent):
    selected = generated(birds, ["", "Fine."], concurrency=1)
    page = text_of(page_of(ada, selected))
    assert "Stored 2 Failed 2 Missing 0" in page and "It is empty." in page
    failed = text_of(ada.get(f"{address_of(selected)}?state=failed"))
    assert "It is empty." in failed and "Whole response" not in failed
    assert "It is empty." not in text_of(ada.get(f"{address_of(selected)}?state=stored"))
    assert "Whole response" in text_of(ada.get(f"{address_of(selected)}?state=nothing"))
    ada.post(address_of(selected), {"retry_failed": "on"})
    assert sent[-1].params["retry_failed"] is True
    many = queries(ada, address_of(selected))
    GenerationResult.objects.exclude(prompt__key="q0").delete()
    assert queries(ada, address_of(selected)) == many, "whatever the number of results"


def test_hostile_answers_and_steps_are_text_and_the_file_has_a_line_for_each_result(ada, birds):
    reply = f"Type: {HOSTILE}\nSteps: {HOSTILE}\nAnswer: {HOSTILE} is the answer."
    selected = generated(birds, [reply] * 3, template="chain-of-thought")
    html = html_of(page_of(ada, selected))
    assert html.count(SAFE) >= 9 and HOSTILE not in html
    response = Response.objects.first()
    assert f"#response-{response.public_id}" in html
    page = text_of(ada.get("/datasets/birds/"))
    assert "Generated as system model-a by tiny with template chain-of-thought@1" in page
    prompt_page = html_of(ada.get(f"/datasets/birds/prompts/{response.prompt.public_id}/"))
    assert f'id="response-{response.public_id}"' in prompt_page and HOSTILE not in prompt_page
    file = ada.get(f"{address_of(selected)}results.jsonl")
    assert file["content-disposition"] == 'attachment; filename="generated-model-a.jsonl"'
    rows = {row["prompt"]: row for row in map(json.loads, b"".join(file.streaming_content).splitlines())}
    assert sorted(rows) == ["q0", "q1", "q2", "q9"]
    row, result = rows[response.prompt.key], GenerationResult.objects.get(response=response)
    assert row.pop("seconds") > 0
    assert row == {
        "prompt": response.prompt.key, "response": response.key, "text": f"{HOSTILE} is the answer.", "reasoning": "",
        "state": "stored", "problem": "", "system": "model-a", "model": "tiny", "template": "chain-of-thought@1",
        "parameters": {"temperature": 0.0, "max_tokens": 1000, "context_tokens": None}, "returned_model": "",
        "question_type": HOSTILE, "steps": HOSTILE, "prompt_sha256": result.prompt_sha256,
        "prompt_tokens": PROMPT_TOKENS, "completion_tokens": COMPLETION_TOKENS, "cost": float(PRICE),
    }  # fmt: skip
    assert (rows["q9"]["response"], rows["q9"]["text"]) == (None, None) and "no document" in rows["q9"]["problem"]
    event = AuditEvent.objects.get(action="download file")
    assert (event.actor.username, event.target) == ("ada", "dataset:birds, system:model-a")
    assert event.after == {"name": "generated-model-a.jsonl", "with_names": False}


def test_the_page_of_the_data_set_lists_generated_systems_for_admins_only(june, client, sent):
    selected = generator(june.project.dataset)
    client.force_login(june.people["lena"])
    assert "Generate responses" not in text_of(client.get("/datasets/june-data/"))
    assert "Generated systems" not in text_of(client.get("/datasets/june-data/"))
    client.force_login(person("ada", admin=True))
    page = client.get("/datasets/june-data/")
    assert f"model-a tiny · {URL} whole-article@1 0 0 1 0.0000" in text_of(page)
    assert f'href="{address_of(selected)}"' in html_of(page) and 'href="/datasets/june-data/generate/"' in html_of(page)


def test_jobs_lead_to_the_system_and_a_run_can_be_canceled(ada, birds, sent):
    selected = counted(generator(birds))
    counting = Job.objects.get()
    assert ada.get(f"/jobs/{counting.public_id}/").url == address_of(selected)
    ada.post(address_of(selected), {})
    page = ada.post(f"{address_of(selected)}jobs/{sent[-1].public_id}/cancel/", follow=True)
    assert "Canceled. Responses that are stored stay." in text_of(page)
    page = ada.get(f"/jobs/{sent[-1].public_id}/")
    assert "This job was canceled; what was done until then is stored." in text_of(page)
    assert f'href="{address_of(selected)}"' in html_of(page)
    page = ada.post(f"{address_of(selected)}jobs/{sent[-1].public_id}/cancel/", follow=True)
    assert "The job had ended already." in text_of(page)
    other = generator(birds, system="model-b")
    assert ada.post(f"{address_of(other)}jobs/{sent[-1].public_id}/cancel/").status_code == 404
    Dataset.objects.get().generators.all().delete()
    assert ada.get(f"/jobs/{counting.public_id}/").url == "/datasets/"


def test_a_run_that_failed_says_why_on_the_page_of_the_system_and_no_other_data_set_has_it(ada, birds, sent):
    selected = counted(generator(birds, key_env="MODEL_MISSING"))
    ada.post(address_of(selected), {})
    work(sent[-1])
    failed = "Generating responses failed The environment variable MODEL_MISSING with the key of model-a is not set"
    assert failed in text_of(page_of(ada, selected))
    study()
    assert ada.get(address_of(selected).replace("birds", "june-data")).status_code == 404
