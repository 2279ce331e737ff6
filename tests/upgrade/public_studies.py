"""Studies of the public data sets beside the checkout. Only digests of reports are stored, nothing of the data."""

import json
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.upgrade.invented_studies import RATERS, SYSTEMS, accuracy_answers, draw, write_lines
from tests.upgrade.recorded import without_software
from tests.upgrade.studies import SHARED, Study, reports, study

QASPER = "qasper/qasper-train-first10.v0.3-shape.json"
EXPERTQA = sorted(path.name for path in (SHARED / "expertqa").glob("r2-shape.*.jsonl.gz"))
LFQA = "lfqa_eval/raw_annotation_data/Annotated_Dataset"
EXPERTS = sorted(path.name for path in (SHARED / LFQA).glob("*.json"))


def write_answers(folder: Path) -> None:
    """Write invented answers of two systems to the questions of the Qasper papers, rated by two or three raters."""
    papers = json.loads((SHARED / QASPER).read_text())
    keys = [question["question_id"] for paper in papers.values() for question in paper["qas"]]
    text = "The first sentence stands first. The second one follows it. The third one ends it."
    rows = ({"id": f"{key}.{s}", "prompt": key, "system": s, "text": text} for key in keys for s in SYSTEMS[:2])
    write_lines(folder / "answers.jsonl", rows)
    write_lines(folder / "ratings.jsonl", (rating for key in keys for rating in _ratings(key)))


def _ratings(key: str) -> Iterable[dict[str, Any]]:
    for system in SYSTEMS[:2]:
        for position in range(3):
            for rater in RATERS[: 2 + draw(2, "raters", key)]:
                answers = accuracy_answers(key, system, position, rater)
                yield {"response": f"{key}.{system}", "item": position, "rater": rater, "answers": answers}


def digest_of(output: str) -> dict[str, str]:
    """Return a digest of each part of an output, so that the part that differs can be named; versions are left out."""
    text = without_software(output)
    parts = {key: json.dumps(part) for key, part in json.loads(text).items()} if text.startswith("{\n") else {}
    return {key: sha256(part.encode()).hexdigest()[:16] for key, part in {**parts, "all": text}.items()}


SHARED_STUDIES = (
    Study(
        "qasper",
        study(
            "qasper", "qasper", "{shared}/" + QASPER, "article-accuracy",
            "import_responses {files}/answers.jsonl --dataset qasper",
            "import_ratings {files}/ratings.jsonl --project qasper",
        ),
        (*reports("", "--cluster document"), "build_report --resamples 300 --format markdown"),
        write_answers,
    ),
    Study(
        "expertqa",
        study(
            "expertqa", "expertqa", " ".join("{shared}/expertqa/" + name for name in EXPERTQA), "claim-attribution",
            *(
                f"import_ratings {{shared}}/expertqa/{name} --project expertqa --format expertqa"
                for name in EXPERTQA
            ),
        ),
        reports("--where field=Law", resamples="--resamples 100"),
    ),
    Study(
        "experts",
        study(
            "experts", "lfqa_eval", " ".join(f"{{shared}}/{LFQA}/{name}" for name in EXPERTS), "pairwise-preference",
            *(f"import_ratings {{shared}}/{LFQA}/{name} --project experts --format lfqa_eval" for name in EXPERTS),
        ),
        reports("", "--where field=Biology"),
    ),
)  # fmt: skip
