"""Generated responses by the API: from the settings of a system to its responses, and who may do what."""

import pytest

from annotation.generation.run import generate_job
from annotation.generation.token_counts import count_tokens_job
from annotation.importing import load_dataset
from annotation.jobs import run as run_job
from annotation.models import GenerationTemplate, Generator, Job
from tests.api.clients import send
from tests.importing.files import lines, prompt
from tests.judging.fake_endpoint import fake_endpoint

pytestmark = pytest.mark.django_db
PATH = "datasets/birds/generators/"
PRICES = {"input_price": "2", "output_price": "10"}
BIRDS = {"id": "birds", "sections": [{"heading": "Results", "paragraphs": ["Terns fly further on turbid days."]}]}


@pytest.fixture(autouse=True)
def _birds(tmp_path):
    """Load a data set of three prompts of which one has no document."""
    rows = [prompt(f"q{n}", document=BIRDS) for n in range(2)]
    load_dataset("jsonl", [lines(tmp_path / "birds.jsonl", [*rows, prompt("q9")])], "birds")


def settings_of(endpoint, **more: object) -> dict[str, object]:
    return {"system": "model-a", "base_url": endpoint.url, "model": "tiny", "concurrency": 1, **more}


def work(ada, path: str, body: dict | None = None) -> dict:
    """Start a job, run it as a worker does, and return its result."""
    status, started = send(ada, "POST", path, body or {})
    assert status == 202, started
    job = Job.objects.get(public_id=started["id"])
    run_job(job.pk, generate_job if job.kind == "generate_responses" else count_tokens_job)
    job.refresh_from_db()
    assert job.state == "done", job.problems
    return job.result


def test_an_admin_counts_tokens_generates_and_reads_the_results(ada):
    with fake_endpoint(lambda body: "Terns fly further.") as endpoint:
        endpoint.names = {"model": "tiny-2026"}
        status, created = send(ada, "POST", PATH, settings_of(endpoint, key="sk-secret", **PRICES))
        assert status == 201 and "sk-secret" not in str(created)
        path = f"{PATH}{created['id']}/"
        counts = work(ada, f"{path}token-counts/")
        assert (counts["prompts"], counts["without_document"], endpoint.charged) == (2, 1, 0)
        result = work(ada, f"{path}runs/", {"budget_usd": "1"})
    assert (result["new"], result["failed"], result["missing"], result["ended"]) == (2, 1, 0, "done")
    shown = send(ada, "GET", path)[1]
    assert (shown["template"], shown["has_key"], shown["returned_model"]) == ("whole-article@1", True, "tiny-2026")
    assert (shown["stored"], shown["failed"], shown["missing"]) == (2, 1, 0)
    [run] = send(ada, "GET", f"{path}runs/")[1]["results"]
    assert (run["stored"], run["failed"], run["requests"], run["ended"], run["started_by"]) == (2, 1, 2, "done", "ada")
    assert run["cost_usd"] == shown["cost_usd"] == result["cost_usd"] > 0
    [failed] = send(ada, "GET", f"{path}results/?state=failed")[1]["results"]
    assert (failed["prompt"], failed["response"]) == ("q9", None) and "no document" in failed["problem"]
    fields = "text,returned_model,prompt_sha256,seconds"
    stored = send(ada, "GET", f"{path}results/?state=stored&fields={fields}")[1]["results"]
    assert {(row["text"], row["returned_model"]) for row in stored} == {("Terns fly further.", "tiny-2026")}
    assert all(len(row["prompt_sha256"]) == 64 and row["seconds"] > 0 for row in stored)


def test_settings_are_stored_once_and_a_second_run_at_the_same_time_or_a_budget_without_prices_is_refused(ada):
    with fake_endpoint() as endpoint:
        statuses = [send(ada, "POST", PATH, settings_of(endpoint))[0] for _ in range(2)]
        status, problem = send(ada, "POST", PATH, settings_of(endpoint, temperature=1))
        assert (statuses, status) == ([201, 200], 400) and "never change" in problem["errors"]["system"][0]
        [row] = send(ada, "GET", PATH)[1]["results"]
        assert Generator.objects.count() == 1
        runs = f"{PATH}{row['id']}/runs/"
        status, problem = send(ada, "POST", runs, {"budget_usd": "1"})
        assert status == 400 and "needs the prices" in problem["errors"]["budget_usd"][0]
        assert not Job.objects.exists()
        assert send(ada, "POST", runs, {})[0] == 202
        status, problem = send(ada, "POST", runs, {})
    assert status == 409 and "are being generated now" in problem["detail"]


def test_templates_are_listed_and_saved_in_versions(ada):
    path, short = "generation-templates/", {"name": "short", "context": "none"}
    listed = send(ada, "GET", path)[1]["results"]
    assert [row["template"] for row in listed] == ["whole-article@1", "rag@1", "zero-shot@1", "chain-of-thought@1"]
    texts = ("$prompt", "$prompt", "Briefly: $prompt")
    saved = [send(ada, "POST", path, {**short, "text": text}) for text in texts]
    assert [status for status, _template in saved] == [201, 200, 201]
    assert saved[2][1]["template"] == "short@2"
    status, problem = send(ada, "POST", path, {"name": "short", "text": "Nothing"})
    assert status == 400 and "placeholders" in problem["errors"]["text"][0]
    assert GenerationTemplate.objects.filter(name="short").count() == 2
