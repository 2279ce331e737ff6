"""Inspect logs as JSON and as .eval files: prompts, answers and the samples that they came from."""

import json
import zipfile
import zlib
from pathlib import Path

import pyarrow
import pytest

from annotation.importing import load_dataset
from annotation.importing.eval_logs import inspect
from annotation.models import Prompt, Response
from tests.importing.files import FIXTURES, refusal_of

FORMAT = "inspect"
LOG = FIXTURES / "inspect" / "bird_facts.json"
pytestmark = pytest.mark.django_db


def value(**changes) -> dict:
    return {**json.loads(LOG.read_text(encoding="utf-8")), **changes}


def written(path: Path, content: dict) -> Path:
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def eval_file(path: Path, content: dict) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", json.dumps({"version": 2, "eval": content["eval"]}))
        for sample in content["samples"]:
            archive.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample))
        archive.writestr("header.json", json.dumps({key: content[key] for key in ("version", "status", "eval")}))
    return path


def zstandard_file(path: Path, value: dict) -> Path:
    """Write the file as current versions of Inspect do. Python before 3.14 has no such method of compression: the
    packed bytes are stored, and then the archive's headers are changed."""
    texts = {f"samples/{s['id']}_epoch_{s['epoch']}.json": json.dumps(s).encode() for s in value["samples"]}
    texts["header.json"] = json.dumps({"eval": value["eval"]}).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in texts.items():
            archive.writestr(name, pyarrow.compress(text, codec="zstd", asbytes=True))
        directory = archive.start_dir
        infos = archive.infolist()
    content = bytearray(path.read_bytes())
    for info in infos:
        text = texts[info.filename]
        entry = content.index(b"PK\x01\x02", directory)
        directory = entry + 46
        for start in (info.header_offset + 8, entry + 10):
            content[start : start + 2] = (93).to_bytes(2, "little")
            content[start + 6 : start + 10] = zlib.crc32(text).to_bytes(4, "little")
            content[start + 14 : start + 18] = len(text).to_bytes(4, "little")
    path.write_bytes(content)
    return path


def contents() -> list[tuple]:
    return list(Response.objects.order_by("key").values_list("key", "prompt__key", "system__name", "text", "metadata"))


def test_a_sample_is_a_prompt_with_its_target_and_a_response(log):
    counts = log.load(LOG).as_json()
    assert (counts["prompts"], counts["responses"]) == (3, 2)
    assert counts["left_out"] == {"request or sample with an error": 1}
    first, second, third = Prompt.objects.order_by("key")
    assert (first.key, first.text) == ("1", "How long do Arctic terns live?")
    assert first.metadata == {"task": "bird_facts", "topic": "birds"}
    assert second.reference == "In burrows.\nIn burrows on cliffs."
    assert third.text == "System: Answer briefly.\n\nUser: Which bird flies furthest?"
    response = Response.objects.get(prompt=first)
    assert response.text.startswith("Arctic terns live for about thirty years.")
    assert (response.key, response.system.name) == ("uuid1e1", "example/plover-1")
    about = {"eval_id": "Ev7terns", "task": "bird_facts", "sample_id": 1, "epoch": 1}
    assert response.metadata["inspect"] == {**about, "scores": {"model_graded_fact": "C"}}
    scores = Response.objects.get(prompt=second).metadata["inspect"]["scores"]
    assert scores == {"model_graded_fact": "I", "ratio": None}


def test_an_eval_file_has_the_same_contents_as_the_json(tmp_path, log):
    log.load(LOG, "json")
    as_json = contents()
    for n, write in enumerate((eval_file, zstandard_file)):
        Response.objects.all().delete()
        log.load(write(tmp_path / "log.eval", value()), f"zip-{n}")
        assert contents() == as_json and len(as_json) == 2


