"""Compute the provenance record of a report when it is frozen: dates, raters, items and responses, analysis plan."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version

import numpy as np
from django.db.models import Count, Exists, Max, Min, OuterRef
from msgspec import structs, to_builtins

from ..models import AnalysisPlanVersion, Attempt, Item, Membership, Project, Purpose, Rating, Response, User
from ..qualification.gold_comparison import hidden_gold_scores
from ..rating.counting import counted_ratings
from ..site.database_transactions import one_snapshot
from .choices import Choices
from .data.study import read_study
from .parts import Share
from .provenance_record import (
    SCHEMA,
    Attempts,
    Blinding,
    Lengths,
    PlanCheck,
    PlanRecord,
    Preparation,
    Provenance,
    RaterRecord,
    SystemLengths,
)
from .report import Report
from .sections.analysis_plan.deviations import deviations, family_tests, unplanned_measures
from .sections.raters.figures import RaterQuality


def provenance_of(project: Project, report: Report) -> Provenance:
    with one_snapshot():
        ratings, unit = counted_ratings(project).order_by(), project.protocol.definition.unit
        if report.filters:
            choices, _ = Choices.from_mapping(to_builtins(report.filters))
            rating_ids = read_study(project, choices).by_raters.rating_id.tolist()
            ratings = Rating.objects.filter(pk__in=rating_ids).order_by()
        times = ratings.aggregate(first=Min("rated_at"), last=Max("rated_at"))
        rated = list(ratings.values_list("item", "item__response", "item__against", "item__splitter").distinct())
        items_of_response = Counter(pk for _, *pair, _ in rated for pk in pair if pk)
        by_guidelines = dict(ratings.values_list("guidelines").annotate(n=Count("pk")).order_by("guidelines"))
        not_rated = Item.objects.filter(response__in=list(items_of_response), unit=unit, rate=False, retired_at=None)
        marked = Item.objects.filter(pk__in=[item for item, *_ in rated]).exclude(claim_free="").order_by()
        by_claim_free = dict(marked.values_list("claim_free").annotate(n=Count("pk")))
        # The responses of the report's systems without an item to rate, which no lead has excluded
        to_rate = Item.objects.filter(response=OuterRef("response"), unit=unit, rate=True, retired_at=None)
        nothing_to_rate = project.sheets.filter(
            ~Exists(to_rate),
            against=None,
            exclusion=None,
            response__system__name__in=[c.system for c in report.systems],
        ).order_by("response__system__name")
        raters = _raters(project, report.raters or [])
        return Provenance(
            schema=SCHEMA,
            project=project.slug,
            title=project.title,
            dataset=project.dataset.title,
            software=report.software.factuary,
            scipy=version("scipy"),
            first_rating=_time(times["first"]),
            last_rating=_time(times["last"]),
            ratings=report.data.ratings,
            raters=raters,
            preparation=_preparation(project, raters),
            blinding=Blinding(
                suggestions=project.suggestions,
                reference_shown=project.protocol.definition.shows_reference,
                imported=ratings.filter(assignment=None).count(),
            ),
            overlap=project.overlap,
            splitters=dict(sorted(Counter(splitter for *_, splitter in rated).items())),
            not_rated=dict(not_rated.order_by("kind").values_list("kind").annotate(n=Count("pk"))),
            nothing_to_rate=dict(nothing_to_rate.values_list("response__system__name").annotate(n=Count("pk"))),
            marked_claim_free={
                str(reason): by_claim_free[reason] for reason in Item.ClaimFree.values if reason in by_claim_free
            },
            lengths=_lengths(items_of_response),
            guidelines={"" if number is None else str(number): n for number, n in by_guidelines.items()},
            target=project.target_half_width,
            plan=_plan(project, report, times["first"]),
        )


def _lengths(items_of_response: Counter[int]) -> list[SystemLengths]:
    responses = Response.objects.filter(pk__in=list(items_of_response)).order_by("pk")
    by_system: dict[str, list[tuple[int, int]]] = {}
    for pk, system, text in responses.values_list("pk", "system__name", "text").iterator():
        by_system.setdefault(system, []).append((items_of_response[pk], len(text.split())))
    rows = []
    for system, lengths in sorted(by_system.items()):
        distributions = []
        for values in zip(*lengths, strict=True):
            mean = float(np.mean(values))
            cv2 = float(np.var(values, ddof=1)) / mean**2 if len(values) > 1 and mean else None
            distributions.append(Lengths(mean, float(np.median(values)), cv2))
        rows.append(SystemLengths(system, len(lengths), *distributions))
    return rows


def _raters(project: Project, rows: Sequence[RaterQuality]) -> list[RaterRecord]:
    """Return the record of each rater in the report's order. Four queries."""
    ids = {name: user.pk for name, user in User.objects.in_data(row.rater for row in rows).items()}
    attempts = list(Attempt.objects.filter(project=project, rater__in=ids.values()).order_by("number"))
    waived = set(Membership.objects.filter(project=project, let_in_at__isnull=False).values_list("user", flat=True))
    hidden_gold = hidden_gold_scores(project)
    records = []
    for row in rows:
        pk = ids.get(row.rater)
        own = [attempt for attempt in attempts if attempt.rater_id == pk]
        score = hidden_gold.get(pk) if pk else None
        records.append(
            RaterRecord(
                rater=row.rater,
                ratings=row.ratings,
                training=_attempts(own, Purpose.TRAINING),
                qualification=_attempts(own, Purpose.QUALIFICATION),
                waived=pk in waived,
                gold=Share(row.gold.value, row.gold.k, row.gold.n) if row.gold else None,
                hidden_gold=_pooled([(score.right, score.items)]) if score else None,
            )
        )
    return records


