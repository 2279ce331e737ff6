"""What the tests of bundles share: studies, their bundles in a folder, runs of recompute.py, and rebuilt reports."""

import csv
import io
import json
import runpy
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from datetime import datetime, timedelta
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from django.db import connection, transaction
from django.utils import timezone

from annotation.exporting.bundle import Bundle
from annotation.exporting.bundle_import import BundleFiles
from annotation.exporting.rebuilding import Rebuilt, rebuild
from annotation.importing import load_dataset, load_ratings
from annotation.judging.judges import find_judge
from annotation.judging.tuning import record_tuning
from annotation.models import Dataset, Document, Item, Project, Prompt, Rating, Report, User, Verdict
from annotation.projects.create import create_project
from annotation.reporting import Choices, freeze
from tests.cast import ACCURATE, SEVERE, article_accuracy, person
from tests.reporting.fact_projects import HERE, facts_project
from tests.reporting.project_rows import WORKED_EXAMPLE, Row
from tests.reporting.sampled_studies import random_study

FEW = Choices(resamples=100)


class Done(NamedTuple):
    """How recompute.py ended, and what it printed."""

    returncode: int
    stdout: str


@contextmanager
def without_figures() -> Iterator[None]:
    """Leave figures out of reports and bundles: drawing takes most of the time, and no program reads them."""
    drawing = patch.object(import_module("annotation.reporting.freeze"), "figures", lambda report, protocol: {})
    with drawing, patch.object(Bundle, "_figures", lambda bundle: iter(())):
        yield


def frozen(project: Project, choices: Choices = FEW, *, figures: bool = False) -> Report:
    with nullcontext() if figures else without_figures():
        return freeze(project, choices)


def unpacked(report: Report, folder: Path, *, figures: bool = False, tables: bool = True, **options: bool) -> Path:
    """Return the folder of the bundle of `report`; the zip is beside it. recompute.py reads no figures and tables."""
    without_tables = nullcontext() if tables else patch.object(Bundle, "_tables", lambda bundle: iter(()))
    with without_tables, nullcontext() if figures else without_figures():
        folder.mkdir(exist_ok=True)
        (folder / "bundle.zip").write_bytes(b"".join(Bundle(report, **options)))
    with zipfile.ZipFile(folder / "bundle.zip") as archive:
        archive.extractall(folder)
        inside = folder / archive.namelist()[0].split("/")[0]
    described = [(line["file"], line["column"]) for line in read_table(inside / "codebook.csv") if not line["value"]]
    for path in {*inside.glob("*.csv")} - {inside / "codebook.csv"}:
        with open(path, newline="", encoding="utf-8") as file:
            head = next(csv.reader(file))
        assert [column for name, column in described if name == path.name] == head, "the codebook has every column"
    return inside


def program(folder: Path) -> SimpleNamespace:
    """Return the functions of recompute.py of a bundle."""
    return SimpleNamespace(**runpy.run_path(str(folder / "recompute.py")))


def run(folder: Path) -> Done:
    """Run recompute.py of a bundle in this process."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        code = program(folder).main(folder)
    return Done(code, printed.getvalue())


def assert_nothing_differs(folder: Path) -> str:
    """Run recompute.py of a bundle, and return what it prints."""
    done = run(folder)
    assert (done.returncode, " 0 differ." in done.stdout) == (0, True), done.stdout
    return done.stdout


def run_with(folder: Path, report: dict[str, Any]) -> str:
    """Return what recompute.py prints of a changed report. The file is as before afterwards."""
    path = folder / "report.json"
    before = path.read_bytes()
    path.write_text(json.dumps(report), encoding="utf-8")
    try:
        return run(folder).stdout
    finally:
        path.write_bytes(before)


@contextmanager
def emptied_database() -> Iterator[None]:
    """Have no rows until the end of the context, and the rights of the tables' owner."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; RESET ROLE")
        tables = ", ".join(name for name in connection.introspection.table_names() if name.startswith("annotation_"))
        cursor.execute(f"TRUNCATE {tables} CASCADE")
        yield
        transaction.set_rollback(True)


def rebuilt(path: Path) -> Rebuilt:
    """Build the report of a bundle again, without the rows that it was made from."""
    files = BundleFiles(path)
    with emptied_database():
        return rebuild(files)


def read_report(folder: Path) -> Any:
    return json.loads((folder / "report.json").read_text(encoding="utf-8"))


def read_table(path: Path) -> list[dict[str, str]]:
    return csv_rows(path.read_bytes().decode())


def csv_rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def many_prompts(prompts: int = 60) -> list[Row]:
    """Return prompts of two systems, rated by three raters: 60 are enough for a bootstrap in some cells, not in all."""
    rows = []
    for n in range(prompts):
        metadata = {"kind": ["long", "hard"] if n % 3 else "short", "rater": "x" if n % 2 else "=y"}
        for index, system in enumerate(("=heron", "tern")):
            for rater in ("ravi", "rosa", "tom")[: 2 + n % 2]:
                for item in range(3):
                    answers = SEVERE if (n * 7 + item * 3 + index + len(rater)) % 5 == 0 else ACCURATE
                    answers = {"accuracy": "cannot_assess"} if (n + item) % 11 == 0 else answers
                    rows.append(Row(f"q{n:02}", system, rater, answers, item, metadata=metadata))
    return rows


