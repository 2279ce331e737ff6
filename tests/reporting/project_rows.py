"""Projects made straight from rows of ratings, so that a test of the report depends on the report alone."""

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.utils import timezone

from annotation.importing import load_dataset, load_ratings
from annotation.judging.judges import create_judge
from annotation.models import (
    Dataset,
    Document,
    Item,
    Judge,
    JudgeRun,
    Membership,
    Project,
    Prompt,
    Rating,
    Response,
    System,
    Verdict,
)
from annotation.projects.create import create_project
from annotation.projects.members import add_member
from annotation.projects.protocol_versions import store_protocol
from annotation.reporting import Choices, build
from annotation.reporting.report import Report
from tests.cast import ACCURATE, SEVERE, article_accuracy, person
from tests.importing.files import lines
from tests.protocols.scored import source
from tests.stats.crossed_ratings import SDS, draw

MILD = {"accuracy": "inaccurate", "severity": "not_severe"}
NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)
DISPUTED = {"accuracy": "disputed", "severity": "severe"}
WORKED_EXAMPLE = Path(__file__).parents[2] / "fixtures" / "worked-example"


@dataclass(frozen=True)
class Row:
    """One rating: which response to which prompt, which sentence, by whom."""

    prompt: str
    system: str
    rater: str
    answers: dict
    item: int = 0
    response: str = ""
    metadata: dict = field(default_factory=dict)

    @property
    def response_key(self) -> str:
        return self.response or f"{self.prompt}.{self.system}"


def project_of(rows: Iterable[Row], slug: str = "june", *, backwards: bool = False) -> Project:
    """Create a project with these ratings, all counted; with `backwards` stored in reverse order."""
    ordered = list(rows)[:: -1 if backwards else 1]
    data = Dataset.objects.create(slug=f"{slug}-data", title=slug, format="jsonl")
    systems = {name: System.objects.create(dataset=data, name=name) for name in _distinct(r.system for r in ordered)}
    metadata = {row.prompt: row.metadata for row in ordered}
    prompts = _created({key: Prompt(dataset=data, key=key, text=key, metadata=metadata[key]) for key in metadata})
    first_rows = {row.response_key: row for row in ordered}
    responses = _created(
        {
            key: Response(dataset=data, prompt=prompts[row.prompt], system=systems[row.system], key=key, text=key)
            for key, row in first_rows.items()
        }
    )
    items = _created(
        {
            (key, n): Item(response=responses[key], unit="sentence", position=n, text=f"{key} {n}")
            for key, n in _distinct((row.response_key, row.item) for row in ordered)
        }
    )
    raters = {name: person(name) for name in _distinct(row.rater for row in ordered)}
    project = create_project(slug, data, article_accuracy(), overlap=1)
    add_member(project, person("lena"), Membership.Role.LEAD)
    Rating.objects.bulk_create(
        [
            Rating(
                project=project,
                item=items[row.response_key, row.item],
                rater=raters[row.rater],
                answers=row.answers,
                choices=row.answers,
                counted=True,
                rated_at=timezone.now(),
            )
            for row in ordered
        ]
    )
    return project


def _created(rows: dict) -> dict:
    """Insert the rows in one statement."""
    if rows:
        next(iter(rows.values()))._meta.model.objects.bulk_create(rows.values())
    return rows


def import_project(rows: Iterable[Row], folder: Path, slug: str = "june") -> Project:
    """Create a project whose data set and ratings come from files, as the import commands read them."""
    ordered, prompts, last = list(rows), dict[str, dict](), dict[str, int]()
    for row in ordered:
        last[row.response_key] = max(row.item, last.get(row.response_key, 0))
    for row in ordered:
        head = {"id": row.prompt, "text": row.prompt, "metadata": row.metadata, "document": None, "responses": []}
        responses = prompts.setdefault(row.prompt, head)["responses"]
        if row.response_key not in [response["id"] for response in responses]:
            words = [f"s{n}." for n in range(last[row.response_key] + 1)]
            items = [{"kind": "sentence", "text": word} for word in words]
            responses.append({"id": row.response_key, "system": row.system, "text": " ".join(words), "items": items})
    given = [{"response": r.response_key, "item": r.item, "rater": r.rater, "answers": r.answers} for r in ordered]
    load_dataset("jsonl", [lines(folder / "dataset.jsonl", prompts.values())], f"{slug}-data")
    project = create_project(slug, Dataset.objects.get(slug=f"{slug}-data"), article_accuracy(), overlap=1)
    load_ratings(lines(folder / "ratings.jsonl", given), project)
    return project


def worked_example() -> list[Row]:
    """Return the study of fixtures/worked-example, computed by hand in its README."""
    prompts, ratings = (
        [json.loads(line) for line in (WORKED_EXAMPLE / name).read_text().splitlines()]
        for name in ("dataset.jsonl", "ratings.jsonl")
    )
    kinds = {answer["id"]: (prompt, answer["system"]) for prompt in prompts for answer in prompt["responses"]}
    return [
        Row(
            prompt["id"], system, given["rater"], given["answers"], given["item"], given["response"], prompt["metadata"]
        )
        for given in ratings
        for prompt, system in [kinds[given["response"]]]
    ]


def store_rating(
    project: Project, role: str, name: str, answers: dict, *, prompt: str = "q1", rated_at: datetime = NOON
) -> Item:
    """Store a rating in another role of Heron's first sentence."""
    item = Item.objects.get(response__key=f"{prompt}.heron", position=0)
    Rating.objects.create(
        project=project, item=item, rater=person(name), role=role, answers=answers, choices=answers, rated_at=rated_at
    )
    return item