def test_a_damaged_eval_file_and_one_that_is_no_archive_of_a_log_are_refused(tmp_path, log):
    path = zstandard_file(tmp_path / "log.eval", value())
    content = path.read_bytes()
    magic = content.index(b"\x28\xb5\x2f\xfd")
    for damaged in (
        content[: magic + 8] + b"\0" * 8 + content[magic + 16 :],
        content[:4] + content[4:].replace(b"PK\x03\x04", b"PK\x03\x05"),
    ):
        path.write_bytes(damaged)
        assert "the zip archive is damaged" in log.problem(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.json", "{}")
    assert "there is no header.json in this archive" in log.problem(path)


def test_the_same_log_again_changes_nothing_and_another_models_log_adds_its_answers(log):
    log.load(LOG)
    assert log.load(LOG).new == 0
    other = value()
    other["eval"] |= {"model": "example/knot-3", "eval_id": "Ev8"}
    for sample in other["samples"]:
        sample["uuid"] = ""
    log.load(other)
    assert Prompt.objects.count() == 3
    keys = Response.objects.filter(system__name="example/knot-3").values_list("key", flat=True)
    assert set(keys) == {"Ev8-1-1", "Ev8-2-1"}


def test_each_epoch_is_a_response_and_samples_of_other_tasks_under_the_same_id_are_refused(log):
    first = value()["samples"][0]
    log.load(value(samples=[first, {**first, "epoch": 2, "uuid": "uuid1e2"}]))
    assert Response.objects.count() == 2 and Prompt.objects.count() == 1
    other = log.file(value(samples=[{**first, "input": "Something else?"}]))
    problem, *_ = refusal_of(load_dataset, "inspect", [LOG, other], "other")
    assert "the id '1' occurs a second time with another prompt" in problem and "data set of its own" in problem


def test_choices_are_part_of_the_prompt_and_attachments_are_resolved(log):
    asked = [{"role": "system", "content": "Guess."}, {"role": "user", "content": "attachment://a1"}]
    more = {"choices": [f"{n} years" for n in range(28)], "input": asked, "attachments": {"a1": "How old?"}}
    log.load(value(samples=[value()["samples"][0] | more]))
    text = Prompt.objects.get().text
    assert text.startswith("System: Guess.\n\nUser: How old?\n\nA) 0 years\nB) 1 years")
    assert text.endswith("\nZ) 25 years\n1) 26 years\n2) 27 years")


def test_further_choices_are_responses_and_a_sample_with_an_error_has_none(log):
    first, texts = value()["samples"][0], ["Thirty years.", "", "Twenty years."]
    choices = [{"message": {"role": "assistant", "content": [{"type": "text", "text": text}]}} for text in texts]
    called = [{"message": {"role": "assistant", "content": "", "tool_calls": [{"function": "look_up"}]}}]
    samples = [
        {**first, "output": {"choices": choices}},
        {**first, "id": 8, "uuid": "u8", "error": {"message": "out of memory"}},
        {**first, "id": 9, "uuid": "u9", "output": {"choices": called}},
    ]
    counts = log.load(value(samples=samples)).as_json()
    assert dict(Response.objects.values_list("key", "text")) == {"uuid1e1": texts[0], "uuid1e1-3": texts[2]}
    assert Response.objects.get(key="uuid1e1-3").metadata["inspect"]["choice"] == 3
    reasons = ("response without text", "request or sample with an error", "tool call without text")
    assert counts["left_out"] == dict.fromkeys(reasons, 1)


def test_a_log_without_samples_says_why(tmp_path, log):
    for status, cause in (
        ("cancelled", "the evaluation did not get to one (status 'cancelled')"),
        ("error", "the evaluation did not get to one (status 'error')"),
        ("success", "the log was written without them"),
    ):
        for write in (written, eval_file):
            problem = log.problem(write(tmp_path / "log.eval", value(status=status, samples=[])))
            assert problem.startswith("log.eval: there are no samples in the file") and cause in problem


def test_other_files_are_refused_with_the_place_and_the_cause(log):
    of_model = {"eval": {"model": "m"}}
    for content, problem in (
        (of_model, "there are no samples in the file"),
        ({"results": {}}, "there are no samples in the file, and no 'eval'"),
        ([1], "1: this is not an Inspect log"),
        ({"samples": [{"id": 1}], **of_model}, "1: 'samples' precedes 'eval'"),
        ({"eval": {}, "samples": [{}]}, "'eval' has no 'model'"),
        ({**of_model, "samples": [{"input": "q"}]}, "1: 'id' of the sample must be a text or a num"),
        ({**of_model, "samples": [{"id": 1, "input": 5}]}, "1: the content of a message must be a"),
    ):
        location, _, found = log.problem(written(log.path, content)).partition(":")
        assert location == "log.json" and found.strip().startswith(problem)


def test_hostile_eval_files_are_refused(tmp_path, monkeypatch, log):
    bomb = value()
    bomb["samples"] = [{**bomb["samples"][0], "input": "0" * 70_000_000}]
    assert "unpacks to more than 100 times its size" in log.problem(eval_file(tmp_path / "bomb.eval", bomb))
    path = eval_file(tmp_path / "log.eval", value())
    monkeypatch.setattr(inspect, "MAX_RECORD_SIZE", 100)
    assert "header.json is larger than" in log.problem(path)
    monkeypatch.setattr(inspect, "MAX_SAMPLES", 2)
    assert "more than 2 files" in log.problem(path)


@pytest.mark.usefixtures("collected_garbage")
def test_deep_json_is_refused(tmp_path, log):
    path = tmp_path / "deep.json"
    path.write_text('{"eval": {"model": "m"}, "samples": [{"id": 1, "input": ' + "[" * 200_000, encoding="utf-8")
    problem = log.problem(path)
    assert "nested too deeply" in problem or "truncated" in problem
