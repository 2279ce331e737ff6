"""Studies with a sample, ratings of the drawn sentences, and a judge's answers about all of them."""

import zlib
from collections.abc import Callable

import numpy as np
from django.utils import timezone

from annotation.models import Item, Judge, Project, Rating, SampledItem
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, person, study
from tests.reporting.project_rows import MILD, judge_items

NAMES = ("ravi", "rosa")


def sampled_study(
    *, prompts: int = 20, systems: tuple[str, ...] = ("heron", "tern"), sentences: int = 6, sample: int = 80,
    overlap: int = 1, slug: str = "june",
) -> Project:  # fmt: skip
    """Return a project whose raters are asked about `sample` sentences."""
    return study(slug, prompts=prompts, systems=systems, sentences=sentences, overlap=overlap, sample=sample).project


def items_of(project: Project, *, drawn: bool | None = None) -> list[Item]:
    """Return the items of the sample's frame, or those drawn, by response and position."""
    rows = SampledItem.objects.filter(project=project)
    rows = rows if drawn is None else rows.filter(is_drawn=drawn)
    items = Item.objects.filter(pk__in=rows.values("item")).select_related("response__system", "response__prompt")
    return list(items.order_by("response__key", "position"))


def rate_items(project: Project, items: list[Item], answers: Callable[[Item, int], dict]) -> None:
    """Store the ratings of each item by as many raters as the overlap says."""
    raters = [person(name) for name in NAMES[: project.overlap]]
    Rating.objects.bulk_create(
        Rating(
            project=project, item=item, rater=raters[number], answers=given, choices=given, counted=True,
            rated_at=timezone.now(),
        )
        for item in items
        for number in range(project.overlap)
        for given in [answers(item, number)]
    )  # fmt: skip


def judge_all(project: Project, answers: Callable[[Item], dict | None], **options) -> Judge:
    """Store the judge's answers about all items; None is a failed verdict."""
    given = {(item.response.key, item.position): answers(item) for item in items_of(project)}
    failed = [key for key, each in given.items() if each is None]
    return judge_items(project, {key: each for key, each in given.items() if each}, failed=failed, **options)


def random_study(seed: int, *, overlap: int = 1, slug: str = "june") -> Project:
    """Return a study with unequal probabilities, judge `j`, and sentences that are more alike within a prompt.

    Where people find a severe mistake, the judge does in half of the cases.
    """
    generator = np.random.default_rng(seed)
    project = sampled_study(sample=int(generator.integers(70, 140)), overlap=overlap, slug=slug)
    rows = list(SampledItem.objects.filter(project=project).order_by("pk"))
    for row in rows:
        row.probability = float(generator.uniform(0.2, 0.9))
        row.is_drawn = bool(generator.random() < row.probability)
    SampledItem.objects.bulk_update(rows, ["probability", "is_drawn"])
    items = items_of(project)
    level = {prompt: generator.beta(6, 2) for prompt in sorted({item.response.prompt.key for item in items})}
    truth = {item.pk: generator.random() < level[item.response.prompt.key] for item in items}
    severe = {item.pk: generator.random() < 0.4 for item in items}

    def mistake(item: Item, chance: float) -> dict:
        return SEVERE if severe[item.pk] and generator.random() < chance else MILD

    def human(item: Item, _number: int) -> dict:
        if generator.random() < 0.08:
            return CANNOT_ASSESS
        return ACCURATE if truth[item.pk] == (generator.random() < 0.95) else mistake(item, 0.9)

    def judge(item: Item) -> dict | None:
        if generator.random() < 0.06:
            return None if generator.random() < 0.5 else CANNOT_ASSESS
        return ACCURATE if truth[item.pk] == (generator.random() < 0.85) else mistake(item, 0.5)

    rate_items(project, items_of(project, drawn=True), human)
    judge_all(project, judge)
    return project


def study_with_good_judge(*, sample: int = 80, slug: str = "june") -> Project:
    """Return a study with equal probabilities, all drawn sentences rated, and judge `j`, wrong about few sentences."""
    project = sampled_study(sample=sample, slug=slug)
    number = {item.pk: zlib.crc32(f"{item.response.key}:{item.position}".encode()) for item in items_of(project)}
    rate_items(project, items_of(project, drawn=True), lambda item, _: ACCURATE if number[item.pk] % 4 else MILD)
    judge_all(project, lambda item: MILD if number[item.pk] % 4 == 0 or number[item.pk] % 29 == 1 else ACCURATE)
    return project
