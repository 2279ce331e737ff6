"""Delete a project or a data set with everything that depends on it, in one transaction.

Plain SQL, table by table, dependent rows first, because deleting objects would take hours for a million ratings. The
audit events and the append-only history of the ratings stay; the history records each deletion. They contain no
document, prompt or response, and no code may delete their rows. A data set that a project uses cannot be deleted.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import connection, transaction
from django.db.models import Sum

from .. import jobs
from ..audit import record
from ..jobs import Progress, Refused
from ..models import DataChange, Dataset, Export, Item, Job, Project, ReportLink, Tally, User
from ..models.data_changes import DATASET, PROJECT
from .archiving import archive

DELETE_PROJECT, DELETE_DATASET = "delete_project", "delete_dataset"


class InUse(ValueError):
    """Other rows use the row to delete; the message names them."""


@transaction.atomic
def project_deletion(project: Project, *, actor: User) -> Job:
    """Archive the project, and return the job that deletes it. The caller enqueues it."""
    archive(project, actor=actor)
    return _deletion(DELETE_PROJECT, project, actor)


def dataset_deletion(dataset: Dataset, *, actor: User) -> Job:
    """Return the job that deletes the data set. The caller enqueues it."""
    return _deletion(DELETE_DATASET, dataset, actor)


def _deletion(kind: str, row: Project | Dataset, actor: User) -> Job:
    params = {"slug": row.slug, "id": row.pk, "title": row.title}
    return jobs.create(kind, params=params, actor=actor)


@dataclass(frozen=True)
class ProjectContents:
    """Counts of the rows to delete with a project."""

    responses: int
    finished: int
    people: int
    ratings: dict[str, int]
    reports: int
    links: int
    exports: int
    plans: int
    members: int

    @property
    def all_ratings(self) -> int:
        return sum(self.ratings.values())


def contents_of_project(project: Project) -> ProjectContents:
    """Count the rows to delete with the project, from the tally and other small tables."""
    tally = Tally.objects.filter(project=project).values_list("role").annotate(n=Sum("n"))
    finished = project.assignments.filter(finished_at__isnull=False)
    return ProjectContents(
        responses=project.sheets.count(),
        finished=finished.count(),
        people=finished.values("rater").distinct().count(),
        ratings={role: n for role, n in tally if n},
        reports=project.reports.count(),
        links=ReportLink.objects.filter(report__project=project, revoked_at=None).count(),
        exports=project.exports.count(),
        plans=project.analysis_plans.count(),
        members=project.memberships.count(),
    )


@dataclass(frozen=True)
class DatasetContents:
    """Counts of the rows to delete with a data set, and the projects that use it."""

    documents: int
    prompts: int
    responses: int
    systems: int
    items: int
    projects: list[Project]


def contents_of_dataset(dataset: Dataset) -> DatasetContents:
    """Count the rows to delete with the data set. Six queries."""
    return DatasetContents(
        documents=dataset.documents.count(),
        prompts=dataset.prompts.count(),
        responses=dataset.responses.count(),
        systems=dataset.systems.count(),
        items=Item.objects.filter(response__dataset=dataset).count(),
        projects=list(dataset.projects.order_by("title")),
    )


_OF_PROJECT = [
    ("notifications", "DELETE FROM annotation_notification WHERE project_id = %s"),
    ("questions to the leads", "DELETE FROM annotation_raterquestion WHERE project_id = %s"),
    (
        "flags",
        "DELETE FROM annotation_bookmark USING annotation_assignment a"
        " WHERE a.id = assignment_id AND a.project_id = %s",
    ),
    ("Fact-QA scores", "DELETE FROM annotation_factscore WHERE project_id = %s"),
    ("verdicts of judges", "DELETE FROM annotation_verdict WHERE project_id = %s"),
    (
        "requests of judges",
        "DELETE FROM annotation_judgecall USING annotation_judgerun r WHERE r.id = run_id AND r.project_id = %s",
    ),
    ("runs of judges", "DELETE FROM annotation_judgerun WHERE project_id = %s"),
    ("sample", "DELETE FROM annotation_sampleditem WHERE project_id = %s"),
    ("ratings", "DELETE FROM annotation_rating WHERE project_id = %s"),
    ("counts", "DELETE FROM annotation_tally WHERE project_id = %s"),
    (
        "slots",
        "DELETE FROM annotation_slot WHERE sheet_id IN (SELECT id FROM annotation_sheet WHERE project_id = %s)",
    ),
    ("reservations", "DELETE FROM annotation_reservation WHERE project_id = %s"),
    ("replies", "DELETE FROM annotation_reply WHERE project_id = %s"),
    ("exclusions", "DELETE FROM annotation_exclusion WHERE project_id = %s"),
    ("assignments", "DELETE FROM annotation_assignment WHERE project_id = %s"),
    ("sheets", "DELETE FROM annotation_sheet WHERE project_id = %s"),
]
_OF_DATASET = [
    (
        "scores of metrics",
        "DELETE FROM annotation_metricscore USING annotation_response r WHERE r.id = response_id AND r.dataset_id = %s",
    ),
    (
        "records of shown verdicts",
        "DELETE FROM annotation_verdictsshown USING annotation_response r"
        " WHERE r.id = response_id AND r.dataset_id = %s",
    ),
    (
        "tuning items of judges",
        "DELETE FROM annotation_tuningitem USING annotation_item i JOIN annotation_response r ON r.id = i.response_id"
        " WHERE i.id = item_id AND r.dataset_id = %s",
    ),
    (
        "results of generators",
        "DELETE FROM annotation_generationresult USING annotation_generator g"
        " WHERE g.id = generator_id AND g.dataset_id = %s",
    ),
    (
        "requests of generators",
        "DELETE FROM annotation_generationcall USING annotation_generationrun r JOIN annotation_generator g"
        " ON g.id = r.generator_id WHERE r.id = run_id AND g.dataset_id = %s",
    ),
    (
        "items",
        "DELETE FROM annotation_item USING annotation_response r WHERE r.id = response_id AND r.dataset_id = %s",
    ),
    ("responses", "DELETE FROM annotation_response WHERE dataset_id = %s"),
    ("prompts", "DELETE FROM annotation_prompt WHERE dataset_id = %s"),
    ("documents", "DELETE FROM annotation_document WHERE dataset_id = %s"),
    ("systems", "DELETE FROM annotation_system WHERE dataset_id = %s"),
]


@transaction.atomic
def delete_project(project: Project, *, actor: User | None = None, progress: Progress | None = None) -> dict[str, Any]:
    """Delete the project with everything that depends on it. Return the counts."""
    Project.objects.select_for_update().get(pk=project.pk)
    counts = _as_counts(contents_of_project(project))
    files = [(export.file.storage, str(export.file.name)) for export in Export.objects.filter(project=project)]
    _run(_OF_PROJECT, project.pk, progress)
    slug = project.slug
    Job.objects.filter(project=project).delete()
    _delete_changes(PROJECT, project.pk)
    project.delete()
    record(actor, "delete project", f"project:{slug}", before=counts)
    for storage, name in files:
        transaction.on_commit(partial(storage.delete, name))
    return counts


@transaction.atomic
def delete_dataset(dataset: Dataset, *, actor: User | None = None, progress: Progress | None = None) -> dict[str, Any]:
    """Delete a data set that no project uses. Return the counts. Raises InUse."""
    Dataset.objects.select_for_update().get(pk=dataset.pk)
    contents = contents_of_dataset(dataset)
    if contents.projects:
        raise InUse(f"still used by {', '.join(project.title for project in contents.projects)}")
    counts = _as_counts(contents)
    _run(_OF_DATASET, dataset.pk, progress)
    slug = dataset.slug
    _delete_changes(DATASET, dataset.pk)
    dataset.delete()
    record(actor, "delete dataset", f"dataset:{slug}", before=counts)
    return counts


def _delete_changes(kind: str, pk: int) -> None:
    """Delete the recorded changes of a project or data set: nothing will be computed from its data."""
    DataChange.objects.filter(scope=f"{kind}{pk}").delete()


def _as_counts(contents: ProjectContents | DatasetContents) -> dict[str, Any]:
    return {name: value for name, value in vars(contents).items() if name != "projects"}


def _run(statements: list[tuple[str, str]], pk: int, progress: Progress | None) -> None:
    with connection.cursor() as cursor:
        for number, (rows, sql) in enumerate(statements):
            if progress:
                progress(number, len(statements), f"deleting {rows}")
            cursor.execute(sql, [pk])


def delete_project_job(job: Job, progress: Progress) -> dict[str, Any]:
    """Run a job of kind `delete_project`. A project that is gone was deleted by an earlier run."""
    project = Project.objects.filter(slug=job.params["slug"], pk=job.params["id"]).first()
    return delete_project(project, actor=job.started_by, progress=progress) if project else {}


def delete_dataset_job(job: Job, progress: Progress) -> dict[str, Any]:
    """Run a job of kind `delete_dataset`. Raises Refused if a project uses the data set meanwhile."""
    dataset = Dataset.objects.filter(slug=job.params["slug"], pk=job.params["id"]).first()
    try:
        return delete_dataset(dataset, actor=job.started_by, progress=progress) if dataset else {}
    except InUse as in_use:
        raise Refused([f"The data set {dataset} is {in_use}."]) from None