def _distinct(values: Iterable) -> list:
    return list(dict.fromkeys(values))


def report_of(project: Project, *, slow: bool = False, **choices) -> Report:
    """Return the report under the chosen parameters, with 200 resamples unless others are chosen."""
    return build(project, Choices(**{"resamples": 200, **choices}), agreement_intervals=slow)


def documents_of_prompts(project: Project, documents: dict[str, str]) -> Project:
    """Set the documents of prompts, both by id. Return the project."""
    for prompt, key in documents.items():
        document, _ = Document.objects.get_or_create(dataset=project.dataset, key=key)
        Prompt.objects.filter(dataset=project.dataset, key=prompt).update(document=document)
    return project


def two_systems(prompts: int = 120) -> list[Row]:
    """Return ratings of two systems: Heron is accurate on two of three prompts, Plover on every second."""
    return [
        Row(f"q{n:03}", system, rater, ACCURATE if n % every else MILD)
        for n in range(prompts)
        for system, every in (("heron", 3), ("plover", 2))
        for rater in ("ravi", "rosa")
    ]


def opposite_raters(prompts: int = 60) -> list[Row]:
    """Return two raters who are right (every second sentence is accurate), Kim who finds everything accurate, and Bo
    who finds everything inaccurate.
    """
    truth = [ACCURATE if n % 2 else MILD for n in range(prompts)]
    answers = {"ravi": lambda n: truth[n], "rosa": lambda n: truth[n], "kim": lambda n: ACCURATE, "bo": lambda n: MILD}
    return [
        Row(f"q{n:02}", system, rater, answer(n))
        for n in range(prompts)
        for system in ("heron", "plover")
        for rater, answer in answers.items()
    ]


def scored_project(rows: list[Row], slug: str = "june") -> Project:
    """Create a project whose protocol weighs severe inaccuracies 3, other ones and disputed sentences 0.5."""
    project = project_of(rows, slug)
    project.protocol, _ = store_protocol(source())
    project.save()
    return project


def rows_of(answers: dict[str, list[dict]], system: str = "heron") -> list[Row]:
    """Return the ratings of one rater; `answers` has a list for each prompt."""
    return [
        Row(prompt, system, "ravi", answer, n, metadata={"length": "long" if len(given) > 2 else "short"})
        for prompt, given in answers.items()
        for n, answer in enumerate(given)
    ]


STUDY = draw(logits=(1.0, 2.0), documents=5, prompts=15, items=2, raters=4, overlap=3)
SYSTEMS = ("heron", "plover")
TRUTH = draw(
    SDS | {"item": 0.0, "rater": 0.0}, (1.0, 2.0), documents=8, prompts=40, items=3, raters=1, overlap=1, seed=5
)


def ratings_of_accurate_raters() -> list[tuple[int, ...]]:
    """Return the rows of TRUTH, each rated by two or three of three raters, who err now and then."""
    drawn = random.Random(7)
    return [
        ((not hit if drawn.random() < 0.03 else hit), *row, item, rater)
        for hit, *row, item, _ in TRUTH
        for rater in range(2 + item % 4 // 3)
    ]


def study_rows(study: list[tuple[int, ...]] = STUDY, items: int = 2) -> list[Row]:
    return [
        Row(f"q{prompt:02}", SYSTEMS[system], f"rater{rater}", ACCURATE if hit else SEVERE, item % items)
        for hit, system, _, prompt, _, item, rater in study
    ]


def rows_of_accurate_raters() -> list[Row]:
    return study_rows(ratings_of_accurate_raters(), items=3)


MODEL = {"base_url": "http://127.0.0.1:1/v1", "model": "vendor/heron-2", "temperature": 1.0, "samples": 3}


def judge_items(
    project: Project,
    answers: Mapping[tuple[str, int], Mapping[str, str]],
    *,
    name: str = "j",
    judge: Judge | None = None,
    settings: Mapping[str, Any] = MODEL,
    confidence: Mapping[tuple[str, int], float] | None = None,
    votes: Mapping[tuple[str, int], Sequence[Any]] | None = None,
    failed: Sequence[tuple[str, int]] = (),
    fingerprints: Mapping[tuple[str, int], str] | None = None,
) -> Judge:
    """Store verdicts of one run by (key of the response, position of the item), those of `failed` without answers.

    They are those of `judge`, or of one called `name`, which is created.
    """
    judge = judge or create_judge(Judge(name=name, **settings))[0]
    run = JudgeRun.objects.create(judge=judge, project=project)
    keys = [*answers, *failed]
    found = Item.objects.filter(response__dataset=project.dataset, response__key__in={key for key, _ in keys})
    items = {(item.response.key, item.position): item for item in found.select_related("response")}
    ratings = {
        place: Rating(
            project=project, item=items[place], rater=judge.user, role=Rating.Role.JUDGE, answers=dict(given),
            choices=dict(given), comment="as judged", rated_at=timezone.now(),
        )
        for place, given in answers.items()
    }  # fmt: skip
    Rating.objects.bulk_create(ratings.values())
    verdicts = [Verdict(judge=judge, project=project, item=items[place], run=run) for place in keys]
    for place, verdict in zip(keys, verdicts, strict=True):
        verdict.state = Verdict.State.FAILED
        if place in ratings:
            verdict.rating, verdict.state, verdict.cost = ratings[place], Verdict.State.RATED, "0.25"
            verdict.confidence = (confidence or {}).get(place)
            verdict.votes = list((votes or {}).get(place, []))
        verdict.fingerprints = (fingerprints or {}).get(place, "")
    Verdict.objects.bulk_create(verdicts)
    return judge
