"""Each record of a file is stored, or counted under its reason, or a problem with its line: nothing falls between."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from annotation.importing import FORMATS, RULES, SourceFile, columns_from, load_dataset, load_responses
from annotation.importing.formats import Format
from annotation.importing.import_counts import REASONS
from annotation.importing.input_files import FileReader
from annotation.importing.problems import Problems
from annotation.importing.records import SourcePrompt
from annotation.importing.validation import Survey
from annotation.jobs import Refused
from annotation.models import Dataset
from tests.importing.files import answer, paper, question
from tests.importing.odd_records import ODD, changed, fault_of, json_lines, json_list

OF_PAIRS = {"answer_a_type": "m", "answer_b_type": "human"}
MESSAGES = [{"role": "user", "content": "What does a grebe eat?"}]


def inside(before: dict[str, Any], key: str) -> Callable[[Path, list[Any]], dict[int, int]]:
    """Return a writer of one object with the records as the list under `key`, one on each line."""

    def write(path: Path, records: list[Any]) -> dict[int, int]:
        body = ",\n".join(map(json.dumps, records))
        path.write_text(json.dumps(before)[:-1] + f', "{key}": [\n{body}\n]}}', encoding="utf-8")
        return {n: n + 2 for n in range(len(records))}

    return write


def papers(path: Path, records: list[Any]) -> dict[int, int]:
    body = ",\n".join(f'"p{n}": {json.dumps(record)}' for n, record in enumerate(records))
    path.write_text(f"{{\n{body}\n}}", encoding="utf-8")
    return {n: n + 2 for n in range(len(records))}


def parquet(path: Path, records: list[Any]) -> dict[int, int]:
    columns = {name: [record.get(name) for record in records] for name in records[0]}
    pyarrow.parquet.write_table(pyarrow.table(columns), path)
    return {n: n + 1 for n in range(len(records))}


@dataclass(frozen=True)
class Sample:
    """A good record of a format, with another id or question for each number, and the file of such records."""

    record: Callable[[int], Any]
    write: Callable[[Path, list[Any]], dict[int, int]] = json_lines
    name: str = "file.jsonl"
    odd: tuple[Any, ...] = ODD


def columnar_paper(n: int) -> dict[str, Any]:
    answers = {"answer": [{"unanswerable": True}], "annotation_id": ["a"], "worker_id": ["w"]}
    questions = {"question": [f"{n}?"], "question_id": [f"q{n}"], "answers": [answers]}
    text = {"section_name": ["Diving"], "paragraphs": [["They dive."]]}
    return {"id": f"p{n}", "title": "Grebes", "abstract": "", "full_text": text, "qas": questions}


def said(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def inspect_sample(n: int) -> dict[str, Any]:
    asked = {"id": n, "epoch": 1, "input": f"Question {n}?", "target": "x", "choices": []}
    reply = {"model": "grebe-1", "choices": [{"index": 0, "message": said(f"Fish {n}.")}]}
    return {**asked, "output": reply, "scores": {"match": {"value": "C"}}}


def lm_eval_sample(n: int) -> dict[str, Any]:
    arguments = {"gen_args_0": {"arg_0": f"Question {n}?", "arg_1": {"until": ["."]}}}
    return {"doc_id": n, "target": "x", "arguments": arguments, "resps": [[f"Answer {n}."]], "filter": "none"}


def helm_request(n: int) -> dict[str, Any]:
    references = [{"output": {"text": "fish"}, "tags": ["correct"]}]
    instance = {"id": f"id{n}", "input": {"text": f"Question {n}?"}, "references": references, "split": "test"}
    return {"instance": instance, "request": {"prompt": "Q"}, "result": {"completions": [{"text": f"Answer {n}."}]}}


def observation(n: int) -> dict[str, Any]:
    asked = [*MESSAGES, said("Fish."), {"role": "user", "content": f"And {n}?"}]
    about = {"id": f"o{n}", "type": "GENERATION", "model": "m", "level": "DEFAULT"}
    return {**about, "input": asked, "output": said(f"Answer {n}.")}


def span(n: int) -> dict[str, Any]:
    parts = "llm.output_messages.0.message.contents.0.message_content"
    attributes = {
        "llm.model_name": "m",
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": f"Question {n}?",
        "llm.output_messages.0.message.role": "assistant",
        f"{parts}.type": "text",
        f"{parts}.text": f"Answer {n}.",
    }
    context = {"trace_id": "t", "span_id": f"s{n}"}
    return {"name": "call", "context": context, "span_kind": "LLM", "status_code": "OK", "attributes": attributes}


def answered(n: int) -> dict[str, Any]:
    return {"id": f"q{n}", "question": f"{n}?", "answers": [{"text": f"A {n}.", "by": "m"}]}


def lm_eval_responses(n: int, arguments: list[Any], *texts: Any, **more: Any) -> dict[str, Any]:
    return {"doc_id": n, "arguments": arguments, "resps": list(texts), **more}


def llm_span(attributes: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"span_kind": "LLM", "attributes": attributes, **more}


def nested_span(n: int) -> dict[str, Any]:
    llm = {"prompts": [{"prompt": {"text": f"{n}?"}}], "choices": [{"completion": {"text": "A."}}]}
    return llm_span({"llm": llm}, context={"span_id": f"s{n}"})


def plain_span(n: int) -> dict[str, Any]:
    return llm_span({"input": {"value": f"{n}?"}, "output": {"value": "{}", "mime_type": "application/json"}})


SAMPLES = {
    "qasper": Sample(lambda n: paper(qas=[question(f"q{n}", answer(yes_no=True))]), papers, "file.json"),
    "expertqa": Sample(
        lambda n: {
            "question": f"Question {n}?",
            "metadata": {"field": "Birds", "question_type": "A | B"},
            "answers": {"m": {"answer_string": f"Answer {n}.", "claims": [{"claim_string": f"Answer {n}."}]}},
        }
    ),
    "lfqa_eval": Sample(
        lambda n: {"question": f"Question {n}?", "answer_a": f"Answer {n}.", "answer_b": "No.", **OF_PAIRS}
    ),
    "syllabusqa": Sample(
        lambda n: {"id": f"q{n}", "syllabus_name": "s", "question_type": "yes/no", "question": f"{n}?", "answer": "No"},
        json_list,
        "file.json",
    ),
    "jsonl": Sample(
        lambda n: {
            "id": f"q{n}",
            "text": f"Question {n}?",
            "document": {"id": "d", "title": "Grebes", "sections": [{"heading": "", "paragraphs": ["They dive."]}]},
            "responses": [{"id": f"r{n}", "system": "m", "text": f"Answer {n}."}],
            "metadata": {"kind": "x"},
        }
    ),
    "rows": Sample(lambda n: {**answered(n), "page": "They dive."}),
    "datasets": Sample(answered, parquet, "file.parquet", (None,)),
    "inspect": Sample(inspect_sample, inside({"status": "success", "eval": {"eval_id": "e", "model": "m"}}, "samples")),
    "lm-eval": Sample(lm_eval_sample, name="samples_birds.jsonl"),
    "helm": Sample(helm_request, inside({"adapter_spec": {"model": "m"}}, "request_states")),
    "chat": Sample(lambda n: {"messages": [*MESSAGES, said(f"Fish {n}.")], "model": "m", "metadata": {}}),
    "langfuse": Sample(observation),
    "phoenix": Sample(span, inside({"next_cursor": None}, "data")),
    "qasper, columnar": Sample(columnar_paper),
    "jsonl, a list": Sample(lambda n: {"id": f"q{n}", "text": f"{n}?", "responses": None}, json_list, "file.json"),
    "rows, prompts": Sample(lambda n: {"question": f"{n}?", "page": "They dive."}),
    "lm-eval, older": Sample(
        lambda n: lm_eval_responses(n, [[f"{n}?", {"until": []}]], [f"A {n}.", f"B {n}."], target=3),
        name="samples_birds.jsonl",
    ),
    "lm-eval, likelihoods": Sample(
        lambda n: lm_eval_responses(n, [["Q", " yes"], ["Q", " no"]], [[-3.5, "False"]], [[-1, "True"]]),
        name="samples_birds.jsonl",
    ),
    "chat, a batch": Sample(
        lambda n: {"custom_id": f"c{n}", "body": {"model": "m", "instructions": "Be brief.", "input": f"{n}?"}}
    ),
    "langfuse, traces": Sample(
        lambda n: {"id": f"t{n}", "input": {"q": f"{n}?"}, "output": {"result": f"A {n}.", "source_documents": []}},
        json_list,
        "file.json",
    ),
    "langfuse, steps": Sample(lambda n: {"id": f"t{n}", "type": "SPAN", "input": None, "output": None}),
    "phoenix, nested": Sample(nested_span),
    "phoenix, input and output": Sample(plain_span),
}
"""By format; with a comma, another form of it."""
MAPPED = {
    "rows": {"prompt": "question", "document": "page", "response": "answers[].text", "system": "answers[].by"},
    "rows, prompts": {"prompt": "question", "document": "page"},
    "datasets": {"prompt": "question", "response": "answers[].text", "system": "answers[].by"},
}


def reader_of(name: str) -> Format:
    format = replace(FORMATS[name.split(",")[0]], system="m")
    return replace(format, columns=columns_from(MAPPED[name])) if name in MAPPED else format


def account_of(name: str, path: Path) -> dict[str, int]:
    """Return how many prompts, responses and excluded records the first pass of an import counts. Raise Refused."""
    responses: set[str] = set()
    with Problems() as problems:
        survey = Survey(RULES["all"], problems, lambda _key: True)
        for record in reader_of(name).read(FileReader(SourceFile(path)), problems):
            survey.take(record)
            responses |= {response.key for response in record.responses} if isinstance(record, SourcePrompt) else set()
    left_out = survey.select(None, 1).excluded.counts
    assert {reason for reason, n in left_out.items() if n} <= REASONS.keys()
    return {"prompts": survey.prompts, "responses": len(responses), "left out": sum(left_out.values())}


def test_all_formats_have_a_sample():
    names = {format.name for format in FORMATS.values() if format.group != "tools"}
    assert {name.split(",")[0] for name in SAMPLES} == names


@pytest.mark.parametrize("name", SAMPLES)
def test_an_odd_record_among_others_or_one_that_occurs_twice_is_stored_or_counted_or_named(name, tmp_path):
    sample = SAMPLES[name]
    path, good = tmp_path / sample.name, [sample.record(n) for n in range(2)]
    account = partial(account_of, name, path)
    sample.write(path, good)
    before, faults = account(), {}
    for label, odd in changed(sample.record(7), sample.odd):
        lines = sample.write(path, [good[0], odd, good[1]])
        if fault := fault_of(path.name, lines, before, account):
            faults[label] = fault
    assert not faults
    lines = sample.write(path, [*good, sample.record(0)])
    try:
        after = account()
    except Refused as refusal:
        assert refusal.problems[0].startswith(f"{sample.name}:{lines[2]}:")
    else:
        assert after == before | {"left out": before["left out"] + 1}


LOGS = [name for name, format in FORMATS.items() if format.exchanges]


@pytest.mark.django_db
@pytest.mark.parametrize("name", [*LOGS, "rows"])
def test_each_record_of_a_file_of_responses_is_stored_or_counted(name, tmp_path):
    sample = SAMPLES[name]
    path = tmp_path / sample.name
    if name == "rows":
        records: list[Any] = [{"prompt": f"q{n}", "system": "m", "text": f"A {n}."} for n in range(3)]
        json_lines(path, [{"id": f"q{n}", "text": f"{n}?"} for n in range(3)])
        load_dataset("jsonl", [path], "birds")
        records += [records[0], *({"prompt": "q1", "system": "m", "text": text} for text in (" ", "B."))]
    else:
        records = [sample.record(n) for n in range(3)]
        sample.write(path, records)
        load_dataset(name, [path], "birds", system="other")
        records += [records[0]]
    sample.write(path, records)
    try:
        counts = load_responses(path, Dataset.objects.get(), format=name, system="m")
    except Refused as refusal:
        assert "a second time" in refusal.problems[0]
    else:
        assert counts.totals["responses"] + sum(counts.excluded.counts.values()) == len(records)
