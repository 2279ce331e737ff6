"""Named subsets, samples, and what is told when nothing is left."""

import pytest
from django.db import transaction

from annotation.importing import RULES, load_dataset
from annotation.models import DatasetImport, Prompt
from tests.importing.files import FIXTURES, answer, lines, paper, problem_of, prompt, qasper, question

pytestmark = pytest.mark.django_db


YES, NOTHING, UNANSWERABLE = answer(yes_no=True), answer(), answer(unanswerable=True)
WITH_EVIDENCE = answer(yes_no=True, evidence=["Terns fly."], highlighted_evidence=["Terns"])
WITH_TABLE = answer(yes_no=True, evidence=["FLOAT SELECTED: Table 1: Terns."])
WRITTEN, SPAN = answer(free_form_answer="They fly."), answer(extractive_spans=["fly"])


TAKEN = {
    "stem-qa": [[YES], [answer(yes_no=True, evidence=["  "])]],
    "stem-qa-to-the-letter": [[NOTHING], []],
    "stem-qa-one-annotation": [[YES, WITH_EVIDENCE]],
    "no-text-evidence": [[WITH_TABLE]],
    "no-highlighted-evidence": [[WITH_TABLE]],
    "yes-no-only": [[WITH_EVIDENCE]],
    "no-written-answer": [[SPAN]],
    "answerable": [[WRITTEN]],
    "unanswerable-to-some": [[WRITTEN, UNANSWERABLE]],
    "unanswerable-to-all": [[UNANSWERABLE]],
    "not-annotated": [[]],
}
NOT_TAKEN = {
    "stem-qa": [[YES, WITH_EVIDENCE], [YES, UNANSWERABLE], [YES, WITH_TABLE], []],
    "stem-qa-to-the-letter": [[YES]],
    "stem-qa-one-annotation": [[WITH_EVIDENCE]],
    "no-text-evidence": [[WITH_EVIDENCE]],
    "no-highlighted-evidence": [[WITH_EVIDENCE]],
    "yes-no-only": [[WRITTEN], [SPAN]],
    "no-written-answer": [[SPAN, WRITTEN]],
    "answerable": [[WRITTEN, UNANSWERABLE]],
    "unanswerable-to-all": [[WRITTEN, UNANSWERABLE]],
    "not-annotated": [[YES]],
}


def test_a_rule_takes_exactly_what_its_title_says(tmp_path):
    for rule, taken in TAKEN.items():
        annotations = [*taken, *NOT_TAKEN.get(rule, [])]
        asked = [{**question(f"q{n}"), "answers": answers} for n, answers in enumerate(annotations)]
        load_dataset("qasper", [qasper(tmp_path / "p.json", {"1": paper(qas=asked)})], rule, subset=rule)
        keys = Prompt.objects.filter(dataset__slug=rule).values_list("key", flat=True)
        assert sorted(keys) == [f"q{n}" for n in range(len(taken))], rule


def test_each_step_is_counted_and_stored_beside_the_published_numbers():
    counts = load_dataset("qasper", [FIXTURES / "qasper" / "papers.json"], "s", subset="stem-qa")
    assert [(s["step"], s["prompts"], s["documents"]) for s in counts.steps] == [
        ("in the files", 5, 2),
        ("with an annotation", 5, 2),
        ("not marked unanswerable by any annotator", 4, 2),
        ("no supporting evidence in any annotation", 2, 2),
    ]
    load = DatasetImport.objects.get()
    assert load.steps == counts.steps
    assert load.options["subset"] == "stem-qa"
    assert load.options["published"] == {"prompts": 158, "documents": 145, "mean_tokens": 5138}
    assert "published: 158 prompts on 145 documents, mean 5,138 tokens" in "\n".join(counts.lines())


def test_tokens_are_words_and_marks_of_the_paragraphs_without_captions(tmp_path):
    text = [{"section_name": "One", "paragraphs": ["It's 3.5 km, say.", ""]}]
    captions = [{"file": "", "caption": "Figure 1: not counted"}]
    path = qasper(tmp_path / "p.json", {"1": paper(full_text=text, figures_and_tables=captions)})
    counts = load_dataset("qasper", [path], "s")
    # Terns fly .   and   It ' s 3 . 5 km , say .
    assert counts.steps[0]["mean_tokens"] == 3 + 10


def test_what_the_rule_leaves_out_is_counted_and_where_nothing_is_left_each_step_is_told():
    paths = [FIXTURES / "qasper" / "papers.json"]
    problem = problem_of(load_dataset, "qasper", paths, "s", subset="stem-qa-to-the-letter")
    for words in (
        "leaves no prompt",
        "in the files: prompts: 5, documents: 2",
        "no supporting evidence in any annotation: prompts: 2, documents: 2",
        "no gold response in any annotation: prompts: 0, documents: 0",
    ):
        assert words in problem
    counts = load_dataset("qasper", paths, "s", subset="unanswerable-to-some")
    expected = {"document without a prompt": 1, "empty paragraph": 2, "not in the subset": 4}
    assert counts.as_json()["left_out"] == expected


def many(tmp_path, order=1):
    return lines(tmp_path / f"many{order}.jsonl", [prompt(f"q{n}") for n in range(100)][::order])


def drawn(path, **options) -> set[str]:
    with transaction.atomic():
        load_dataset("jsonl", [path], "s", **options)
        keys = set(Prompt.objects.values_list("key", flat=True))
        transaction.set_rollback(True)
    return keys


def test_a_sample_is_the_same_whatever_the_order_of_the_file_and_a_larger_one_is_all_of_it(tmp_path):
    first = drawn(many(tmp_path), sample=10, seed=7)
    assert len(first) == 10
    assert first == drawn(many(tmp_path, -1), sample=10, seed=7)
    assert first != drawn(many(tmp_path), sample=10, seed=8)
    assert first < drawn(many(tmp_path), sample=20, seed=7)
    assert len(drawn(many(tmp_path), sample=1000)) == 100


def test_a_sample_keeps_the_document_that_came_with_a_prompt_outside_it(tmp_path):
    about = {"id": "d", "title": "T", "sections": []}
    rows = [prompt("q0", document=about), *(prompt(f"q{n}", document="d") for n in range(1, 50))]
    path = lines(tmp_path / "d.jsonl", rows)
    counts = load_dataset("jsonl", [path], "s", sample=3)
    assert (counts.totals["documents"], counts.totals["prompts"]) == (1, 3)
    assert set(Prompt.objects.values_list("document__key", flat=True)) == {"d"}


def test_what_cannot_be_taken_is_said_before_anything_is_read(tmp_path):
    for options, says in (
        ({"subset": "stem"}, "has no subset rule 'stem'"),
        ({"subset": "stem-qa"}, "format jsonl has no subset rule 'stem-qa'; it has: all"),
        ({"sample": 0}, "sample size 0: choose 1 or more"),
    ):
        assert says in problem_of(load_dataset, "jsonl", [tmp_path / "not there"], "s", **options)
    assert all(name == rule.name and name.replace("-", "").isalpha() for name, rule in RULES.items())
