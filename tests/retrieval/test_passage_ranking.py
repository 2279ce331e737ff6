"""The ranking of passages in Python is that of the rating page: the same passages with the same scores."""

import json
import random
from pathlib import Path

import pytest

from annotation.retrieval import passage_ranking
from annotation.retrieval.passage_ranking import PassageRanking, sentences_in, stem
from tests.javascript.modules import evaluate

ROOT = Path(__file__).resolve().parents[2]
ARTICLES = ROOT / "fixtures" / "demo" / "articles.json"
QASPER = ROOT.parent / "shared" / "data" / "qasper" / "qasper-train-first10.v0.3-shape.json"
MODULE = "workspace/passage_ranking.js"
RANK = """(() => {
    const index = new module.PassageIndex();
    example.paragraphs.forEach(([heading, text], number) => index.add(String(number), text, heading));
    return example.queries.map(([sentence, context]) =>
        index.best(sentence, context, 8).map(({ paragraph, text, score }) => [Number(paragraph), text, score]));
})()"""
PIECES = [
    "Dr. ", "et al. ", "e.g. ", "A. ", "ranging ", "Ranges", "naïve ", "Łódź ", "Ünïcode", "ß", "ſ",
    "İstanbul ", "ΣΑΣ ", "x² ", "１２ ", "٣ ", "12,345.60 ", "1,2,3", "GPT-4 ", "CO2 ", "it's ", "rock’n’roll ",
    "…", "?! ", "‼", "。", "\n\n", "\ufeff", "\x1c", "\x85", "\u2028", "\u200b", "𐌰𐌱𐌲𐌳ing ", "𝐁𝐨𝐥𝐝 ", "🙂",
    "e\u0301tude ", "ﬁnding ", "(See Fig. 3) ", "“Yes.” ", "studies ", "dresses ", "boxes ", "classified ",
    "nationalization ", "happily ", "bees ", "is ", "Ⅷ ", "ªº ", "ŉ ",
]  # fmt: skip


def sections_of(paper):
    sections = [("Abstract", [paper["abstract"]])]
    return sections + [(each["section_name"] or "", each["paragraphs"]) for each in paper["full_text"]]


def qasper_articles():
    for paper in json.loads(QASPER.read_text()).values():
        queries = []
        for question in paper["qas"]:
            queries.append((question["question"], ""))
            for answer in (each["answer"] for each in question["answers"]):
                texts = [answer["free_form_answer"], *answer["extractive_spans"], *answer["highlighted_evidence"]]
                queries += [(text, question["question"]) for text in texts if text]
        yield [(heading, text) for heading, texts in sections_of(paper) for text in texts], queries


def own_articles():
    for paper in json.loads(ARTICLES.read_text()).values():
        paragraphs = [(heading, text) for heading, texts in sections_of(paper) for text in texts]
        questions = [question["question"] for question in paper["qas"]]
        queries = [(text.split(". ")[0], questions[0]) for _heading, text in paragraphs]
        yield paragraphs, [(question, "") for question in questions] + queries


def invented_articles():
    chance = random.Random(7)

    def text(most):
        return "".join(chance.choices(PIECES, k=chance.randrange(most)))

    for _ in range(60):
        yield [(text(4), text(30)) for _ in range(chance.randrange(1, 6))], [(text(12), text(6)) for _ in range(5)]


def check_equal(articles):
    examples = [{"paragraphs": paragraphs, "queries": queries} for paragraphs, queries in articles]
    for example, expected in zip(examples, evaluate(MODULE, RANK, examples), strict=True):
        ranking = PassageRanking([tuple(pair) for pair in example["paragraphs"]])
        for (sentence, context), passages in zip(example["queries"], expected, strict=True):
            own = ranking.best(sentence, context, 8)
            texts = [example["paragraphs"][each.number][1][each.start : each.end] for each in own]
            found = [[each.number, text] for each, text in zip(own, texts, strict=True)]
            assert found == [[number, text] for number, text, _score in passages], (sentence, context)
            assert [each.score for each in own] == pytest.approx([score for *_, score in passages], rel=1e-12)
    return sum(len(example["queries"]) for example in examples)


def test_both_rankings_are_equal_over_articles_of_several_sources_and_scripts():
    assert check_equal(own_articles()) > 50
    without = [([], "Terns"), ([("", "")], "Terns"), ([("Terns", "")], "Terns fly")]
    assert check_equal((paragraphs, [(sentence, "")]) for paragraphs, sentence in without) == 3
    assert check_equal(invented_articles()) == 300
    if QASPER.exists():
        assert check_equal(qasper_articles()) > 100
    assert evaluate(MODULE, "module.VERSION", [0]) == [passage_ranking.VERSION]


def test_sentences_and_stems_are_the_same():
    texts = ["".join(random.Random(seed).choices(PIECES, k=20)) for seed in range(150)]
    cut = "module.sentencesIn(example).map(({ start, end }) => example.slice(start, end))"
    own = [[text[start:end] for start, end in sentences_in(text)] for text in texts]
    assert own == evaluate(MODULE, cut, texts)
    words = [piece.strip().lower() for piece in PIECES]
    assert [stem(word) for word in words] == evaluate(MODULE, "module.stem(example)", words)
