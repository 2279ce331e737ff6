"""Qasper in its shapes: what an article and a prompt become."""

import gzip
import json

import pytest

from annotation.importing import load_dataset
from annotation.models import Dataset, Document, Prompt
from tests.importing.files import FIXTURES, SHARED, answer, paper, problem_of, qasper, question, refusal_of

pytestmark = pytest.mark.django_db
SAMPLES = FIXTURES / "qasper"


def load(*paths, slug="qasper", **options):
    return load_dataset("qasper", paths, slug, **options)


def stored(slug: str) -> list:
    """Return the content of a data set without database ids."""
    documents = Document.objects.filter(dataset__slug=slug).order_by("key").values_list("key", "title", "sections")
    fields = ("key", "document__key", "text", "reference", "annotations", "metadata")
    return [*documents, *Prompt.objects.filter(dataset__slug=slug).order_by("key").values_list(*fields)]


def test_two_papers_give_two_documents_and_five_prompts_and_unknown_and_missing_keys_do_not_matter():
    counts = load(SAMPLES / "papers.json").as_json()
    assert [counts[key] for key in ("documents", "prompts", "responses", "items", "new")] == [2, 5, 0, 0, 7]
    assert counts["left_out"] == {"empty paragraph": 2}
    assert load(SAMPLES / "loose.json", slug="loose").totals["prompts"] == 2
    assert Prompt.objects.filter(dataset__slug="loose").order_by("key").first().metadata == {}


def test_the_columnar_shape_stores_the_same_as_the_official_one():
    load(SAMPLES / "papers.json", slug="official")
    for slug, name in (("lines", "papers.columnar.jsonl"), ("objects", "papers.columnar.concatenated.json")):
        load(SAMPLES / name, slug=slug)
        assert stored(slug) == stored("official")


def test_sections_keep_their_hierarchy_and_a_prompt_its_background_its_annotations_and_a_readable_reference():
    load(SAMPLES / "papers.json")
    walls = Document.objects.get(key="2601.00417")
    sections = [(s["heading"], s["level"], [p["id"] for p in s["paragraphs"]]) for s in walls.sections]
    assert sections == [
        ("Abstract", 1, ["p1"]), ("Introduction", 1, ["p2"]), ("Methods", 1, []), ("Recording", 2, ["p3"]),
        ("Calibration", 3, ["p4"]), ("Results", 1, ["p5", "p6"]), ("", 1, ["p7"]), ("Figures and tables", 1, ["p8"]),
    ]  # fmt: skip
    assert walls.sections[-1]["paragraphs"][0]["kind"] == "table"
    texts = str(walls.sections) + str(Document.objects.get(key="2601.02288").sections)
    for token in ("BIBREF0", "TABREF1", "INLINEFORM0", "$n = 20$"):
        assert token in texts
    about_walls, is_yes, is_unanswerable = (
        Prompt.objects.get(key__startswith=key) for key in ("2a3564", "2c96", "359e")
    )
    assert about_walls.metadata == {"nlp_background": "zero", "topic_background": "unfamiliar", "paper_read": "no"}
    assert about_walls.reference == "Of the 14 walls, 11 were inhabited\n11 of 14"
    assert [a["free_form_answer"] for a in about_walls.annotations] == ["", "11 of 14"]
    assert "worker_id" not in about_walls.annotations[0]
    assert is_yes.reference == "Yes\nYes, they held almost three times as many species."
    assert is_unanswerable.reference == "Unanswerable"


def test_an_ancestor_that_never_came_is_added_without_text(tmp_path):
    names = ["Appendices ::: Words ::: Good", "Appendices ::: Words ::: Bad", "", " ::: ", None]
    text = [{"section_name": name, "paragraphs": [f"In {name}."]} for name in names]
    load(qasper(tmp_path / "p.json", {"1": paper(abstract="", full_text=text)}))
    sections = [(s["heading"], s["level"], len(s["paragraphs"])) for s in Document.objects.get().sections]
    named = [("Appendices", 1, 0), ("Words", 2, 0), ("Good", 3, 1), ("Bad", 3, 1)]
    assert sections == [*named, *[("", 1, 1)] * 3]


def test_a_caption_or_else_its_file_says_what_it_belongs_to(tmp_path):
    figures = [
        ("Table 2: Counts.", "4-Figure2-1.png", "table"),
        ("Figure 1: Map.", "4-Table2-1.png", "figure"),
        ("Counts.", "4-Table2-1.png", "table"),
        ("A map.", "", "figure"),
    ]
    captions = [{"caption": caption, "file": file} for caption, file, _kind in figures]
    load(qasper(tmp_path / "p.json", {"1": paper(figures_and_tables=captions)}))
    found = [(p["kind"], p["text"]) for p in Document.objects.get().sections[-1]["paragraphs"]]
    assert found == [(kind, caption) for caption, _file, kind in figures]


