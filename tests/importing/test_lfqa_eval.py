"""lfqa_eval: pairs from both shapes, what experts said of them, and the same again in the published format."""

import json
from collections import Counter
from pathlib import Path

import pytest

from annotation.exporting.datasets import DatasetExport
from annotation.importing import load_dataset, load_ratings
from annotation.models import Item, Rating, Response, Sheet
from annotation.reporting.build import build
from annotation.reporting.choices import Choices
from tests.importing.lfqa_files import EXPERTS, HERE, experts, project_of

from .files import lines, problem_of, refusal_of

TABLE = HERE / "Botany_label_studio_common4.tsv"
PUBLISHED = HERE / "preferences.jsonl"
pytestmark = pytest.mark.django_db


def test_a_pair_is_a_prompt_with_two_responses_and_a_sheet():
    counts = load_dataset("lfqa_eval", EXPERTS, "botany")
    assert counts.as_json()["prompts"] == 4 and counts.as_json()["responses"] == 8
    assert counts.as_json()["left_out"] == {"identical row": 4}
    assert Item.objects.filter(unit="pair").count() == 4
    pair = Item.objects.get(unit="pair", response__prompt__text__startswith="Why do leaves")
    more = "My maple is bare by November and the oak beside it keeps its brown leaves."
    assert pair.text == f"Why do leaves fall in autumn?\n{more}"
    assert (pair.response.system.name, pair.against.system.name) == ("human", "model")
    assert "twig, draws back" in pair.response.text and "<br" not in pair.response.text
    assert pair.response.prompt.metadata == {"comparison": "human and model", "field": "Botany"}
    assert pair.response.key == f"{pair.response.prompt.key}-a" and pair.response.prompt.key.startswith("fx01-")
    project = project_of("botany")
    assert Sheet.objects.filter(project=project, against__isnull=False).count() == project.slots.count() == 4


def test_tables_and_lists_hold_the_same_pairs_and_loading_again_is_nothing_new(tmp_path):
    first = load_dataset("lfqa_eval", EXPERTS, "botany")
    again = load_dataset("lfqa_eval", [TABLE, *EXPERTS], "botany")
    assert again.new == 0 and first.totals == again.totals
    assert again.excluded.counts["identical row"] == 8
    pairs = Item.objects.filter(unit="pair", response__prompt__key__startswith="fx02-")
    assert pairs.count() == 2, "one question id may stand for several questions"
    other = tmp_path / TABLE.name
    other.write_text(TABLE.read_text(encoding="utf-8").replace("HHh[17][2]", "HHH[17][2]"), encoding="utf-8")
    differing = load_dataset("lfqa_eval", [TABLE, other], "labels")
    assert differing.excluded.counts["another system's name for the same answer"] == 2
    response = Response.objects.get(dataset__slug="labels", prompt__key__startswith="fx03", key__endswith="-a")
    assert response.system.name == "human-fewer-upvotes", "the first label stands"


def test_experts_annotations_are_ratings_under_pseudonyms():
    project = experts()
    raters = Counter(Rating.objects.values_list("rater__username", flat=True))
    assert raters == {"lfqa-expert-3": 4, "lfqa-expert-7": 4}
    rating = Rating.objects.get(rater__username="lfqa-expert-3", item__text__startswith="Why do leaves")
    assert rating.answers == {
        "preference": "a",
        "difficult": "no",
        "justification": "A explains the cork layer; B is simply wrong about the wind.",
    }
    assert rating.seconds == 61.5 and rating.rated_at.isoformat() == "2026-02-01T09:05:00+00:00"
    assert load_ratings(EXPERTS[0], project, format="lfqa_eval").as_json()["new"] == 0