def _attempts(attempts: list[Attempt], purpose: str) -> Attempts | None:
    own = [attempt for attempt in attempts if attempt.purpose == purpose]
    if not own:
        return None
    last = next((attempt for attempt in reversed(own) if attempt.ended_at), None)
    right, items = (last.right, last.items) if last else (0, 0)
    return Attempts(len(own), any(attempt.passed for attempt in own), right, items)


def _preparation(project: Project, raters: Sequence[RaterRecord]) -> Preparation:
    trainings = [rater.training for rater in raters if rater.training]
    qualifications = [rater.qualification for rater in raters if rater.qualification]
    return Preparation(
        training_responses=project.sheets.filter(purpose=Purpose.TRAINING).count(),
        qualification_responses=project.sheets.filter(purpose=Purpose.QUALIFICATION).count(),
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
    """Return the share of all pairs k, n together; None where all n are 0."""
    pairs = list(counts)
    k, n = sum(k for k, _ in pairs), sum(n for _, n in pairs)
    return Share(k / n, k, n) if n else None


def _plan(project: Project, report: Report, first_rating: datetime | None) -> PlanRecord | None:
    """Compare the report with the newest version of the plan, and with the last one before the first rating."""
    versions = list(AnalysisPlanVersion.objects.filter(project=project).order_by("-number"))
    if not versions:
        return None
    # Imported ratings have times of their own: a version must be older than these, too.
    checks = [
        PlanCheck(
            version=each.number,
            sha256=each.sha256,
            stored_at=str(_time(each.created_at)),
            before_first_rating=each.before_first_rating and (first_rating is None or each.created_at <= first_rating),
            deviations=deviations(each.definition, report),
        )
        for each in versions
    ]
    plan, earlier = versions[0].definition, next((check for check in checks if check.before_first_rating), None)
    tests, size = family_tests(plan, report)
    return PlanRecord(
        **structs.asdict(checks[0]),
        earlier=earlier if earlier is not checks[0] else None,
        family=plan.family,
        family_size=size,
        tests=tests,
        unplanned=unplanned_measures(plan, report),
    )


def _time(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).isoformat(timespec="seconds") if moment else None
