"""The demo's sample is what it claims to be: long enough, in Qasper's shape, and rated as raters can rate."""

import json
from collections import Counter, defaultdict
from itertools import combinations, product
from pathlib import Path

import pytest

from annotation.protocols import answer_validation, loading
from annotation.splitting import split_items
from fixtures.demo import make_ratings

DEMO = Path(__file__).parents[2] / "fixtures" / "demo"


def lines(name: str) -> list[dict]:
    return [json.loads(line) for line in (DEMO / name).read_text(encoding="utf-8").splitlines()]


ARTICLES = json.loads((DEMO / "articles.json").read_text(encoding="utf-8"))
RESPONSES = {row["id"]: row for row in lines("responses.jsonl")}
PLANTED = lines("planted.jsonl")
RATINGS, SECOND_RATINGS = lines("ratings.jsonl"), lines("second_ratings.jsonl")
QUESTIONS = [question for article in ARTICLES.values() for question in article["qas"]]
SPANS = {key: split_items(row["text"]) for key, row in RESPONSES.items()}


def rated_positions(response: str) -> set[int]:
    return {position for position, span in enumerate(SPANS[response]) if span.rate}


def sentence_of(entry: dict) -> list[int]:
    """Return the positions of the rated spans that contain the whole planted fragment."""
    start = RESPONSES[entry["response"]]["text"].index(entry["sentence"])
    end = start + len(entry["sentence"])
    spans = enumerate(SPANS[entry["response"]])
    return [position for position, span in spans if span.rate and span.start <= start and end <= span.end]


def keeps_stem_qa(question: dict) -> bool:
    answers = [gold_answer["answer"] for gold_answer in question["answers"]]
    return not any(answer["unanswerable"] or answer["evidence"] for answer in answers)


@pytest.mark.parametrize("key", ARTICLES)
def test_each_article_has_1200_to_2000_words(key):
    paragraphs = [text for section in ARTICLES[key]["full_text"] for text in section["paragraphs"]]
    assert 1200 <= len(" ".join([ARTICLES[key]["abstract"], *paragraphs]).split()) <= 2000


@pytest.mark.parametrize("key", ARTICLES)
def test_each_article_looks_like_qasper(key):
    article = ARTICLES[key]
    text = json.dumps(article, ensure_ascii=False)
    assert article.keys() == {"title", "abstract", "full_text", "qas", "figures_and_tables"}
    assert any(" ::: " in section["section_name"] for section in article["full_text"])
    assert any("" in section["paragraphs"] for section in article["full_text"])
    assert all(mark in text for mark in ("$", "BIBREF", "INLINEFORM"))
    assert article["figures_and_tables"]


def test_evidence_is_whole_paragraphs_or_a_caption_of_the_same_article():
    for article in ARTICLES.values():
        texts = {text for section in article["full_text"] for text in section["paragraphs"]}
        texts |= {f"FLOAT SELECTED: {float_['caption']}" for float_ in article["figures_and_tables"]}
        for question in article["qas"]:
            for answer in question["answers"]:
                assert set(answer["answer"]["evidence"]) <= texts


def test_every_gold_answer_has_exactly_one_type():
    for question in QUESTIONS:
        for gold_answer in question["answers"]:
            answer = gold_answer["answer"]
            types = [answer["unanswerable"], answer["extractive_spans"], answer["free_form_answer"]]
            assert sum(map(bool, types)) + (answer["yes_no"] is not None) == 1


def test_there_are_ten_prompts_of_which_the_papers_subset_keeps_six():
    assert len({question["question_id"] for question in QUESTIONS}) == len(QUESTIONS) == 10
    assert sum(map(keeps_stem_qa, QUESTIONS)) == 6


def test_three_systems_answer_every_prompt():
    pairs = {(row["prompt"], row["system"]) for row in RESPONSES.values()}
    systems = {"Heron 2", "Heron 1", "Plover"}
    assert len(RESPONSES) == 30
    assert pairs == {(question["question_id"], system) for question in QUESTIONS for system in systems}


