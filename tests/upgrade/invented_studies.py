"""Studies large enough for bootstrap intervals, one for each shape of data, computed by rule.

Each function writes files in a public format that the import commands read. Every value follows from a hash of names,
so the files are the same on every machine.
"""

import json
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

RATERS = ("ravi", "rosa", "tom")
SYSTEMS = ("Heron 2", "Plover", "=Tern")  # the last one looks like a formula to a spreadsheet
SENTENCES = 3


def draw(bound: int, *names: object) -> int:
    """Return a number from 0 to `bound` - 1 that follows from `names`."""
    return int.from_bytes(sha256(repr(names).encode()).digest()[:8]) % bound


def write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def write_sentences(folder: Path) -> None:
    """Write 54 prompts about 16 documents, three systems, three raters in five weeks, gold answers, adjudications."""
    write_lines(folder / "sentences.jsonl", (_prompt(n) for n in range(54)))
    write_lines(folder / "sentences-ratings.jsonl", (rating for n in range(54) for rating in _ratings_of_prompt(n)))


def _prompt(n: int) -> dict[str, Any]:
    key = f"q{n:02}"
    metadata: dict[str, Any] = {"kind": ["long", "hard"] if n % 3 == 0 else "short", "rater": "=x" if n % 2 else "y"}
    if n % 7:
        metadata["Thema"] = ("Gezeiten & Küste", "鷺")[n % 2]
    document = {"id": f"d{n % 16}", "title": f"Document {n % 16}", "sections": []} if n < 16 else f"d{n % 16}"
    texts = [f"Sentence {position} of {key}." for position in range(SENTENCES)]
    items = [{"kind": "sentence", "text": text} for text in texts]
    responses = [
        {"id": f"{key}.{system}", "system": system, "text": " ".join(texts), "items": items} for system in SYSTEMS
    ]
    return {
        "id": key, "text": f"What about {key}?", "metadata": metadata,
        "document": None if n > 15 and n % 11 == 10 else document, "responses": responses,
    }  # fmt: skip


def _ratings_of_prompt(n: int) -> Iterable[dict[str, Any]]:
    for system in SYSTEMS:
        for position in range(SENTENCES):
            item = {"response": f"q{n:02}.{system}", "item": position}
            for rater in RATERS[: 2 + n % 2]:
                day = 1 + draw(34, "day", n, system, rater)
                yield item | {
                    "rater": rater,
                    "answers": accuracy_answers(n, system, position, rater),
                    "seconds": [None, 2.0, 3.25, 5.0][draw(4, "seconds", n, system, position, rater)],
                    "rated_at": f"2026-{9 + day // 30:02}-{1 + day % 30:02}T{8 + position:02}:00:00Z",
                }
            if draw(5, "adjudicated", n, system, position) == 0:
                for late, person in enumerate(("ines", "lena")):
                    answers = accuracy_answers(n, system, position, person)
                    decided = {"rater": person, "role": "adjudicator", "answers": answers}
                    yield item | decided | {"rated_at": f"2026-11-0{1 + late}T09:00:00Z"}
            if draw(4, "gold", n, system, position) == 0:
                answers = accuracy_answers(n, system, position, "ravi" if n % 3 else "gold")
                yield item | {"rater": "lena", "role": "gold", "answers": answers, "rated_at": "2026-11-03T09:00:00Z"}


def accuracy_answers(*names: object) -> dict[str, str]:
    """Return answers of `article-accuracy`: 12 in 20 accurate, 1 in 20 not assessed."""
    option = ("disputed", "unsupported", "inaccurate", "inaccurate", "cannot_assess")
    number = draw(20, "accuracy", *names)
    if number >= 8:
        return {"accuracy": "accurate"}
    key = option[number % 5]
    if key == "cannot_assess":
        return {"accuracy": key}
    return {"accuracy": key, "severity": ("severe", "not_severe")[draw(2, "severity", *names)]}


def write_web(folder: Path) -> None:
    """Write ratings of the data of `write_sentences` under `web-factuality`, with addresses and comments."""
    rows = (
        {"response": f"q{n:02}.{system}", "item": position, "rater": rater, "answers": _web_answers(n, system, rater)}
        for n in range(54)
        for system in SYSTEMS[:2]
        for position in range(2)
        for rater in RATERS[:2]
    )
    write_lines(folder / "web-ratings.jsonl", rows)


def _web_answers(*names: object) -> dict[str, str]:
    if draw(6, "factual", *names) == 0:
        return {"factual": "no"}
    answers = {"factual": "yes", "accuracy": "accurate"}
    answers["supporting_urls"] = f"https://example.org/{draw(9, 'page', *names)}"
    if draw(3, "inaccurate", *names) == 0:
        answers |= {"accuracy": "inaccurate", "severity": ("severe", "not_severe")[draw(2, "severity", *names)]}
        answers |= {"contradicting_urls": "https://example.org/other", "comment": "It says otherwise."}
    return answers


def write_pairs(folder: Path) -> None:
    """Write published preferences of 44 pairs of three systems, two annotators each."""
    write_lines(folder / "pairs.jsonl", (_preference(n, annotator) for n in range(44) for annotator in range(2)))


