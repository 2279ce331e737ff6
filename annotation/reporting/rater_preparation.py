"""Training, qualification and gold of the raters of a report, for its provenance record."""

from collections.abc import Iterable, Sequence

from ..models import Attempt, Membership, Project, Purpose, User
from ..qualification.gold_comparison import Score, hidden_gold_scores
from .parts import Share
from .provenance_record import Attempts, Preparation, RaterRecord
from .sections.raters.figures import RaterQuality


def read_raters(project: Project, rows: Sequence[RaterQuality]) -> list[RaterRecord]:
    """Return the record of each rater in the report's order. Four queries."""
    ids = {name: user.pk for name, user in User.objects.in_data(row.rater for row in rows).items()}
    attempts = list(Attempt.objects.filter(project=project, rater__in=ids.values()).order_by("number"))
    waived = set(Membership.objects.filter(project=project, let_in_at__isnull=False).values_list("user", flat=True))
    hidden = hidden_gold_scores(project)
    return [_rater(row, ids.get(row.rater), attempts, waived, hidden) for row in rows]


def _rater(
    row: RaterQuality, pk: int | None, attempts: list[Attempt], waived: set[int], hidden: dict[int, Score]
) -> RaterRecord:
    own = [attempt for attempt in attempts if attempt.rater_id == pk]
    score = hidden.get(pk) if pk else None
    return RaterRecord(
        rater=row.rater,
        ratings=row.ratings,
        training=_attempts(own, Purpose.TRAINING),
        qualification=_attempts(own, Purpose.QUALIFICATION),
        waived=pk in waived,
        gold=Share(row.gold.value, row.gold.k, row.gold.n) if row.gold else None,
        hidden_gold=_share(score.right, score.items) if score else None,
    )


def _attempts(attempts: list[Attempt], purpose: str) -> Attempts | None:
    """Return the attempts at the training or the qualification, with the result of the last that ended."""
    own = [attempt for attempt in attempts if attempt.purpose == purpose]
    if not own:
        return None
    last = next((attempt for attempt in reversed(own) if attempt.ended_at), None)
    right, items = (last.right, last.items) if last else (0, 0)
    return Attempts(len(own), any(attempt.passed for attempt in own), right, items)


def read_preparation(project: Project, raters: Sequence[RaterRecord]) -> Preparation:
    """Return what the project requires of its raters, and how those of the report did together."""
    training, qualification = (
        project.sheets.filter(purpose=purpose).count() for purpose in (Purpose.TRAINING, Purpose.QUALIFICATION)
    )
    trainings = [rater.training for rater in raters if rater.training]
    qualifications = [rater.qualification for rater in raters if rater.qualification]
    return Preparation(
        training_responses=training,
        qualification_responses=qualification,
        pass_mark=project.pass_mark,
        tries=project.tries,
        trained=sum(attempts.passed for attempts in trainings),
        passed=sum(attempts.passed for attempts in qualifications),
        waived=sum(rater.waived for rater in raters),
        hidden_gold_every=project.gold_every,
        training=_pooled((attempts.right, attempts.items) for attempts in trainings),
        qualification=_pooled((attempts.right, attempts.items) for attempts in qualifications),
        gold=_pooled((rater.gold.k, rater.gold.n) for rater in raters if rater.gold),
        hidden_gold=_pooled((rater.hidden_gold.k, rater.hidden_gold.n) for rater in raters if rater.hidden_gold),
    )


def _pooled(counts: Iterable[tuple[int, int]]) -> Share | None:
    pairs = list(counts)
    return _share(sum(k for k, _ in pairs), sum(n for _, n in pairs))


def _share(k: int, n: int) -> Share | None:
    return Share(k / n, k, n) if n else None
