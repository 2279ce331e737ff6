"""Ratings with every unusual value, in a project that a test can copy, and their export."""

from datetime import UTC, datetime
from pathlib import Path

from annotation.exporting import RatingsExport
from annotation.importing import load_dataset, load_responses
from annotation.models import Dataset, Item, Project, Rating
from annotation.projects.create import create_project
from annotation.rating.bulk_storage import NewRating, store_ratings
from tests.cast import ACCURATE, SEVERE, article_accuracy, person

FIXTURES = Path(__file__).parents[2] / "fixtures"
ODD_TEXTS = [
    "", '=HYPERLINK("http://evil.example")', "'=1+1", "''-1", "'quoted'", "+1", "@SUM(A1)", "-2 is what it says",
    "\tTab first", "\rCR first", "\n\nlines\r\nof\rall\nkinds\u2028and\u2029more", 'commas, "quotes" and "',
    "emoji 🐝 and right-to-left \u202e text", " spaces at both ends ", "\ufeffa byte order mark", "NULL", "null",
    "\uff1dfull width",
]  # fmt: skip
ODD_EVIDENCE = [
    [], ["p1"], ['a\n"b"', "=1"], [{"paragraph": "p3", "start": 0, "end": 1.5, "text": "Zürich"}],
    [[None, True, 1e-7]],
]  # fmt: skip
ODD_SECONDS = [None, 0.0, 0.1 + 0.2, 1e-9, 12345678.000000001, 3.0]


def copy_of(slug: str) -> Project:
    """Create a project with its own data set, without ratings."""
    load_dataset("jsonl", [FIXTURES / "jsonl" / "dataset.jsonl"], f"{slug}-data")
    dataset = Dataset.objects.get(slug=f"{slug}-data")
    load_responses(FIXTURES / "responses" / "responses.jsonl", dataset)
    return create_project(slug, dataset, article_accuracy(), overlap=2)


def store_unusual_ratings(project: Project) -> int:
    """Store ratings of every item by four raters in all roles, with every unusual value."""
    raters = [person(name) for name in ("ravi", "rosa", "Zoë", "-ines@home")]
    items = list(Item.objects.filter(response__dataset=project.dataset, rate=True).order_by("pk"))
    ratings = []
    for n, (item, rater) in enumerate((item, rater) for item in items for rater in raters):
        ratings.append(
            NewRating(
                item,
                rater,
                SEVERE if n % 3 else ACCURATE,
                role=Rating.Role.values[n % 4] if n % 7 == 0 else "rater",
                comment=ODD_TEXTS[n % len(ODD_TEXTS)],
                evidence=ODD_EVIDENCE[n % len(ODD_EVIDENCE)],
                verdict_shown=n % 4 == 1,
                seconds=ODD_SECONDS[n % len(ODD_SECONDS)],
                rated_at=datetime(2026, 1, 2, 3, 4, 5, n * 7919 % 1_000_000 if n % 5 else 0, tzinfo=UTC),
            )
        )
    return store_ratings(project, ratings).new


def exported(project: Project, format: str, **options: bool) -> bytes:
    return b"".join(RatingsExport(project, format, **options))