@pytest.mark.parametrize("response", RESPONSES)
def test_each_response_has_4_to_12_sentences_to_rate(response):
    assert 4 <= len(rated_positions(response)) <= 12


def test_each_planted_fragment_is_inside_exactly_one_rated_sentence():
    for entry in PLANTED:
        assert RESPONSES[entry["response"]]["text"].count(entry["sentence"]) == 1, entry
        assert len(sentence_of(entry)) == 1, entry


def test_no_sentence_is_planted_twice():
    cases = Counter((entry["response"], *sentence_of(entry)) for entry in PLANTED)
    assert [case for case, times in cases.items() if times > 1] == []


def test_every_kind_of_error_is_planted_severe_and_harmless():
    kinds = {(entry["accuracy"], entry.get("severity")) for entry in PLANTED}
    bad = set(product(("disputed", "unsupported", "inaccurate"), ("severe", "not_severe")))
    assert kinds == bad | {("cannot_assess", None)}


def test_heron_2_errs_least_and_plover_most():
    systems = Counter(
        RESPONSES[entry["response"]]["system"] for entry in PLANTED if entry["accuracy"] != "cannot_assess"
    )
    assert systems["Heron 2"] < systems["Heron 1"] < systems["Plover"]


def test_the_ratings_are_those_that_the_script_writes():
    for name, text in make_ratings.written().items():
        assert (DEMO / name).read_text(encoding="utf-8") == text


def test_every_answer_is_one_that_the_protocol_allows():
    protocol = loading.builtin()["article-accuracy"]
    for answers in [*(rating["answers"] for rating in RATINGS + SECOND_RATINGS), *map(answers_of, PLANTED)]:
        assert answer_validation.problems(protocol, answers) == {}
        assert answer_validation.prune(protocol, answers) == answers


def answers_of(entry: dict) -> dict[str, str]:
    return {key: entry[key] for key in ("accuracy", "severity") if key in entry}


def by_response_and_rater(ratings: list[dict] = RATINGS) -> dict[tuple[str, str], set[int]]:
    finished = defaultdict(set)
    for rating in ratings:
        finished[rating["response"], rating["rater"]].add(rating["item"])
    return finished


def test_whoever_rated_a_response_rated_all_of_its_rated_sentences_once():
    finished = by_response_and_rater()
    assert all(items == rated_positions(response) for (response, _), items in finished.items())
    assert sum(map(len, finished.values())) == len(RATINGS)


def test_no_response_has_more_than_two_raters_and_some_wait_for_their_second():
    raters = Counter(response for response, _ in by_response_and_rater())
    assert Counter(raters.values()) == {2: 18, 1: 12}


def test_with_the_second_ratings_each_response_has_two_raters():
    finished = by_response_and_rater(RATINGS + SECOND_RATINGS)
    assert all(items == rated_positions(response) for (response, _), items in finished.items())
    assert Counter(Counter(response for response, _ in finished).values()) == {2: 30}


def test_every_system_has_ratings_on_all_ten_prompts():
    pairs = {(RESPONSES[key]["system"], RESPONSES[key]["prompt"]) for key, _ in by_response_and_rater()}
    assert Counter(system for system, _ in pairs) == {"Heron 2": 10, "Heron 1": 10, "Plover": 10}


@pytest.mark.parametrize("rater", ["ravi", "rosa", "tom"])
def test_there_is_work_left_for_each_rater(rater):
    finished = by_response_and_rater()
    raters = Counter(response for response, _ in finished)
    assert any(raters[key] < 2 and (key, rater) not in finished for key in RESPONSES)


def test_raters_agree_on_four_in_five_sentences_but_not_on_all():
    labels = defaultdict(list)
    for rating in RATINGS:
        labels[rating["response"], rating["item"]].append(rating["answers"]["accuracy"])
    pairs = [a == b for item_labels in labels.values() for a, b in combinations(item_labels, 2)]
    assert 0.8 < sum(pairs) / len(pairs) < 0.95
