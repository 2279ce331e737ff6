"""Setting up a project: its sheets and places, and the people in it.

The order of the work is random and fixed by the project's seed: documents are shuffled, and sheets within each
document, so that a long article's responses lie together. The same seed gives the same order on every machine, because
it is computed from imported ids, not from database ids.
"""

import hashlib
from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import transaction

from ..audit import record
from ..models import Dataset, Item, Membership, Place, Project, ProtocolVersion, Response, Sheet, User

RESERVED = "new"  # /projects/new/ is a page


class ProjectError(ValueError):
    """The project cannot be made as asked; the message says why and what to do."""


@transaction.atomic
def create_project(
    slug: str,
    dataset: Dataset,
    protocol: ProtocolVersion,
    *,
    title: str = "",
    overlap: int = 1,
    seed: int = 1,
    actor: User | None = None,
) -> Project:
    """Make a project over all responses of `dataset`, each with `overlap` places. Raises ProjectError."""
    project = Project(
        slug=slug,
        title=title or slug,
        dataset=dataset,
        protocol=protocol,
        overlap=overlap,
        seed=seed,
        created_by=actor,
    )
    _check(project)
    project.save(force_insert=True)
    sheets = add_responses(project)
    record(
        actor,
        "create project",
        f"project:{slug}",
        project=project,
        after={
            "dataset": dataset.slug,
            "protocol": f"{protocol.slug} {protocol.version}",
            "overlap": overlap,
            "seed": seed,
            "sheets": sheets,
        },
    )
    return project


def _check(project: Project) -> None:
    try:
        validate_slug(project.slug)
    except ValidationError:
        raise ProjectError(
            f"project name {project.slug!r}: use letters, digits, hyphens and underscores only"
        ) from None
    if project.slug == RESERVED:
        raise ProjectError(f"project name {project.slug!r} is taken by an address of the site: choose another name")
    if Project.objects.filter(slug=project.slug).exists():
        raise ProjectError(f"there is already a project {project.slug!r}: choose another name")
    if not 1 <= project.overlap <= 100:
        raise ProjectError(f"overlap {project.overlap}: choose a number from 1 to 100")


@transaction.atomic
def add_responses(project: Project) -> int:
    """Make sheets for the data set's responses that the project does not have yet. Returns how many were added.

    A response with nothing to rate gets a sheet without places: it is skipped in the queue, and counted.
    """
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)  # raters' work goes on meanwhile
    responses = list(
        Response.objects.filter(dataset=project.dataset)
        .exclude(sheets__project=project)
        .select_related("prompt__document")
        .only("key", "prompt__key", "prompt__document__key")
    )
    ranks = _ranks(project.seed, responses)
    sheets = Sheet.objects.bulk_create(
        [Sheet(project=project, response=r, document=r.prompt.document, rank=ranks[r.pk]) for r in responses],
        batch_size=2000,
    )
    _add_places(project, sheets)
    return len(sheets)


def _ranks(seed: int, responses: Iterable[Response]) -> dict[int, int]:
    """Sort keys of 62 bits: 31 of the document's (or prompt's) place in the shuffle, 31 of the response's."""
    ranks = {}
    for response in responses:
        document = response.prompt.document
        group = f"document:{document.key}" if document else f"prompt:{response.prompt.key}"
        ranks[response.pk] = _shuffle(seed, group) << 31 | _shuffle(seed, f"response:{response.key}")
    return ranks


def _shuffle(seed: int, name: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed}:{name}".encode()).digest()[:4], "big") >> 1


def _add_places(project: Project, sheets: list[Sheet]) -> None:
    ratable = set(
        Item.objects.filter(
            response__sheets__project=project,
            unit=project.protocol.definition.unit,
            against=None,
            rate=True,
            retired_at=None,
        ).values_list("response_id", flat=True)
    )
    Place.objects.bulk_create(
        [
            Place(sheet=sheet, k=k, project=project, document_id=sheet.document_id, rank=sheet.rank)
            for sheet in sheets
            if sheet.response_id in ratable
            for k in range(project.overlap)
        ],
        batch_size=5000,
    )


@transaction.atomic
def add_member(project: Project, user: User, role: str, *, actor: User | None = None) -> Membership:
    """Give `user` a role in `project`; a second call changes it."""
    before = Membership.objects.filter(project=project, user=user).values_list("role", flat=True).first()
    membership, _ = Membership.objects.update_or_create(project=project, user=user, defaults={"role": role})
    if before != role:
        record(actor, "add member", f"user:{user.username}", project=project, before=before, after=role)
    return membership


@transaction.atomic
def remove_member(project: Project, user: User, *, actor: User | None = None) -> None:
    """Take `user` out of `project` and free the leases; finished work and answers stay."""
    before = Membership.objects.filter(project=project, user=user).values_list("role", flat=True).first()
    Membership.objects.filter(project=project, user=user).delete()
    Place.objects.filter(project=project, holder__rater=user, finished_at=None).update(holder=None, expires_at=None)
    if before:
        record(actor, "remove member", f"user:{user.username}", project=project, before=before)
