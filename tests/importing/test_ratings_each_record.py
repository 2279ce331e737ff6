"""Each record of a file of ratings is stored, or counted under its reason, or a problem with its line."""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.importing import columns_from, load_dataset, load_ratings
from annotation.importing.import_counts import REASONS
from annotation.importing.project_imports import ProjectSource, import_project
from annotation.jobs import Refused
from annotation.models import Dataset, Project, Rating
from annotation.projects.create import create_project
from tests.cast import ACCURATE, newest_version, study
from tests.importing.odd_records import ODD, changed, json_lines, json_list

pytestmark = pytest.mark.django_db
Writer = Callable[[Path, list[Any]], dict[int, int]]


def csv_table(path: Path, records: list[Any]) -> dict[int, int]:
    """Write a table with the columns of all records. Return the line of each record."""
    names = list(dict.fromkeys(name for record in records for name in record))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
    return {n: n + 2 for n in range(len(records))}


def texts_table(path: Path, records: list[Any]) -> dict[int, int]:
    names = list(dict.fromkeys(name for record in records for name in record))
    texts = [{name: None if record.get(name) is None else str(record[name]) for name in names} for record in records]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(texts), path)
    return {n: n + 1 for n in range(len(records))}


@dataclass(frozen=True)
class Sample:
    """A good record of ratings for each number, the file of such records, and a project that takes them.

    `unrated`: the odd records that have no rating.
    """

    record: Callable[[int], Any]
    write: Writer
    name: str
    project: Callable[[Path, "Sample"], Project]
    format: str | None = None
    odd: tuple[Any, ...] = ODD
    unrated: tuple[str, ...] = ()


def plain_project(_path: Path, _sample: Sample) -> Project:
    return study(sentences=3).project


def imported_project(columns: dict[str, str], path: Path, sample: Sample) -> Project:
    """Return a project of an annotation tool, without its ratings."""
    sample.write(path, [sample.record(n) for n in range(3)])
    source = ProjectSource(sample.format or "", [path], columns=columns_from(columns) if columns else None)
    import_project(source, "june")
    Rating.objects.all().delete()
    return Project.objects.get()


def published_project(protocol: str, path: Path, sample: Sample) -> Project:
    sample.write(path, [sample.record(n) for n in range(3)])
    load_dataset(sample.format or "", [path], "birds")
    return create_project("june", Dataset.objects.get(), newest_version(protocol), overlap=1)


def plain(n: int) -> dict[str, Any]:
    about = {"response": "q1-heron", "unit": "sentence", "item": n, "rater": "ravi", "role": "rater"}
    said = {"answers": dict(ACCURATE), "comment": "Yes.", "evidence": []}
    return {**about, **said, "seconds": 3.5, "rated_at": "2026-03-10T09:00:00Z"}


def cells(n: int) -> dict[str, Any]:
    record = plain(n)
    answers = {f"answers.{key}": value for key, value in record.pop("answers").items()}
    return {**record, **answers, "evidence": "[]"}


def label_studio_task(n: int) -> dict[str, Any]:
    result = {"from_name": "verdict", "to_name": "answer", "type": "choices", "value": {"choices": ["right"]}}
    annotation = {
        "id": n,
        "completed_by": 1,
        "result": [result],
        "lead_time": 3.5,
        "created_at": "2026-03-10T09:00:00Z",
    }
    data = {"question": f"Question {n}?", "answer": f"Answer {n}.", "model": "m"}
    return {"id": n, "data": data, "annotations": [annotation]}


def argilla_record(n: int) -> dict[str, Any]:
    given = {"verdict": [{"value": "right", "user_id": "maria", "status": "submitted"}]}
    fields = {"question": f"Question {n}?", "answer": f"Answer {n}."}
    return {"id": f"a{n}", "fields": fields, "metadata": {"model": "m"}, "responses": given}


def expert_answer(n: int) -> dict[str, Any]:
    claims = [{"claim_string": f"Answer {n}.", "correctness": "Definitely correct"}]
    answers = {"m": {"answer_string": f"Answer {n}.", "usefulness": "Useful", "claims": claims}}
    metadata = {"field": "Birds", "question_type": "A | B"}
    return {"question": f"Question {n}?", "metadata": metadata, "annotator_id": "a1", "answers": answers}


def expert_pair(n: int) -> dict[str, Any]:
    pair = {"question": f"Question {n}?", "answer_a": f"Answer {n}.", "answer_b": "No."}
    types = {"answer_a_type": "m", "answer_b_type": "human"}
    return {**pair, **types, "overall_preference": 1, "justification": "It is right."}


