"""How often the evidence that a paper's annotators chose is among the first five passages suggested for its question.

The passages are ranked by the workspace's own module in Chromium. Beside it, in the same run, stands plain BM25 over
the same paragraphs (k1 1.5, b 0.75, lower-case words as they are: what textbooks and libraries do by default). The
papers are Qasper's where its sample is beside the project, and else the four invented ones of the demo.
"""

import json
import math
import re
import statistics
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, Route, sync_playwright

from ._figure import Figure
from .serving import chromium_options

ROOT = Path(__file__).resolve().parent.parent
MODULES = ROOT / "static" / "js"
QASPER = ROOT.parent / "shared" / "data" / "qasper" / "qasper-train-first10.v0.3-shape.json"
OWN = ROOT / "fixtures" / "demo" / "articles.json"
SITE = "http://localhost:1/"  # nothing listens there: every request is answered here
FIRST = 5
RANK = """async ([papers, most]) => {
    const { PassageIndex } = await import("/workspace/passage_ranking.js");
    const ranked = [], times = { read: [], rank: [] };
    for (const { paragraphs, questions } of JSON.parse(papers)) {
        let began = performance.now();
        const index = new PassageIndex();
        for (const { id, heading, text } of paragraphs) index.add(id, text, heading);
        times.read.push(performance.now() - began);
        for (const question of questions) {
            began = performance.now();
            ranked.push(index.best(question, "", most).map(({ paragraph }) => paragraph));
            times.rank.push(performance.now() - began);
        }
    }
    return { ranked, times };
}"""


def run() -> Iterator[Figure]:
    """Yield the shares (`baseline`: plain BM25's) and the times of Chromium in seconds (`baseline`: a frame)."""
    source = QASPER if QASPER.exists() else OWN
    papers = load(source)
    ranks = ranked_in_chromium(papers)
    plain = [bm25(paper["paragraphs"], question)[:FIRST] for paper in papers for question in paper["questions"]]
    gold = [ids for paper in papers for ids in paper["gold"]]
    data_set = "Qasper" if source == QASPER else "the demo"
    for most in (FIRST, 1):
        ours, theirs = (share(ranked, gold, most) for ranked in (ranks["ranked"], plain))
        name = (
            f"gold evidence of {data_set} among the first {most}" if most > 1 else f"gold evidence of {data_set} first"
        )
        yield Figure(name, ours, theirs, "share", len(gold))
    for task, name in (("read", "an article is read for passages"), ("rank", "passages are ranked for a sentence")):
        times = ranks["times"][task]
        yield Figure(f"{name}, median", statistics.median(times) / 1000, 1 / 60, "s", len(times))


def load(source: Path) -> list[dict]:
    """Return by paper its paragraphs, its questions that have gold paragraphs, and the ids of these paragraphs."""
    from annotation import importing
    from annotation.models import Dataset, Prompt

    importing.load_dataset("qasper", [source], "evidence")
    papers = []
    for document in Dataset.objects.get(slug="evidence").documents.order_by("key"):
        paragraphs = [
            {"id": paragraph["id"], "heading": section["heading"], "text": paragraph["text"]}
            for section in document.sections
            for paragraph in section["paragraphs"]
        ]
        questions = [(p.text, gold_of(p, paragraphs)) for p in Prompt.objects.filter(document=document).order_by("key")]
        with_gold = [(question, gold) for question, gold in questions if gold]
        papers.append(
            {"paragraphs": paragraphs, "questions": [q for q, _ in with_gold], "gold": [g for _, g in with_gold]}
        )
    return papers


def gold_of(prompt, paragraphs: list[dict]) -> set[str]:
    """Return the paragraphs that any annotator of the question named as evidence, without tables and figures."""
    named = {text.strip() for annotation in prompt.annotations for text in annotation["evidence"]}
    return {paragraph["id"] for paragraph in paragraphs if paragraph["text"].strip() in named}


def ranked_in_chromium(papers: list[dict]) -> dict:
    def answer(route: Route) -> None:
        name = route.request.url.removeprefix(SITE)
        if name.endswith(".js"):
            route.fulfill(path=MODULES / name, content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html><title>Evidence</title>", content_type="text/html")

    articles = [{key: paper[key] for key in ("paragraphs", "questions")} for paper in papers]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(**chromium_options())
        page: Page = chromium.new_page()
        page.route("**/*", answer)
        page.goto(SITE)
        measured = page.evaluate(RANK, [json.dumps(articles), FIRST])
        chromium.close()
    return measured


def bm25(paragraphs: list[dict], question: str, k1: float = 1.5, b: float = 0.75) -> list[str]:
    """Return the ids of the paragraphs, best first. Robertson and Zaragoza 2009, equation 3.15."""
    words = [Counter(re.findall(r"\w+", paragraph["text"].lower())) for paragraph in paragraphs]
    lengths = [sum(counts.values()) for counts in words]
    mean = sum(lengths) / len(lengths)
    document_frequency = Counter(word for counts in words for word in counts)

    def score(n: int) -> float:
        total = 0.0
        for word in re.findall(r"\w+", question.lower()):
            if times := words[n][word]:
                rare = math.log(1 + (len(words) - document_frequency[word] + 0.5) / (document_frequency[word] + 0.5))
                total += rare * times * (k1 + 1) / (times + k1 * (1 - b + b * lengths[n] / mean))
        return total

    order = sorted(range(len(words)), key=lambda n: (-score(n), n))
    return [paragraphs[n]["id"] for n in order]


def share(ranked: list[list[str]], gold: list[set[str]], most: int) -> float:
    """Return how many of the questions have a gold paragraph among their first `most`."""
    return sum(bool(set(ids[:most]) & gold_ids) for ids, gold_ids in zip(ranked, gold, strict=True)) / len(gold)
