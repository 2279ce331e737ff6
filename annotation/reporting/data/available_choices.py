"""The choices that a project's data allow, and unrated parts of the data set."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q

from ...models import Project, Prompt, Response, Sheet, System
from ...rating.counting import counted_tallies
from .responses import FEWER_DOCUMENTS
from .table import RatingTable


def shared_documents(table: RatingTable) -> int | None:
    """Return the number of documents, for a report's `data`; None if there are about as many as prompts."""
    documents = {document for document in table.responses.documents if document is not None}
    units = len(documents) + prompts_without_document(table)
    are_few = bool(documents) and units < FEWER_DOCUMENTS * len(table.responses.prompts)
    return len(documents) if are_few else None


def prompts_without_document(table: RatingTable) -> int:
    """Return the number of prompts without a document: with documents as the unit, each is a unit of its own."""
    return table.responses.documents.count(None)


@dataclass(frozen=True)
class Unrated:
    """The parts of a data set without ratings that count: names of systems, numbers of responses and prompts.

    Responses that leads excluded are not among the responses.
    """

    systems: list[str]
    responses: int
    prompts: int


def unrated_parts(project: Project) -> Unrated:
    """Return the unrated parts of the data set. Three queries.

    They are not in a report, which describes the ratings and is the same wherever these ratings are.
    """
    counted = counted_tallies(project)
    others = counted.filter(against__isnull=False)
    rated = Response.objects.filter(Q(pk__in=counted.values("response")) | Q(pk__in=others.values("against")))
    unrated_systems = System.objects.filter(dataset=project.dataset_id).exclude(pk__in=rated.values("system"))
    on_sheet = Q(response=OuterRef("pk")) | Q(against=OuterRef("pk"))
    sheets = Sheet.objects.filter(on_sheet, project=project)
    is_excluded = Exists(sheets) & ~Exists(sheets.filter(exclusion=None))
    return Unrated(
        systems=list(unrated_systems.order_by("name").values_list("name", flat=True)),
        responses=Response.objects.filter(~is_excluded, dataset=project.dataset_id).exclude(pk__in=rated).count(),
        prompts=Prompt.objects.filter(dataset=project.dataset_id).exclude(pk__in=rated.values("prompt")).count(),
    )
