"""Inspect logs as JSON and as .eval files: prompts, answers and the samples that they came from."""

import json
import zipfile
import zlib
from pathlib import Path

import pyarrow
import pytest

from annotation.importing import SourceFile, load_dataset
from annotation.importing.eval_logs import inspect
from annotation.models import Dataset, Prompt, Response
from tests.importing.files import FIXTURES, refusal_of

LOG = FIXTURES / "inspect" / "bird_facts.json"
pytestmark = pytest.mark.django_db


def log(**changes) -> dict:
    return {**json.loads(LOG.read_text(encoding="utf-8")), **changes}


def written(path: Path, value: dict) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def eval_file(path: Path, value: dict, compression: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as archive:
        archive.writestr("_journal/start.json", json.dumps({"version": 2, "eval": value["eval"]}))
        for sample in value["samples"]:
            archive.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample))
        archive.writestr("header.json", json.dumps({key: value[key] for key in ("version", "status", "eval")}))
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


def test_a_sample_is_a_prompt_with_its_target_and_a_response():
    counts = load_dataset("inspect", [LOG], "birds").as_json()
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


def test_an_eval_file_has_the_same_contents_as_the_json(tmp_path):
    load_dataset("inspect", [LOG], "json")
    as_json = contents()
    Dataset.objects.get(slug="json")
    Response.objects.all().delete()
    load_dataset("inspect", [eval_file(tmp_path / "log.eval", log())], "zip")
    assert contents() == as_json and len(as_json) == 2
    Response.objects.all().delete()
    load_dataset("inspect", [zstandard_file(tmp_path / "new.eval", log())], "zstandard")
    assert contents() == as_json


def test_a_damaged_eval_file_is_refused(tmp_path):
    path = zstandard_file(tmp_path / "log.eval", log())
    content = path.read_bytes()
    magic = content.index(b"\x28\xb5\x2f\xfd")
    path.write_bytes(content[: magic + 8] + b"\0" * 8 + content[magic + 16 :])
    [line] = refusal_of(load_dataset, "inspect", [path], "birds")
    assert "the zip archive is damaged" in line
    path.write_bytes(content[:4] + content[4:].replace(b"PK\x03\x04", b"PK\x03\x05"))
    [line] = refusal_of(load_dataset, "inspect", [path], "birds")
    assert "the zip archive is damaged" in line


def test_the_same_log_again_changes_nothing_and_another_models_log_adds_its_answers(tmp_path):
    load_dataset("inspect", [LOG], "birds")
    assert load_dataset("inspect", [LOG], "birds").new == 0
    other = log()
    other["eval"] |= {"model": "example/knot-3", "eval_id": "Ev8"}
    for sample in other["samples"]:
        sample["uuid"] = ""
    load_dataset("inspect", [written(tmp_path / "knot.json", other)], "birds")
    assert Prompt.objects.count() == 3
    keys = Response.objects.filter(system__name="example/knot-3").values_list("key", flat=True)
    assert set(keys) == {"Ev8-1-1", "Ev8-2-1"}


def test_choices_are_part_of_the_prompt_and_attachments_are_resolved(tmp_path):
    value = log()
    value["samples"] = value["samples"][:1]
    asked = [{"role": "system", "content": "Guess."}, {"role": "user", "content": "attachment://a1"}]
    choices = [f"{n} years" for n in range(28)]
    value["samples"][0] |= {"choices": choices, "input": asked, "attachments": {"a1": "How old?"}}
    load_dataset("inspect", [written(tmp_path / "log.json", value)], "birds")
    text = Prompt.objects.get().text
    assert text.startswith("System: Guess.\n\nUser: How old?\n\nA) 0 years\nB) 1 years")
    assert text.endswith("\nZ) 25 years\n1) 26 years\n2) 27 years")


def test_further_choices_are_responses_and_a_sample_with_an_error_has_none(tmp_path):
    value = log()
    first = value["samples"][0]
    texts = ["Thirty years.", "", "Twenty years."]
    choices = [{"message": {"role": "assistant", "content": [{"type": "text", "text": text}]}} for text in texts]
    called = [{"message": {"role": "assistant", "content": "", "tool_calls": [{"function": "look_up"}]}}]
    value["samples"] = [
        {**first, "output": {"choices": choices}},
        {**first, "id": 8, "uuid": "u8", "error": {"message": "out of memory"}},
        {**first, "id": 9, "uuid": "u9", "output": {"choices": called}},
    ]
    counts = load_dataset("inspect", [written(tmp_path / "log.json", value)], "birds").as_json()
    assert dict(Response.objects.values_list("key", "text")) == {"uuid1e1": texts[0], "uuid1e1-3": texts[2]}
    assert Response.objects.get(key="uuid1e1-3").metadata["inspect"]["choice"] == 3
    reasons = ("response without text", "request or sample with an error", "tool call without text")
    assert counts["left_out"] == dict.fromkeys(reasons, 1)