def named_like_tables() -> list[Row]:
    """Return metadata whose names are those of other tables, with and without the prefix that tells them apart."""
    return [
        Row(f"q{n:02}", system, rater, SEVERE if (n + len(rater)) % 4 == 0 else ACCURATE,
            metadata={"systems": f"s{n % 2}", "overall": "o", "by overall": f"b{n % 3}"})
        for n in range(12) for system in ("heron", "tern") for rater in ("ravi", "rosa")
    ]  # fmt: skip


def decide(project: Project) -> None:
    """Store times, two adjudications of every fifth item, gold answers that only Ravi always gives, and documents."""
    ratings = list(Rating.objects.filter(project=project).select_related("rater").order_by("pk"))
    for n, rating in enumerate(ratings):
        rating.seconds = [None, 2.0, 3.0, 5.0][n % 4]
    Rating.objects.bulk_update(ratings, ["seconds"])
    answers = {(rating.item_id, rating.rater.username): rating.answers for rating in ratings}
    lead, other, now, more = person("lena"), person("ines"), timezone.now(), []
    for n, item in enumerate(Item.objects.filter(response__dataset=project.dataset).order_by("pk")):
        ravis, rosa = (answers[item.pk, name] for name in ("ravi", "rosa"))
        if n % 5 == 0:
            more.append(new_rating(project, item, lead, "adjudicator", SEVERE, now))
            more.append(new_rating(project, item, other, "adjudicator", ACCURATE, now + timedelta(seconds=n - 101)))
        if n % 3 == 0:
            gold = ravis if ravis != rosa or n % 2 else {"accuracy": "disputed", "severity": "severe"}
            more.append(new_rating(project, item, lead, "gold", gold, now))
    Rating.objects.bulk_create(more)
    documents = [Document.objects.create(dataset=project.dataset, key=f"d{n}", title="") for n in range(14)]
    for n, prompt in enumerate(Prompt.objects.filter(dataset=project.dataset).order_by("key")):
        Prompt.objects.filter(pk=prompt.pk).update(document=documents[n % 14] if n % 10 else None)


def new_rating(project: Project, item: Item, user: User, role: str, answers: Any, when: datetime) -> Rating:
    return Rating(project=project, item=item, rater=user, role=role, answers=answers, choices=answers, rated_at=when)


def copy_of_the_study(slug: str, *, rated: bool = False) -> Project:
    """Return a project of the worked example's files, with its ratings if `rated`."""
    load_dataset("jsonl", [WORKED_EXAMPLE / "dataset.jsonl"], f"{slug}-data")
    project = create_project(slug, Dataset.objects.get(slug=f"{slug}-data"), article_accuracy(), overlap=3)
    if rated:
        load_ratings(WORKED_EXAMPLE / "ratings.jsonl", project)
    return project


def facts_report() -> Report:
    project: Project = facts_project()
    load_ratings(HERE / "fact-ratings.jsonl", project)
    return frozen(project)


def counts_of(count: int, seed: int = 5) -> dict[str, Any]:
    """Return random numbers of facts by response; every tenth response has failed, one has no facts."""
    chance, counts = np.random.default_rng(seed), dict[str, Any]()
    for number in range(count):
        totals = chance.integers(1, 6, 2)
        pairs = tuple((int(chance.integers(0, total + 1)), int(total)) for total in totals)
        counts[f"r{number:03}"] = None if number % 10 == 9 else pairs
    counts["r004"] = ((0, 0), (1, 2))
    return counts


def judged_study(seed: int, slug: str) -> Project:
    """Return a study with confidences, 7 ratings given after verdicts, and items that tuned the prompt of judge j."""
    project = random_study(seed, overlap=2, slug=slug)
    for verdict in Verdict.objects.filter(project=project, state=Verdict.State.RATED):
        verdict.confidence = (verdict.rating_id * 37 % 100) / 100
        verdict.save(update_fields=["confidence"])
    rated = list(Rating.objects.filter(project=project, role="rater").order_by("pk"))
    Rating.objects.filter(pk__in=[rating.pk for rating in rated[:7]]).update(verdict_shown=True)
    record_tuning(find_judge("j"), [rating.item_id for rating in rated[-4:]])
    return project


def drawn_where_uncertain(project: Project) -> Project:
    """Return the project with a sample that was drawn more often where the judge was unsure."""
    judge = find_judge("j@1")
    Project.objects.filter(pk=project.pk).update(sampling_design="uncertain", sampling_judge=judge)
    return Project.objects.get(pk=project.pk)
