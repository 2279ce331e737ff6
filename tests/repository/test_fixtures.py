"""The samples under fixtures/ are what their README says: the same content twice, faults where faults are promised."""

import csv
import json
import re
from collections import Counter
from pathlib import Path

from fixtures.hostile import make_hostile

FIXTURES = Path(__file__).parents[2] / "fixtures"


def text_of(name: str) -> str:
    return (FIXTURES / name).read_text(encoding="utf-8")


def rows(name: str) -> list[dict]:
    return [json.loads(line) for line in text_of(name).splitlines()]


def transposed(columns: dict[str, list]) -> list[dict]:
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def official(record: dict) -> dict:
    """Return a columnar record in the official format."""
    questions = transposed(record["qas"])
    return record | {
        "full_text": transposed(record["full_text"]),
        "figures_and_tables": transposed(record["figures_and_tables"]),
        "qas": [question | {"answers": transposed(question["answers"])} for question in questions],
    }


def test_the_columnar_papers_are_the_official_ones_transposed_and_the_concatenated_ones_the_same_lines():
    columnar = rows("qasper/papers.columnar.jsonl")
    decoder, text, papers = json.JSONDecoder(), text_of("qasper/papers.columnar.concatenated.json"), []
    while text:
        paper, end = decoder.raw_decode(text)
        papers.append(paper)
        text = text[end:].lstrip()
    assert papers == columnar
    assert {paper.pop("id"): paper for paper in map(official, columnar)} == json.loads(text_of("qasper/papers.json"))


def test_items_given_by_offsets_are_trimmed_and_in_order():
    for prompt in rows("jsonl/dataset.jsonl"):
        for response in prompt["responses"]:
            spans = [(item["start"], item["end"]) for item in response.get("items", []) if "start" in item]
            pieces = [response["text"][start:end] for start, end in spans]
            assert spans == sorted(spans)
            assert all(piece and piece == piece.strip() for piece in pieces)


def test_responses_and_ratings_as_csv_are_those_as_json_lines():
    assert csv_rows("responses/responses.csv") == rows("responses/responses.jsonl")
    assert csv_rows("ratings/ratings.csv") == [as_row(rating) for rating in rows("ratings/ratings.jsonl")]


def csv_rows(name: str) -> list[dict]:
    with (FIXTURES / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def as_row(rating: dict) -> dict[str, str]:
    answers = {f"answers.{key}": rating["answers"].get(key, "") for key in ("accuracy", "severity")}
    plain = {key: value for key, value in rating.items() if key != "answers"}
    return {key: str(value) for key, value in ({"comment": "", "seconds": ""} | plain | answers).items()}


def test_the_hostile_files_are_those_that_the_script_writes():
    for name, text in make_hostile.files().items():
        assert text_of(f"hostile/{name}") == text, name


def counted(system: str) -> Counter[str]:
    """Count the ratings of one system of the worked example in its two files."""
    systems = {r["id"]: r["system"] for p in rows("worked-example/dataset.jsonl") for r in p["responses"]}
    answers = [r["answers"] for r in rows("worked-example/ratings.jsonl") if systems[r["response"]] == system]
    options = Counter(answer["accuracy"] for answer in answers)
    severe = answers.count({"accuracy": "inaccurate", "severity": "severe"})
    assessed = len(answers) - options["cannot_assess"]
    options.update({"severely_inaccurate": severe, "assessed": assessed, "ratings": len(answers)})
    return options


def test_proportions_and_expected_counts_of_the_worked_example_are_the_counts_of_its_ratings():
    page = text_of("worked-example/README.md").split("## The proportions")[1]
    counts = {system: counted(system) for system in ("Alder", "Birch")}
    for measure in ("accurate", "inaccurate", "severely inaccurate"):
        shares = re.search(rf"^\| {measure} \| (\S+) = \S+ % \| (\S+) = \S+ %", page, re.MULTILINE)
        assert shares
        key = measure.replace(" ", "_")
        assert list(shares.groups()) == [f"{count[key]}/{count['assessed']}" for count in counts.values()]
    for cell in json.loads(text_of("worked-example/expected.json"))["systems"]:
        count = counts[cell["system"]]
        assert cell["options"] == {key: count[key] for key in cell["options"]}
        assert (cell["ratings"], cell["assessed"]) == (count["ratings"], count["assessed"])
        assert {key: m["k"] for key, m in cell["measures"].items()} == {key: count[key] for key in cell["measures"]}
