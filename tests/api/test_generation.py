"""Generated responses by the API: from the settings of a system to its responses, and who may do what."""

import pytest
from django.test import Client

from annotation.generation.run import generate_job
from annotation.generation.token_counts import count_tokens_job
from annotation.importing import load_dataset
from annotation.jobs import run as run_job
from annotation.models import Dataset, GenerationTemplate, Generator, Job
from annotation.projects.create import create_project
from annotation.projects.members import add_member
from tests.cast import article_accuracy, person
from tests.importing.files import lines, prompt
from tests.judging.fake_endpoint import fake_endpoint

pytestmark = pytest.mark.django_db
PATH = "/api/v1/datasets/birds/generators/"
BIRDS = {"id": "birds", "sections": [{"heading": "Results", "paragraphs": ["Terns fly further on turbid days."]}]}


@pytest.fixture
def ada(tmp_path) -> Client:
    """Return a client of an admin, with a data set of three prompts of which one has no document."""
    rows = [prompt(f"q{n}", document=BIRDS) for n in range(2)]
    load_dataset("jsonl", [lines(tmp_path / "birds.jsonl", [*rows, prompt("q9")])], "birds")
    client = Client()
    client.force_login(person("ada", admin=True))
    return client


def post(client: Client, path: str, **body: object):
    return client.post(path, body, content_type="application/json")


def settings_of(endpoint, **more: object) -> dict[str, object]:
    return {"system": "model-a", "base_url": endpoint.url, "model": "tiny", "concurrency": 1, **more}


def work(answer) -> Job:
    """Run the job that a request has started, as a worker does."""
    assert answer.status_code == 202, answer.content
    job = Job.objects.get(public_id=answer.json()["id"])
    run_job(job.pk, generate_job if job.kind == "generate_responses" else count_tokens_job)
    job.refresh_from_db()
    assert job.state == "done", job.problems
    return job


def test_an_admin_counts_tokens_generates_and_reads_the_results(ada):
    with fake_endpoint(lambda body: "Terns fly further.") as endpoint:
        endpoint.names = {"model": "tiny-2026"}
        created = post(ada, PATH, **settings_of(endpoint, key="sk-secret", input_price="2", output_price="10"))
        assert created.status_code == 201 and "sk-secret" not in created.content.decode()
        path = f"{PATH}{created.json()['id']}/"
        counts = work(ada.post(f"{path}token-counts/")).result
        assert (counts["prompts"], counts["without_document"], endpoint.charged) == (2, 1, 0)
        result = work(post(ada, f"{path}runs/", budget_usd="1")).result
    assert (result["new"], result["failed"], result["missing"], result["ended"]) == (2, 1, 0, "done")
    shown = ada.get(path).json()
    assert (shown["template"], shown["has_key"], shown["returned_model"]) == ("whole-article@1", True, "tiny-2026")
    assert (shown["stored"], shown["failed"], shown["missing"]) == (2, 1, 0)
    [run] = ada.get(f"{path}runs/").json()["results"]
    assert (run["stored"], run["failed"], run["requests"], run["ended"], run["started_by"]) == (2, 1, 2, "done", "ada")
    assert run["cost_usd"] == shown["cost_usd"] == result["cost_usd"] > 0
    [failed] = ada.get(f"{path}results/?state=failed").json()["results"]
    assert (failed["prompt"], failed["response"]) == ("q9", None) and "no document" in failed["problem"]
    stored = ada.get(f"{path}results/?state=stored&fields=text,returned_model,prompt_sha256,seconds").json()["results"]
    assert {row["text"] for row in stored} == {"Terns fly further."} and {row["returned_model"] for row in stored} == {
        "tiny-2026"
    }
    assert all(len(row["prompt_sha256"]) == 64 and row["seconds"] > 0 for row in stored)


def test_the_same_settings_again_are_200_and_others_are_refused(ada):
    with fake_endpoint() as endpoint:
        assert post(ada, PATH, **settings_of(endpoint)).status_code == 201
        assert post(ada, PATH, **settings_of(endpoint)).status_code == 200
        refused = post(ada, PATH, **settings_of(endpoint, temperature=1))
    assert refused.status_code == 400 and "never change" in refused.json()["errors"]["system"][0]
    assert Generator.objects.count() == len(ada.get(PATH).json()["results"]) == 1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"base_url": "ftp://models"}, "base_url"),
        ({"key_env": "SECRET_KEY"}, "key_env"),
        ({"template": "none-such"}, "template"),
        ({"input_price": "1"}, "output_price"),
        ({"temperature": 9}, "temperature"),
        ({"system": ""}, "system"),
    ],
)
def test_settings_that_cannot_be_used_are_refused_with_their_field(ada, change, field):
    body = {"system": "a", "base_url": "https://models.example.org/v1", "model": "m", **change}
    refused = post(ada, PATH, **body)
    assert refused.status_code == 400 and list(refused.json()["errors"]) == [field]
    assert not Generator.objects.exists()


def test_a_second_run_at_the_same_time_is_refused(ada):
    with fake_endpoint() as endpoint:
        path = f"{PATH}{post(ada, PATH, **settings_of(endpoint)).json()['id']}/"
        assert post(ada, f"{path}runs/").status_code == 202
        second = post(ada, f"{path}runs/")
    assert second.status_code == 409 and "are being generated now" in second.json()["detail"]


def test_a_budget_in_usd_needs_prices(ada):
    with fake_endpoint() as endpoint:
        path = f"{PATH}{post(ada, PATH, **settings_of(endpoint)).json()['id']}/"
        refused = post(ada, f"{path}runs/", budget_usd="1")
    assert refused.status_code == 400 and "needs the prices" in refused.json()["errors"]["budget_usd"][0]
    assert not Job.objects.exists()


def test_templates_are_listed_and_saved_in_versions(ada):
    path = "/api/v1/generation-templates/"
    listed = ada.get(path).json()["results"]
    assert [row["template"] for row in listed] == ["whole-article@1", "rag@1", "zero-shot@1", "chain-of-thought@1"]
    first = post(ada, path, name="short", text="$prompt", context="none")
    same = post(ada, path, name="short", text="$prompt", context="none")
    second = post(ada, path, name="short", text="Briefly: $prompt", context="none")
    assert [each.status_code for each in (first, same, second)] == [201, 200, 201]
    assert second.json()["template"] == "short@2"
    refused = post(ada, path, name="short", text="Nothing")
    assert refused.status_code == 400 and "placeholders" in refused.json()["errors"]["text"][0]
    assert GenerationTemplate.objects.filter(name="short").count() == 2


def test_leads_and_raters_cannot_see_or_start_anything(ada):
    with fake_endpoint() as endpoint:
        path = f"{PATH}{post(ada, PATH, **settings_of(endpoint)).json()['id']}/"
    lena = person("lena")
    add_member(create_project("june", Dataset.objects.get(), article_accuracy()), lena, "lead")
    client = Client()
    client.force_login(lena)
    for address in (PATH, path, f"{path}runs/", f"{path}results/", "/api/v1/generation-templates/"):
        assert client.get(address).status_code == 403, address
    for address in (PATH, f"{path}runs/", f"{path}token-counts/", "/api/v1/generation-templates/"):
        assert post(client, address).status_code == 403, address
    assert not Job.objects.exists()
