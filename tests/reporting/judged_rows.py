"""A judge's answers about the items of a project made from rows of ratings."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone

from annotation.judging.judges import Configuration, create_judge
from annotation.models import Item, Judge, JudgeRun, Project, Rating, Verdict

MODEL = Configuration(base_url="http://127.0.0.1:1/v1", model="vendor/heron-2", temperature=1.0, samples=3)


def judge_items(
    project: Project,
    answers: Mapping[tuple[str, int], Mapping[str, str]],
    *,
    name: str = "j",
    judge: Judge | None = None,
    configuration: Configuration = MODEL,
    confidence: Mapping[tuple[str, int], float] | None = None,
    votes: Mapping[tuple[str, int], Sequence[Any]] | None = None,
    failed: Sequence[tuple[str, int]] = (),
    fingerprints: Mapping[tuple[str, int], str] | None = None,
) -> Judge:
    """Store verdicts of one run by (key of the response, position of the item), those of `failed` without answers.

    They are those of `judge`, or of one called `name`, which is created.
    """
    judge = judge or create_judge(name, configuration)[0]
    run = JudgeRun.objects.create(judge=judge, project=project)
    for key, position in [*answers, *failed]:
        item = Item.objects.get(response__dataset=project.dataset, response__key=key, position=position)
        verdict = Verdict(judge=judge, project=project, item=item, run=run, state=Verdict.State.FAILED)
        if (key, position) in answers:
            given = dict(answers[key, position])
            rating = {"answers": given, "choices": given, "comment": "as judged", "rated_at": timezone.now()}
            verdict.rating = Rating.objects.create(
                project=project, item=item, rater=judge.user, role=Rating.Role.JUDGE, **rating
            )
            verdict.state, verdict.cost = Verdict.State.RATED, "0.25"
            verdict.confidence = (confidence or {}).get((key, position))
            verdict.votes = list((votes or {}).get((key, position), []))
        verdict.fingerprints = (fingerprints or {}).get((key, position), "")
        verdict.save()
    return judge
