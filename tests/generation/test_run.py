"""Responses that a model at a local endpoint generates: each prompt once, with its costs, and added to projects."""

import json
from decimal import Decimal

import pytest
from django.core.management import call_command

from annotation.generation.answers import read_steps
from annotation.generation.generated_files import export_results
from annotation.generation.prompts import hash_of
from annotation.generation.run import generate_responses
from annotation.importing import load_dataset
from annotation.jobs import Progress, Stopped
from annotation.model_calls import request_queue
from annotation.model_calls.errors import ModelError
from annotation.model_calls.runs import RunLimits
from annotation.models import (
    Dataset,
    DatasetImport,
    GenerationCall,
    GenerationResult,
    GenerationRun,
    GenerationTemplate,
    Item,
    Response,
    Sheet,
)
from annotation.projects.create import create_project
from annotation.projects.deleting import delete_dataset
from tests.cast import article_accuracy
from tests.generation.generators import BIRDS, PARAGRAPHS, PRICE, TOKENS, answer, generator
from tests.importing.files import lines, prompt
from tests.judging.fake_endpoint import COMPLETION_TOKENS, PROMPT_TOKENS, completion, fake_endpoint

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch):
    monkeypatch.setattr(request_queue, "FIRST_PAUSE", 0.01)


@pytest.fixture
def birds(tmp_path):
    rows = [prompt(f"q{n}", text=f"What about turbid days, question {n}?", document=BIRDS) for n in range(4)]
    load_dataset("jsonl", [lines(tmp_path / "birds.jsonl", [*rows, prompt("q9")])], "birds")
    return Dataset.objects.get()


def generate(dataset, faults=(), limit=None, retry_failed=False, **values):
    """Let a system answer the prompts of a data set; return what the run found, and the endpoint."""
    with fake_endpoint(answer, faults) as endpoint:
        settings = generator(dataset, endpoint, **values)
        return generate_responses(settings, RunLimits(limit=limit, retry_failed=retry_failed)), endpoint


def test_each_prompt_with_a_document_is_answered_once_and_added_to_projects(birds):
    with fake_endpoint(answer) as endpoint:
        endpoint.names = {"model": "tiny-2026"}
        settings = generator(birds, endpoint, key="sk-secret")
        first = generate_responses(settings, RunLimits(limit=1))
        result = GenerationResult.objects.select_related("response", "generator__template").get()
        project = create_project("june", birds, article_accuracy())
        second = generate_responses(settings)
        third = generate_responses(settings)
    assert (first.new, first.run.ended, first.missing) == (1, "limit", 4)
    assert (second.new, second.failed, second.missing, second.run.ended) == (3, 1, 0, "done")
    assert (third.calls.requests, third.new, endpoint.charged) == (0, 0, 4)
    assert second.cost_usd == 3 * PRICE and second.tokens == 3 * TOKENS
    assert Response.objects.filter(system__name="model-a").count() == Sheet.objects.filter(project=project).count() == 4
    assert Item.objects.filter(unit="sentence").count() == 8
    assert DatasetImport.objects.filter(options__system="model-a").count() == 2
    assert endpoint.keys[0] == "Bearer sk-secret"
    assert "sk-secret" not in str(list(GenerationCall.objects.values()))
    # what is kept of each response
    assert result.response.text.startswith("Terns fly further. It was ")
    spent = (result.prompt_tokens, result.completion_tokens, result.cost)
    assert (result.model, *spent) == ("tiny-2026", PROMPT_TOKENS, COMPLETION_TOKENS, PRICE)
    assert (result.generator.template.label, result.generator.temperature) == ("whole-article@1", 0.0)
    assert 0 < result.seconds < 60
    sent = endpoint.bodies[0]["messages"]
    assert result.prompt_sha256 == hash_of(sent)
    assert all(each in sent[0]["content"] for each in (*PARAGRAPHS, "Results", result.prompt.text))


def test_a_prompt_without_a_document_fails_where_the_template_shows_one(birds):
    generate(birds)
    _, endpoint = generate(birds, system="closed-book", template="zero-shot")
    failed = GenerationResult.objects.get(state="failed")
    assert (failed.prompt.key, failed.response) == ("q9", None) and "no document" in failed.problem
    assert Response.objects.filter(system__name="closed-book").count() == 5
    assert not any(PARAGRAPHS[0] in body["messages"][0]["content"] for body in endpoint.bodies)
    delete_dataset(birds)
    assert not any(model.objects.exists() for model in (GenerationCall, GenerationResult, GenerationRun, Response))