def test_broken_papers_are_all_named_and_nothing_is_stored():
    text = (SAMPLES / "broken.json").read_text().splitlines()
    expected = {
        "2601.90001": "'full_text' of the paper must be a list, but is a text",
        "2601.90002": "has no 'question_id'",
        "2601.90003": "must be a text, but is a number",
    }
    for problem, (key, why) in zip(refusal_of(load, SAMPLES / "broken.json"), expected.items(), strict=True):
        name, line, paper_key, rest = problem.split(":", 3)
        assert (name, paper_key) == ("broken.json", f" paper {key}")
        assert f'"{key}"' in text[int(line) - 1] and why in rest


def test_gzip_is_known_by_its_content_and_several_files_are_one_load(tmp_path):
    path = tmp_path / "papers"
    path.write_bytes(gzip.compress((SAMPLES / "papers.json").read_bytes()))
    assert load(path).totals["prompts"] == 5
    first = qasper(tmp_path / "one.json", {"1": paper()})
    two = qasper(tmp_path / "two.json", {"2": paper(qas=[question("q2")])})
    assert load(first, two, slug="two").totals["documents"] == 2
    [files] = Dataset.objects.get(slug="two").imports.values_list("files", flat=True)
    assert [file["name"] for file in files] == ["one.json", "two.json"]
    assert all(len(file["sha256"]) == 64 for file in files)


def test_a_paper_without_questions_is_counted_and_a_question_id_that_comes_twice_refused(tmp_path):
    counts = load(qasper(tmp_path / "p.json", {"1": paper(), "2": paper(qas=[])})).as_json()
    assert (counts["documents"], counts["left_out"]) == (1, {"document without a prompt": 1})
    path = qasper(tmp_path / "p.json", {"1": paper(), "2": paper()})
    problem = "p.json:1: prompt 'q1' occurs a second time; the first is in p.json:1"
    assert problem_of(load, path, slug="twice") == problem


def test_columns_must_have_one_length_and_answers_may_be_lists_of_objects(tmp_path):
    path, asked = tmp_path / "p.jsonl", {"question": ["a"], "question_id": ["x"], "answers": [[answer(yes_no=False)]]}
    path.write_text(json.dumps({"id": "1", "qas": {"question": ["a", "b"], "question_id": ["x"]}}))
    assert "have different lengths" in problem_of(load, path)
    path.write_text(json.dumps({"id": "1", "qas": asked}))
    load(path)
    assert Prompt.objects.get().reference == "No"


if SHARED.exists():
    OFFICIAL = SHARED / "qasper" / "qasper-train-first10.v0.3-shape.json"
    COLUMNAR = SHARED / "qasper" / "qasper-train-first10.hf-columnar.jsonl"

    RULES = {
        "all": (51, 10), "stem-qa": (1, 1), "stem-qa-one-annotation": (1, 1), "no-text-evidence": (2, 2),
        "no-highlighted-evidence": (1, 1), "yes-no-only": (4, 3), "no-written-answer": (26, 9), "answerable": (41, 10),
        "unanswerable-to-some": (10, 6), "unanswerable-to-all": (6, 5),
    }  # fmt: skip
    """Rule -> prompts and documents that it leaves, counted independently."""

    def test_ten_real_papers_are_the_same_in_both_shapes_and_keep_975_paragraphs_and_ten_abstracts():
        counts = load(OFFICIAL, slug="official").as_json()
        load(COLUMNAR, slug="columnar")
        assert stored("official") == stored("columnar")
        assert [counts[key] for key in ("documents", "prompts", "responses", "items", "new")] == [10, 51, 0, 0, 61]
        assert counts["left_out"] == {"empty paragraph": 140}
        sections = [section for row in Document.objects.filter(dataset__slug="official") for section in row.sections]
        texts = [p for section in sections for p in section["paragraphs"] if p["kind"] == "text"]
        assert len(texts) == 1115 - 140 + 10

    def test_each_rule_leaves_of_the_real_papers_what_was_counted_independently():
        for rule, numbers in RULES.items():
            totals = load(OFFICIAL, slug=rule, subset=rule, dry_run=True).totals
            assert (totals["prompts"], totals["documents"]) == numbers, rule

    def test_a_real_fixture_with_one_id_for_four_questions_is_refused():
        problems = refusal_of(load, SHARED / "qasper" / "qasper_sample_small.fixture.json")
        assert len(problems) == 3
        assert all("occurs a second time" in problem for problem in problems)
