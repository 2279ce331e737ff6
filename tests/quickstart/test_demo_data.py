"""The demo's sample is what it claims to be: long enough, in Qasper's shape, and rated as raters can rate."""

import json
from collections import Counter, defaultdict
from itertools import combinations, product
from pathlib import Path

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
RATED = {key: {position for position, span in enumerate(spans) if span.rate} for key, spans in SPANS.items()}


def gold_answers(question: dict) -> list[dict]:
    return [gold_answer["answer"] for gold_answer in question["answers"]]


def by_response_and_rater(ratings: list[dict]) -> dict[tuple[str, str], set[int]]:
    """Return the positions that are rated, and check that whoever rated a response rated each sentence of it once."""
    finished = defaultdict(set)
    for rating in ratings:
        finished[rating["response"], rating["rater"]].add(rating["item"])
    assert sum(map(len, finished.values())) == len(ratings)
    assert all(items == RATED[response] for (response, _), items in finished.items())
    return finished


def test_each_article_has_1200_to_2000_words_and_looks_like_qasper():
    for article in ARTICLES.values():
        paragraphs = [text for section in article["full_text"] for text in section["paragraphs"]]
        assert 1200 <= len(" ".join([article["abstract"], *paragraphs]).split()) <= 2000
        assert article.keys() == {"title", "abstract", "full_text", "qas", "figures_and_tables"}
        assert any(" ::: " in section["section_name"] for section in article["full_text"])
        assert any("" in section["paragraphs"] for section in article["full_text"])
        text = json.dumps(article, ensure_ascii=False)
        assert all(mark in text for mark in ("$", "BIBREF", "INLINEFORM"))
        assert article["figures_and_tables"]


def test_gold_answers_have_one_type_and_evidence_of_whole_paragraphs_or_captions_of_the_same_article():
    for article in ARTICLES.values():
        texts = {text for section in article["full_text"] for text in section["paragraphs"]}
        texts |= {f"FLOAT SELECTED: {float_['caption']}" for float_ in article["figures_and_tables"]}
        for answer in (answer for question in article["qas"] for answer in gold_answers(question)):
            assert set(answer["evidence"]) <= texts
            types = [answer["unanswerable"], answer["extractive_spans"], answer["free_form_answer"]]
            assert sum(map(bool, types)) + (answer["yes_no"] is not None) == 1


def test_there_are_ten_prompts_of_which_the_papers_subset_keeps_six():
    assert len({question["question_id"] for question in QUESTIONS}) == len(QUESTIONS) == 10
    kept = [q for q in QUESTIONS if not any(a["unanswerable"] or a["evidence"] for a in gold_answers(q))]
    assert len(kept) == 6


def test_three_systems_answer_every_prompt_in_4_to_12_sentences():
    pairs = {(row["prompt"], row["system"]) for row in RESPONSES.values()}
    assert len(RESPONSES) == 30
    assert pairs == set(product((q["question_id"] for q in QUESTIONS), ("Heron 2", "Heron 1", "Plover")))
    assert {len(positions) for positions in RATED.values()} <= set(range(4, 13))


def test_each_planted_fragment_is_inside_a_rated_sentence_of_its_own():
    cases = []
    for entry in PLANTED:
        response, text = entry["response"], RESPONSES[entry["response"]]["text"]
        assert text.count(entry["sentence"]) == 1, entry
        start = text.index(entry["sentence"])
        end = start + len(entry["sentence"])
        spans = ((position, SPANS[response][position]) for position in RATED[response])
        [position] = [position for position, span in spans if span.start <= start and end <= span.end]
        cases.append((response, position))
    assert len(set(cases)) == len(cases)


def test_every_kind_of_error_is_planted_and_heron_2_errs_least_and_plover_most():
    kinds = {(entry["accuracy"], entry.get("severity")) for entry in PLANTED}
    bad = set(product(("disputed", "unsupported", "inaccurate"), ("severe", "not_severe")))
    assert kinds == bad | {("cannot_assess", None)}
    errors = [entry["response"] for entry in PLANTED if entry["accuracy"] != "cannot_assess"]
    systems = Counter(RESPONSES[response]["system"] for response in errors)
    assert systems["Heron 2"] < systems["Heron 1"] < systems["Plover"]


def test_the_ratings_are_those_that_the_script_writes_and_that_the_protocol_allows():
    for name, text in make_ratings.written().items():
        assert (DEMO / name).read_text(encoding="utf-8") == text
    protocol = loading.builtin()["article-accuracy"]
    planted = [{key: entry[key] for key in ("accuracy", "severity") if key in entry} for entry in PLANTED]
    for answers in [*(rating["answers"] for rating in RATINGS + SECOND_RATINGS), *planted]:
        assert answer_validation.problems(protocol, answers) == {}
        assert answer_validation.prune(protocol, answers) == answers


def test_some_responses_wait_for_their_second_rater_and_each_rater_has_work_left():
    finished = by_response_and_rater(RATINGS)
    raters = Counter(response for response, _ in finished)
    assert Counter(raters.values()) == {2: 18, 1: 12}
    for rater in ("ravi", "rosa", "tom"):
        assert any(raters[key] < 2 and (key, rater) not in finished for key in RESPONSES)
    pairs = {(RESPONSES[key]["system"], RESPONSES[key]["prompt"]) for key in raters}
    assert Counter(system for system, _ in pairs) == {"Heron 2": 10, "Heron 1": 10, "Plover": 10}
    both = Counter(response for response, _ in by_response_and_rater(RATINGS + SECOND_RATINGS))
    assert Counter(both.values()) == {2: 30}


def test_raters_agree_on_four_in_five_sentences_but_not_on_all():
    labels = defaultdict(list)
    for rating in RATINGS:
        labels[rating["response"], rating["item"]].append(rating["answers"]["accuracy"])
    pairs = [a == b for item_labels in labels.values() for a, b in combinations(item_labels, 2)]
    assert 0.8 < sum(pairs) / len(pairs) < 0.95
