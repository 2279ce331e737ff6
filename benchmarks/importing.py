"""How fast responses, data sets and ratings come in and go out, each beside the raw work that it cannot do without.

Responses are split by our rules and stored with their items; the baseline is NLTK's Punkt alone on the same texts,
which finds sentences but stores nothing. Loading Qasper stands beside `json.loads` of the same file, ratings in and out
beside reading and writing the same rows as bare JSON. `ratio` = value / baseline, both a second in one run.
"""

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from nltk.tokenize.punkt import PunktSentenceTokenizer

from ._figure import Figure

PAPERS, PROMPTS, SYSTEMS, RATERS = 200, 4, 5, 5
MANY = int(os.environ.get("BENCH_RESPONSES", "100000"))  # responses of the large load; fewer for a quick look
PARAGRAPH = (
    "We compared 36 verges, e.g. those of Sec. 3.1, under full-night lighting (Fig. 2). Visits were 58 % lower. "
)
ANSWER = """## Short answer

Part-night lighting brings back **most** of the pollination, i.e. 81 % of the visits [1]. Dr. Oss et al. found the same.

- Visits: 6.2 a night on dark verges and 2.6 under full-night lighting.
- Seeds recover later. Why is not known.

In summary, an earlier switch-off would probably return more. No. 5 was left out.
"""


def run() -> Iterator[Figure]:
    """Yield one figure a line; `n` is how many of its unit were worked on."""
    from annotation.exporting import RatingsExport
    from annotation.importing import load_dataset, load_ratings, load_responses
    from annotation.models import Dataset, Item
    from annotation.projects.create import create_project
    from annotation.projects.protocol_versions import newest_protocol

    with tempfile.TemporaryDirectory(prefix="factuary-bench-") as name:
        folder = Path(name)
        papers = written_papers(folder)
        seconds = timed(lambda: load_dataset("qasper", [papers], "importing"))
        bare = timed(lambda: json.loads(papers.read_text(encoding="utf-8")))
        size = papers.stat().st_size / 1e6
        yield Figure("Qasper loaded / json.loads", size / seconds, size / bare, "MB/s", int(size))

        dataset = Dataset.objects.get(slug="importing")
        texts, responses = written_responses(folder)
        seconds = timed(lambda: load_responses(responses, dataset))
        items = Item.objects.filter(response__dataset=dataset).count()
        punkt = PunktSentenceTokenizer()
        bare = timed(lambda: [punkt.tokenize(text) for text in texts])
        yield Figure("responses split and stored / raw Punkt", items / seconds, items / bare, "sentences/s", items)

        yield many_responses(folder)

        protocol = newest_protocol("article-accuracy")
        assert protocol
        project = create_project("importing", dataset, protocol, overlap=3)
        ratings, count = written_ratings(folder, dataset)
        seconds = timed(lambda: load_ratings(ratings, project))
        bare = timed(lambda: [json.loads(row) for row in ratings.read_text(encoding="utf-8").splitlines()])
        yield Figure("ratings loaded / json.loads", count / seconds, count / bare, "ratings/s", count)

        rows = [json.loads(row) for row in b"".join(RatingsExport(project, "jsonl")).decode().splitlines()]
        bare = timed(lambda: "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
        for format in ("jsonl", "csv", "parquet"):
            seconds = timed(partial(list, RatingsExport(project, format)))
            yield Figure(
                f"ratings exported as {format} / json.dumps", count / seconds, count / bare, "ratings/s", count
            )


def many_responses(folder: Path) -> Figure:
    """Measure loading many responses at once, split and stored, beside Punkt alone on the same texts."""
    from annotation.importing import load_dataset, load_responses
    from annotation.models import Dataset, Item

    prompts = max(1, MANY // 100)
    prompts_data = [{"id": f"q{n}", "text": f"What of {n}?", "document": None} for n in range(prompts)]
    load_dataset("jsonl", [written(folder / "prompts.jsonl", prompts_data)], "many")
    rows = [
        {"prompt": f"q{n % prompts}", "system": f"system {n // prompts}", "text": f"{ANSWER}\nThis is {n}."}
        for n in range(MANY)
    ]
    path, dataset = written(folder / "many.jsonl", rows), Dataset.objects.get(slug="many")
    seconds = timed(lambda: load_responses(path, dataset))
    items = Item.objects.filter(response__dataset=dataset).count()
    punkt = PunktSentenceTokenizer()
    bare = timed(lambda: [punkt.tokenize(row["text"]) for row in rows])
    return Figure(
        f"{MANY:,} responses split and stored / raw Punkt", items / seconds, items / bare, "sentences/s", items
    )


def timed(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def written_papers(folder: Path) -> Path:
    sections = [{"section_name": f"Part {n}", "paragraphs": [PARAGRAPH * 6] * 8} for n in range(8)]
    answer = {"unanswerable": False, "yes_no": True, "evidence": []}
    papers = {}
    for n in range(PAPERS):
        questions = [
            {"question": f"What of {n}, {k}?", "question_id": f"{n}-{k}", "answers": [{"answer": answer}]}
            for k in range(PROMPTS)
        ]
        papers[str(n)] = {"title": f"Paper {n}", "abstract": PARAGRAPH, "full_text": sections, "qas": questions}
    path = folder / "papers.json"
    path.write_text(json.dumps(papers), encoding="utf-8")
    return path


def written_responses(folder: Path) -> tuple[list[str], Path]:
    keys = [f"{n}-{k}" for n in range(PAPERS) for k in range(PROMPTS)]
    rows = [
        {
            "id": f"{key}.{system}",
            "prompt": key,
            "system": f"system {system}",
            "text": f"{ANSWER}\nThis is {key}.{system}.",
        }
        for key in keys
        for system in range(SYSTEMS)
    ]
    return [row["text"] for row in rows], written(folder / "responses.jsonl", rows)


def written_ratings(folder: Path, dataset: Any) -> tuple[Path, int]:
    from annotation.models import Item

    items = Item.objects.filter(response__dataset=dataset, rate=True).values_list("response__key", "position")[:10_000]
    rows = [
        {"response": key, "item": position, "rater": f"rater{n}", "answers": {"accuracy": "accurate"}, "seconds": 7.5}
        for key, position in items
        for n in range(RATERS)
    ]
    return written(folder / "ratings.jsonl", rows), len(rows)


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