def test_a_document_that_is_too_long_is_not_sent(birds):
    summary, _ = generate(birds, limit=2, context_tokens=150, max_tokens=100)
    assert (summary.failed, summary.calls.requests) == (2, 0)
    assert "at most 50 fit" in GenerationResult.objects.first().problem


def test_passages_are_shown_instead_of_the_document(tmp_path):
    birds = ("Gulls", "Auks", "Waders", "Ducks", "Skuas", "Owls")
    others = [f"{bird} breed on the coast in spring. " * 30 for bird in birds]
    paragraphs = [*others, "Terns fly 11.8 km on turbid days."]
    document = {"id": "d", "sections": [{"heading": "Birds", "paragraphs": paragraphs}]}
    rows = [prompt("q1", text="How far do terns fly?", document=document)]
    load_dataset("jsonl", [lines(tmp_path / "birds.jsonl", rows)], "coast")
    _, endpoint = generate(Dataset.objects.get(), template="rag")
    shown = endpoint.bodies[0]["messages"][0]["content"]
    assert "Terns fly 11.8 km" in shown and len(shown) < sum(map(len, others))


def test_of_an_answer_in_steps_the_answer_is_the_response(birds):
    replies = [
        "Type: single fact\nSteps: The results say it.\nAnswer: Terns fly further.\nThey do so on turbid days.",
        "**Type:** yes/no\n\n**Steps:** One.\nTwo.\n\n**Answer:** Yes.",
        "Terns fly further.",
    ]
    summary, _ = generate(birds, map(completion, replies), limit=3, template="chain-of-thought", concurrency=1)
    assert (summary.new, summary.failed) == (2, 1)
    first, second, third = GenerationResult.objects.order_by("prompt__key")
    assert first.response.text == "Terns fly further.\nThey do so on turbid days."
    assert (first.question_type, first.steps) == ("single fact", "The results say it.")
    assert (second.response.text, second.question_type, second.steps) == ("Yes.", "yes/no", "One.\nTwo.")
    assert "Answer:" in third.problem


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (completion("Terns fly", finish_reason="length"), "more than 1000 tokens"),
        (completion("", finish_reason="content_filter"), "withheld"),
        (completion("  "), "empty"),
        (completion("<think>It was 5 km. Or"), "reasoning but no answer"),
    ],
)
def test_an_answer_that_is_no_response_fails_and_is_asked_for_again_on_request(birds, reply, problem):
    with fake_endpoint(answer, faults=[reply]) as endpoint:
        settings = generator(birds, endpoint)
        assert generate_responses(settings, RunLimits(limit=1)).failed == 1
        assert problem in GenerationResult.objects.get().problem
        assert generate_responses(settings, RunLimits(limit=1)).new == 1
        again = generate_responses(settings, RunLimits(retry_failed=True))
    assert (again.new, again.failed) == (3, 1)
    assert GenerationResult.objects.filter(state="stored").count() == 4


def test_requests_are_repeated_after_faults_and_costs_are_those_charged(birds):
    faults = [(429, {"retry-after": "0.02"}), 500, "cut", "junk", ("slow", 0.1)]
    summary, endpoint = generate(birds, faults)
    assert summary.new == 4
    assert summary.cost_usd == endpoint.charged * PRICE


def test_a_run_stops_before_it_exceeds_the_budget(birds):
    with fake_endpoint(answer) as endpoint:
        settings = generator(birds, endpoint, concurrency=1, max_tokens=COMPLETION_TOKENS)
        summary = generate_responses(settings, RunLimits(budget_tokens=3 * TOKENS))
        assert summary.run.ended == "budget" and 1 <= summary.new <= 3
        rest = generate_responses(settings)
        free = generator(birds, endpoint, system="free", input_price=None, output_price=None)
        with pytest.raises(ModelError, match="needs the prices"):
            generate_responses(free, RunLimits(budget_usd=Decimal("1")))
    assert summary.new + rest.new == 4