TOOL_COLUMNS = {"prompt": "question", "response": "answer", "system": "model"}
SAMPLES = {
    "jsonl": Sample(plain, json_lines, "r.jsonl", plain_project),
    "list": Sample(plain, json_list, "r.json", plain_project),
    "csv": Sample(cells, csv_table, "r.csv", plain_project, odd=(None, "", "text", "5")),
    "parquet": Sample(cells, texts_table, "r.parquet", plain_project, odd=(None, "", "text", "5")),
    "label-studio": Sample(
        label_studio_task,
        json_list,
        "tasks.json",
        partial(imported_project, {}),
        "label-studio",
        unrated=("('annotations',): None", "('annotations',): []", "('annotations',) removed"),
    ),
    "argilla": Sample(
        argilla_record,
        json_list,
        "records.json",
        partial(imported_project, TOOL_COLUMNS),
        "argilla",
        unrated=(
            *("{}", "{'a': None}", "{'text': 'x'}", "('responses', 'verdict') removed", "('responses',) removed"),
            *(f"('responses',): {value!r}" for value in (None, {}, {"a": None})),
            *(f"('responses', 'verdict'): {value!r}" for value in (None, "", [], {})),
        ),
    ),
    "doccano": Sample(
        lambda n: {"id": n, "text": f"Answer {n}.", "question": f"Question {n}?", "model": "m", "label": ["right"]},
        json_lines,
        "all.jsonl",
        partial(imported_project, {"prompt": "question", "response": "text", "system": "model"}),
        "doccano",
        unrated=("('label',) removed", "{'text': 'x'}"),
    ),
    "expertqa": Sample(
        expert_answer, json_lines, "r.jsonl", partial(published_project, "claim-attribution"), "expertqa"
    ),
    "lfqa_eval": Sample(
        expert_pair, json_lines, "r.jsonl", partial(published_project, "pairwise-preference"), "lfqa_eval"
    ),
}


def account_of(path: Path, project: Project, format: str | None) -> dict[str, int]:
    """Return the numbers of ratings and of excluded records. Raise Refused."""
    counts = load_ratings(path, project, format=format, dry_run=True)
    assert {reason.partition(":")[0] for reason in counts.left_out} <= REASONS.keys()
    return {"ratings": counts.totals["ratings"], "left out": sum(counts.left_out.values())}


@pytest.mark.parametrize("name", SAMPLES)
def test_an_odd_record_among_others_is_stored_or_counted_or_named(name: str, tmp_path: Path) -> None:
    sample = SAMPLES[name]
    path = tmp_path / sample.name
    project = sample.project(path, sample)
    good = [sample.record(n) for n in range(2)]
    sample.write(path, good)
    before = account_of(path, project, sample.format)
    odd_records = [
        (label, record)
        for label, record in changed(sample.record(2), sample.odd)
        if label not in sample.unrated and (sample.write in (json_lines, json_list) or isinstance(record, dict))
    ]

    # The cells of a Parquet file are those of CSV, and each file is read by a process of its own.
    @settings(max_examples=15 if name == "parquet" else 60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.sampled_from(odd_records))
    def check(odd: tuple[str, Any]) -> None:
        label, record = odd
        lines = sample.write(path, [good[0], record, good[1]])
        try:
            after = account_of(path, project, sample.format)
        except Refused as refusal:
            # A label that no option has is named by itself, with the number of its occurrences.
            place = f"{sample.name}:{lines[1]}"
            assert refusal.problems[0].startswith((place, "label ")), (label, refusal.problems)
            others = [f"{sample.name}:{lines[n]}:" for n in (0, 2)]
            assert not any(problem.startswith(tuple(others)) for problem in refusal.problems), refusal.problems
        else:
            assert sum(after.values()) > sum(before.values()), (label, after)
            assert all(after[key] >= before[key] for key in before), (label, after)

    check()


FIELDS = {
    "response": "response", "unit": "unit|the row rates a", "item": "'item'|has no sentence",
    "rater": "rater|user name", "role": "role",
    "answers": "answers|accuracy", "comment": "comment", "evidence": "evidence", "seconds": "seconds",
    "rated_at": "rated_at",
}  # fmt: skip
"""Field of a rating -> words of the reason why its value cannot be used."""


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(field=st.sampled_from(sorted(FIELDS)), value=st.one_of(st.sampled_from(ODD), st.text(max_size=3), st.floats()))
def test_the_reason_is_about_the_field_that_is_odd(field: str, value: Any, tmp_path_factory: Any) -> None:
    path = tmp_path_factory.mktemp("r") / "r.jsonl"
    project = Project.objects.first() or study(sentences=3).project
    json_lines(path, [plain(0), {**plain(1), field: value}, plain(2)])
    try:
        counts = load_ratings(path, project, dry_run=True)
    except Refused as refusal:
        assert all(problem.startswith("r.jsonl:2: ") for problem in refusal.problems)
        problem = "; ".join(refusal.problems)
        if "is not JSON" not in problem and "character" not in problem:
            assert any(words in problem for words in FIELDS[field].split("|")), problem
    else:
        assert counts.totals["ratings"] == 3


def test_annotations_that_are_skipped_or_of_another_response_are_named_or_counted(tmp_path: Path) -> None:
    sample = SAMPLES["label-studio"]
    path = tmp_path / sample.name
    project = sample.project(path, sample)
    task = label_studio_task(0)
    task["annotations"][0]["was_cancelled"] = True
    sample.write(path, [task])
    with pytest.raises(Refused) as caught:
        load_ratings(path, project, format=sample.format)
    [problem] = caught.value.problems
    assert "no rating of the file is imported; excluded: 1 × skipped annotation (the annotator skipped" in problem
    sample.write(path, [label_studio_task(0), label_studio_task(9)])
    counts = load_ratings(path, project, format=sample.format)
    assert counts.totals["ratings"] == 1
    assert counts.left_out == {"annotation of a response outside the data set": 1}


def test_a_table_with_two_columns_of_one_name_is_refused_with_the_remedy(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("context.span_id,response,item,rater,context.span_id\n", encoding="utf-8")
    with pytest.raises(Refused) as caught:
        load_ratings(path, study().project)
    [problem] = caught.value.problems
    assert problem.startswith("r.csv:1: two columns have the name context.span_id: rename or delete one of them")