@pytest.mark.parametrize("write", [written, eval_file])
def test_a_log_without_samples_says_why(tmp_path, write):
    for status, cause in (
        ("cancelled", "the evaluation did not get to one (status 'cancelled')"),
        ("error", "the evaluation did not get to one (status 'error')"),
        ("success", "the log was written without them"),
    ):
        path = write(tmp_path / "log.eval", log(status=status, samples=[]))
        [line] = refusal_of(load_dataset, "inspect", [SourceFile(path)], "birds")
        assert line.startswith("log.eval: there are no samples in the file") and cause in line


def test_each_epoch_is_a_response(tmp_path):
    value = log()
    first = value["samples"][0]
    value["samples"] = [first, {**first, "epoch": 2, "uuid": "uuid1e2"}]
    load_dataset("inspect", [written(tmp_path / "log.json", value)], "birds")
    assert Response.objects.count() == 2 and Prompt.objects.count() == 1


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"eval": {"model": "m"}}, "bad.json: there are no samples in the file"),
        ({"results": {}}, "bad.json: there are no samples in the file, and no 'eval'"),
        ([1], "bad.json:1: this is not an Inspect log"),
        ({"samples": [{"id": 1}], "eval": {"model": "m"}}, "bad.json:1: 'samples' precedes 'eval'"),
        ({"eval": {}, "samples": [{}]}, "bad.json: 'eval' has no 'model'"),
        (
            {"eval": {"model": "m"}, "samples": [{"input": "q"}]},
            "bad.json:1: 'id' of the sample must be a text or a num",
        ),
        (
            {"eval": {"model": "m"}, "samples": [{"id": 1, "input": 5}]},
            "bad.json:1: the content of a message must be a",
        ),
    ],
)
def test_other_files_are_refused_with_the_place_and_the_cause(tmp_path, value, problem):
    path = written(tmp_path / "bad.json", value)
    [line] = refusal_of(load_dataset, "inspect", [SourceFile(path)], "birds")
    assert line.startswith(problem)


def test_samples_of_other_tasks_under_the_same_id_are_refused(tmp_path):
    other = log()
    other["samples"] = other["samples"][:1]
    other["samples"][0]["input"] = "Something else?"
    problems = refusal_of(load_dataset, "inspect", [LOG, written(tmp_path / "other.json", other)], "birds")
    assert "the id '1' occurs a second time with another prompt" in problems[0] and "data set of its own" in problems[0]


def test_hostile_eval_files_are_refused(tmp_path, monkeypatch):
    bomb = log()
    bomb["samples"] = [{**bomb["samples"][0], "input": "0" * 70_000_000}]
    [line] = refusal_of(load_dataset, "inspect", [eval_file(tmp_path / "bomb.eval", bomb)], "birds")
    assert "unpacks to more than 100 times its size" in line
    monkeypatch.setattr(inspect, "MAX_RECORD_SIZE", 100)
    [line] = refusal_of(load_dataset, "inspect", [eval_file(tmp_path / "large.eval", log())], "birds")
    assert "header.json is larger than" in line
    monkeypatch.setattr(inspect, "MAX_SAMPLES", 2)
    [line] = refusal_of(load_dataset, "inspect", [eval_file(tmp_path / "many.eval", log())], "birds")
    assert "more than 2 files" in line


@pytest.mark.usefixtures("collected_garbage")
def test_deep_json_is_refused(tmp_path):
    path = tmp_path / "deep.json"
    path.write_text('{"eval": {"model": "m"}, "samples": [{"id": 1, "input": ' + "[" * 200_000, encoding="utf-8")
    [line] = refusal_of(load_dataset, "inspect", [path], "birds")
    assert "nested too deeply" in line or "truncated" in line


def test_a_file_that_is_no_archive_of_a_log_is_refused(tmp_path):
    path = tmp_path / "other.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.json", "{}")
    [line] = refusal_of(load_dataset, "inspect", [path], "birds")
    assert "there is no header.json in this archive" in line
