"""Setting up a project: its sheets and slots, and the people in it.

The order of the work is random and fixed by the project's seed: documents are shuffled, and sheets within each
document, so that a long article's responses lie together. The same seed gives the same order on every machine, because
it is computed from imported ids, not from database ids.
"""

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import connection, transaction
from django.utils.translation import gettext as _

from ..audit import record
from ..models import Dataset, Item, Membership, Project, ProtocolVersion, Reservation, User
from ..queue.errors import ProjectError
from ..queue.leases import free_leases
from ..queue.slots import add_slots, lock_project, put_in_order
from .compatibility import make_whole_responses, why_nothing_to_rate

RESERVED = "new"  # /projects/new/ is a page


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
    """Make a project over all responses of `dataset`, each with `overlap` slots. Raises ProjectError, also where the
    data set has nothing of what the protocol asks about."""
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
            _("project name %(slug)s: use letters, digits, hyphens and underscores only") % {"slug": repr(project.slug)}
        ) from None
    if project.slug == RESERVED:
        raise ProjectError(
            _("project name %(slug)s is taken by an address of the site: choose another name")
            % {"slug": repr(project.slug)}
        )
    if Project.objects.filter(slug=project.slug).exists():
        raise ProjectError(_("there is already a project %(slug)s: choose another name") % {"slug": repr(project.slug)})
    check_overlap(project.overlap)
    if reason := why_nothing_to_rate(project.dataset, project.protocol.definition.unit):
        raise ProjectError(reason)


def check_overlap(overlap: int) -> None:
    """Raises ProjectError unless so many raters can read each response."""
    if not 1 <= overlap <= 100:
        raise ProjectError(_("overlap %(overlap)s: choose a number from 1 to 100") % {"overlap": overlap})


@transaction.atomic
def add_responses(project: Project) -> int:
    """Make sheets for the data set's responses (or pairs of them, where the protocol is about pairs) that the project
    does not have yet. Returns how many were added. Where the protocol is about whole responses, their items are made.

    A response with nothing to rate gets a sheet without slots: it is skipped in the queue, and counted. An archived
    project takes none; they come in when it is unarchived.
    """
    locked = lock_project(project)
    if locked.archived_at:
        return 0
    unit = locked.protocol.definition.unit
    if unit == Item.Unit.RESPONSE:
        make_whole_responses(locked.dataset_id)
    with connection.cursor() as cursor:
        pairs = unit == Item.Unit.PAIR
        values = {"project": locked.pk, "dataset": locked.dataset_id, "seed": locked.seed}
        cursor.execute(_NEW_SHEETS_OF_PAIRS if pairs else _NEW_SHEETS, values)
        added = cursor.rowcount
    add_slots(locked)
    return added


def _shuffled(name: str) -> str:
    """SQL: 31 bits that seed and name fix: the first four bytes of their SHA-256, halved."""
    sha256 = f"sha256(convert_to(%(seed)s || ':' || {name}, 'UTF8'))"
    return f"(('x' || encode(substr({sha256}, 1, 4), 'hex'))::bit(32)::bigint >> 1)"


# Sort keys of 62 bits: 31 of the document's (or prompt's) place in the shuffle, 31 of the response's. One statement,
# because 32,000 responses row by row took 11 seconds; sorted, so that all is looked up before the first is stored (a
# plan made while the table was empty would look through it again for every response while it grows).
_RANK_OF_PROMPT = _shuffled("COALESCE('document:' || document.key, 'prompt:' || prompt.key)")
_NEW_SHEETS = f"""
    INSERT INTO annotation_sheet (project_id, response_id, document_id, rank)
    SELECT %(project)s, response.id, prompt.document_id,
        {_RANK_OF_PROMPT} << 31 | {_shuffled("'response:' || response.key")}
    FROM annotation_response response
    JOIN annotation_prompt prompt ON prompt.id = response.prompt_id
    LEFT JOIN annotation_document document ON document.id = prompt.document_id
    WHERE response.dataset_id = %(dataset)s AND NOT EXISTS (
        SELECT FROM annotation_sheet sheet WHERE sheet.project_id = %(project)s AND sheet.response_id = response.id
    )
    ORDER BY 4
"""  # noqa: S608 - only constants
_NEW_SHEETS_OF_PAIRS = f"""
    INSERT INTO annotation_sheet (project_id, response_id, against_id, document_id, rank)
    SELECT DISTINCT %(project)s, response.id, against.id, prompt.document_id,
        {_RANK_OF_PROMPT} << 31 | {_shuffled("'pair:' || response.key || ':' || against.key")}
    FROM annotation_item item
    JOIN annotation_response response ON response.id = item.response_id
    JOIN annotation_response against ON against.id = item.against_id
    JOIN annotation_prompt prompt ON prompt.id = response.prompt_id
    LEFT JOIN annotation_document document ON document.id = prompt.document_id
    WHERE response.dataset_id = %(dataset)s AND item.unit = 'pair' AND NOT EXISTS (
        SELECT FROM annotation_sheet sheet WHERE sheet.project_id = %(project)s
            AND sheet.response_id = response.id AND sheet.against_id = against.id
    )
    ORDER BY 5
"""  # noqa: S608 - only constants


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
    """Take `user` out of `project`: leases are free again, and what was kept for this rater alone is for everybody.

    Finished work and all answers stay; those of begun work count only if the same rater comes back and finishes it.
    """
    lock_project(project)
    before = Membership.objects.filter(project=project, user=user).values_list("role", flat=True).first()
    Membership.objects.filter(project=project, user=user).delete()
    freed = free_leases(user, project, for_good=True)
    kept, _ = Reservation.objects.filter(project=project, rater=user).delete()
    if kept:
        put_in_order(project)
    if before:
        after = {"leases freed": freed, "reservations ended": kept}
        record(actor, "remove member", f"user:{user.username}", project=project, before=before, after=after)


@transaction.atomic
def replace_rater(
    project: Project, rater: User, successor: User, *, move_reservations: bool = True, actor: User | None = None
) -> None:
    """Put `successor` in the place of `rater`, who leaves the project: leases are freed, finished work stays the
    leaver's, and what is kept for the leaver is kept for the successor instead (or for nobody). Raises ProjectError.
    """
    if rater == successor:
        raise ProjectError(
            _("%(username)s cannot take over from %(username)s: choose somebody else") % {"username": rater.username}
        )
    if not successor.is_active:
        raise ProjectError(
            _("the account of %(username)s is closed: an admin can open it") % {"username": repr(successor.username)}
        )
    if not Membership.objects.filter(project=project, user=rater).exists():
        raise ProjectError(_("%(username)s is not a member of this project") % {"username": repr(rater.username)})
    lock_project(project)
    held = Membership.objects.filter(project=project, user=successor).first()
    if successor.is_admin or (held and held.role != Membership.Role.RATER):
        raise ProjectError(
            _("%(username)s sees all ratings of this project: choose somebody who rates")
            % {"username": repr(successor.username)}
        )
    if held is None:
        add_member(project, successor, Membership.Role.RATER, actor=actor)
    moved = _move_reservations(project, rater, successor) if move_reservations else 0
    remove_member(project, rater, actor=actor)
    after = {"successor": successor.username, "reservations moved": moved}
    record(actor, "replace rater", f"user:{rater.username}", project=project, after=after)


def _move_reservations(project: Project, rater: User, successor: User) -> int:
    mine = Reservation.objects.filter(project=project, rater=rater)
    theirs = Reservation.objects.filter(project=project, rater=successor)
    return mine.exclude(sheet__in=theirs.values("sheet")).update(rater=successor)