def test_the_report_takes_a_pair_of_systems_in_one_order():
    """fx01 is human against model, fx02 model against human: B of the second is the human's win."""
    built = build(experts(), Choices(resamples=100))
    report = built.to_dict()
    cells = {cell["system"]: cell for cell in report["systems"]}
    assert list(cells) == ["human vs human-fewer-upvotes", "human vs model"]
    wins = {name: [cell["measures"][key]["k"] for key in ("win", "tie", "loss")] for name, cell in cells.items()}
    # human vs model: fx01 A A, fx02 B B. human vs human: HHH A B, HHh B B where B is the one with more upvotes.
    assert wins == {"human vs model": [4, 0, 0], "human vs human-fewer-upvotes": [3, 0, 1]}
    assert [cell["n"] for cell in cells["human vs model"]["measures"].values()] == [4, 4, 4, 0, 0, 0, 0, 4]
    assert cells["human vs model"]["measures"]["difficult"]["k"] == 1
    assert report["comparisons"] == [] and report["data"]["items"] == 4
    assert {row["system"]: row["measures"]["win"]["pooled"] for row in report["aggregations"]}["human vs model"] == 1.0
    # Agreement is about the answers as they stood: A A, B B, A B, B B: 3 of 4 agree; A in 3 of 8, so 17/32 by chance.
    agreed = built.agreement["preference"]
    assert agreed.percent == 0.75 and agreed.items == 4 and agreed.raters == 2
    assert agreed.fleiss_kappa == pytest.approx((0.75 - 34 / 64) / (1 - 34 / 64))


def test_published_preferences_come_out_as_they_went_in():
    load_dataset("lfqa_eval", [PUBLISHED], "published")
    project = project_of("published")
    counts = load_ratings(PUBLISHED, project, format="lfqa_eval")
    assert counts.as_json() == {"ratings": 4, "raters": 2, "left_out": {}, "new": 4, "changed": 0}
    rows = [json.loads(line) for line in b"".join(DatasetExport(project, "lfqa_eval")).splitlines()]
    published = [json.loads(line) for line in PUBLISHED.read_text(encoding="utf-8").splitlines()]
    assert sorted(rows, key=str) == sorted(published, key=str)
    fish = next(row for row in rows if "coherence_preference" in row)
    assert (fish["overall_preference"], fish["coherence_preference"], fish["factuality_preference"]) == (-1, 0, -1)


def test_what_is_broken_is_named_with_its_line(tmp_path):
    row = {"question": "Q?", "answer_a": "A.", "answer_b": "B.", "answer_a_type": "x", "answer_b_type": "y"}
    broken = lines(tmp_path / "p.jsonl", [row | {"answer_b": ""}, row | {"doc_a": 3}, row | {"answer_a_type": None}])
    assert refusal_of(load_dataset, "lfqa_eval", [broken], "d") == [
        "p.jsonl:1: the row has no 'answer_b'",
        "p.jsonl:2: 'doc_a' must be a text, a list or an object",
        "p.jsonl:3: the row has no 'answer_a_type'",
    ]
    raw = json.loads(EXPERTS[0].read_text(encoding="utf-8"))[:1]
    for name, content, says in (
        (
            "Botany_1.json",
            json.dumps([raw[0] | {"answer1_label": "HXH[1]"}]),
            "the label is 'HXH[1]'; it must be like HMH[928] or HHh[3][1]",
        ),
        ("t.tsv", "q_id\tquestion_text\tanswer1\n", "the columns must be"),
        ("cut.json", json.dumps(raw)[:-20], "truncated"),
    ):
        (tmp_path / name).write_text(content, encoding="utf-8")
        assert says in refusal_of(load_dataset, "lfqa_eval", [tmp_path / name], "d")[0]


def test_a_preference_is_one_of_three_numbers_and_a_table_of_pairs_has_none(tmp_path: Path):
    load_dataset("lfqa_eval", [PUBLISHED], "published")
    project = project_of("published")
    row = json.loads(PUBLISHED.read_text(encoding="utf-8").splitlines()[0])
    for value in (2, "1", True, 0.5):
        path = lines(tmp_path / "p.jsonl", [row | {"overall_preference": value}])
        assert "it must be -1, 0 or 1" in problem_of(load_ratings, path, project, format="lfqa_eval")
    load_dataset("lfqa_eval", [TABLE], "botany")
    problem = problem_of(load_ratings, TABLE, project_of("botany", "botany"), format="lfqa_eval")
    assert "no rating of the file is imported; excluded: 4 × pair without a preference" in problem