def _preference(n: int, annotator: int) -> dict[str, Any]:
    first, second = SYSTEMS[n % 3], SYSTEMS[(n + 1) % 3]
    better = {key: draw(3, key, n, annotator) - 1 for key in ("overall", "coherence", "factuality")}
    if n % 5 == 0:
        del better["coherence"]
    answers = {"answer_a": f"One answer to {n}.", "answer_b": f"Another answer to {n}. It is longer."}
    types = {"answer_a_type": first, "answer_b_type": second}
    preferences = {f"{key}_preference": value for key, value in better.items()}
    return {"question": f"Why is it {n}?", **answers, **types, **preferences, "justification": f"Because of {n}."}


LABELS = {
    "support": ("Complete", "Partial", "Incomplete", "Missing", "N/A", None),
    "informativeness": ("Very relevant", "A bit relevant", "Not too important", "Uninformative"),
    "worthiness": ("Yes", "No"),
    "correctness": ("Definitely correct", "Probably correct", "Unsure", "Likely incorrect", "Definitely incorrect"),
    "reliability": ("Reliable", "Somewhat reliable", "Not reliable at all", "Missing", "N/A"),
}


def write_claims(folder: Path) -> None:
    """Write 48 answers of three systems in ExpertQA's shape, with claims and the judgments of their annotators."""
    write_lines(folder / "claims.jsonl", (_expert_row(n) for n in range(48)))


def _expert_row(n: int) -> dict[str, Any]:
    claims = [_claim(n, position) for position in range(1 + n % 4)]
    answer = {
        "answer_string": " ".join(claim["claim_string"] for claim in claims),
        "attribution": [f"[1] https://example.org/{n}"],
        "claims": claims,
        "revised_answer_string": "",
        "usefulness": ("Useful", "Partially useful", "Not useful at all")[draw(3, "usefulness", n)],
        "annotation_time": 60_000 + draw(400_000, "time", n),
        "annotator_id": str(n % 6),
    }
    prompt, system = n // 3, ("gpt4", "bing_chat", "rr_gs_gpt4")[n % 3]
    metadata = {
        "question_type": "Advice or suggestions on how to approach a problem|Request for opinion on a topic",
        "field": ("Biology", "Law", "Music")[prompt % 3],
        "specific_field": f"Field {prompt % 4}",
    }
    question = {"question": f"What is claimed of {prompt}?", "annotator_id": str(prompt % 6)}
    return {**question, "answers": {system: answer}, "metadata": metadata}


def _claim(n: int, position: int) -> dict[str, Any]:
    text = f"Claim {position} of {n} [1]."
    labels = {key: options[draw(len(options), key, n, position)] for key, options in LABELS.items()}
    revised = {"revised_claim": text, "revised_evidence": f"[1] https://example.org/{n}"}
    evidence = [f"[1] https://example.org/{n}\n\nPassage {position} of {n}."]
    return {"claim_string": text, "evidence": evidence, "reason_missing_support": "", **labels, **revised}


def write_facts(folder: Path) -> None:
    """Write 42 prompts, two systems' answers and the reference answers with facts, and scores by two raters."""
    write_lines(folder / "facts.jsonl", ({"id": f"f{n:02}", **_fact_prompt(n)} for n in range(42)))
    write_lines(folder / "facts-responses.jsonl", (_facts(n, system) for n in range(42) for system in SYSTEMS[:2]))
    rows = (
        rating
        for n in range(42)
        for system in SYSTEMS[:2]
        for rater in RATERS[: 1 + n % 2]
        for rating in _fact_ratings(n, system, rater)
    )
    write_lines(folder / "facts-ratings.jsonl", rows)


def _fact_prompt(n: int) -> dict[str, Any]:
    metadata = {"question_type": ("yes/no", "single factual", "summarization")[n % 3]}
    return {"text": f"How many of {n}?", "metadata": metadata, "document": None, "reference": f"{n} of them."}


def _facts(n: int, system: str) -> dict[str, Any]:
    """Return the system's answer to a prompt, with its facts and the facts of the reference answer."""
    facts = [f"Fact {position}." for position in range(_fact_counts(n, system)[0])]
    reference_facts = [f"Fact {position}." for position in range(_fact_counts(n, system)[1])]
    row = {"id": f"f{n:02}.{system}", "prompt": f"f{n:02}", "system": system, "text": f"{system} says {n}."}
    return {**row, "facts": facts, "reference_facts": reference_facts}


def _fact_counts(n: int, system: str) -> tuple[int, int]:
    return 1 + draw(4, "facts", n, system), 1 + draw(3, "reference facts", n)


def _fact_ratings(n: int, system: str, rater: str) -> Iterable[dict[str, Any]]:
    facts, reference_facts = _fact_counts(n, system)
    questions = ["in_reference"] * facts + ["in_response"] * reference_facts
    for position, question in enumerate(questions):
        is_supported = draw(3, question, n, system, rater, position) > 0
        answers = {question: "supported" if is_supported else "not_supported"}
        if position == len(questions) - 1:
            answers["score"] = ("wrong", "partly", "right", "right")[draw(4, "score", n, system, rater)]
        yield {
            "response": f"f{n:02}.{system}", "unit": "fact", "item": position, "rater": rater, "answers": answers,
        }  # fmt: skip
