"""A judge's answers about the items of a project made from rows of ratings."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone

from annotation.judging.judges import create_judge
from annotation.models import Item, Judge, JudgeRun, Project, Rating, Verdict

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