def test_a_canceled_run_keeps_what_came(birds):
    class Canceled(Progress):
        def __call__(self, done, total=None, message=""):
            if done >= 2:
                raise Stopped

    project = create_project("june", birds, article_accuracy())
    with fake_endpoint(answer) as endpoint:
        settings = generator(birds, endpoint, concurrency=1)
        with pytest.raises(Stopped):
            generate_responses(settings, progress=Canceled())
    stored = Response.objects.count()
    assert 2 <= stored < 4 and Sheet.objects.filter(project=project).count() == stored
    assert GenerationRun.objects.get().ended == "stopped"


def test_a_run_ends_when_the_endpoint_answers_as_another_model(birds):
    replies = [completion("One.") | {"model": "old"}, completion("Two.") | {"model": "new"}]
    remedy = "generate the responses of another system to continue"
    with pytest.raises(ModelError, match=remedy):
        generate(birds, replies, concurrency=1)
    assert GenerationRun.objects.get().ended == "model" and Response.objects.count() == 1


def test_the_command_counts_then_generates_and_the_same_again_changes_nothing(birds, capsys):
    with fake_endpoint(answer) as endpoint:
        command = ["generate_responses", "--dataset", "birds", "--system", "model-b", "--base-url", endpoint.url]
        command += ["--model", "tiny", "--input-price", "2", "--output-price", "10", "--json"]
        call_command(*command, "--count")
        counts = json.loads(capsys.readouterr().out)
        assert (counts["prompts"], counts["without_document"], endpoint.charged) == (4, 1, 0)
        call_command(*command, "--budget-usd", "1")
        stored = json.loads(capsys.readouterr().out)
        call_command(*command)
        again = json.loads(capsys.readouterr().out)
    assert (stored["new"], stored["failed"], stored["missing"], stored["cost_usd"]) == (4, 1, 0, float(4 * PRICE))
    assert (again["new"], again["requests"]) == (0, 0)


def test_the_command_saves_a_template_of_ones_own(birds, tmp_path, capsys):
    path = tmp_path / "short.txt"
    path.write_text("One sentence. $prompt", encoding="utf-8")
    with fake_endpoint(answer) as endpoint:
        call_command(
            *("generate_responses", "--dataset", "birds", "--system", "short", "--base-url", endpoint.url),
            *("--model", "tiny", "--template", "short", "--template-file", str(path), "--context", "none"),
        )
    assert "5 responses to 5 prompts" in capsys.readouterr().out
    assert endpoint.bodies[0]["messages"][0]["content"].startswith("One sentence. What about")


def test_the_command_stores_no_template_when_it_refuses_a_limit(birds, tmp_path):
    path = tmp_path / "short.txt"
    path.write_text("One sentence. $prompt", encoding="utf-8")
    with pytest.raises(SystemExit):
        call_command(
            *("generate_responses", "--dataset", "birds", "--system", "short", "--base-url", "http://127.0.0.1:1"),
            *("--model", "tiny", "--template", "short", "--template-file", str(path), "--context", "none"),
            *("--limit", "0"),
        )
    assert not GenerationTemplate.objects.filter(name="short").exists()


@pytest.mark.parametrize(
    "message",
    [
        {"content": "<think>Answer: 5 km?</think>\nIt was 11.8 km."},
        {"content": "It was 11.8 km.", "reasoning_content": "Answer: 5 km?"},
        {"content": [{"type": "thinking", "thinking": "Answer: 5 km?"}, {"type": "text", "text": "It was 11.8 km."}]},
    ],
)
def test_the_response_is_the_answer_without_the_reasoning_which_is_kept(birds, message):
    reply = completion("") | {"choices": [{"message": {"role": "assistant", **message}}]}
    generate(birds, [reply], limit=1)
    result = GenerationResult.objects.select_related("response").get()
    assert (result.response.text, result.reasoning) == ("It was 11.8 km.", "Answer: 5 km?")
    assert GenerationCall.objects.get().reasoning == "Answer: 5 km?"
    assert json.loads(b"".join(export_results(result.generator)))["reasoning"] == "Answer: 5 km?"


def test_an_answer_in_steps_follows_the_reasoning():
    steps = read_steps("<think>Type: summary\nAnswer: 5 km?</think>\nType: single fact\nSteps: Look.\nAnswer: 11.8 km.")
    assert (steps.question_type, steps.steps, steps.answer) == ("single fact", "Look.", "11.8 km.")
