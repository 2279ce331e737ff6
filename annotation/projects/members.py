"""Members of a project: add, remove, and replace a rater by another."""

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404

from ..audit import record
from ..models import Membership, Notification, Project, Reservation, User
from ..models.users import PersonQuerySet
from ..notifications import notify
from ..queue.errors import ProjectError
from ..queue.leases import free_leases
from ..queue.slots import lock_project, update_slot_ranks


def account_named(name: str) -> User:
    """Return the active user with this user name or e-mail address. Raises ProjectError."""
    name = name.strip()
    user = User.objects.named(name)
    if user is None and "@" in name:
        user = User.objects.filter(email__iexact=name).first()
    if user is None:
        raise ProjectError(f"No account has the user name “{name}”. An admin can create it.")
    if not user.is_active:
        raise ProjectError(f"The account “{user.username}” is closed. An admin can reopen it.")
    return user


def membership_of(project: Project, username: str) -> Membership:
    """Return the membership of the user with this name. Raises Http404."""
    membership = project.memberships.select_related("user").filter(user=User.objects.named(username)).first()
    if membership is None:
        raise Http404(f"{username} is not a member of this project.")
    return membership


def rater_membership(project: Project, username: str) -> Membership:
    """Return the membership of a rater, or of a lead who was paused as a rater. Raises Http404."""
    membership = project.memberships.select_related("user").filter(user=User.objects.named(username)).first()
    if membership is None or (membership.role != Membership.Role.RATER and membership.paused_at is None):
        raise Http404(f"{username} is not a rater of this project.")
    return membership


def require_may_get_role(user: User, role: str, actor: User) -> None:
    """Raise ProjectError if a lead would take the lead from themselves, so that no project is left without one."""
    if user == actor and not actor.is_admin and role != Membership.Role.LEAD:
        raise ProjectError("You cannot remove your own lead role: ask another lead or an admin.")


def require_may_leave(user: User, actor: User) -> None:
    """Raise PermissionDenied if a lead would remove themselves."""
    if user == actor and not actor.is_admin:
        raise PermissionDenied("You cannot remove yourself from a project: ask another lead or an admin.")


@transaction.atomic
def add_member(project: Project, user: User, role: str, *, actor: User | None = None) -> Membership:
    """Give `user` a role in `project`; a second call changes it."""
    before = Membership.objects.filter(project=project, user=user).values_list("role", flat=True).first()
    membership, _is_new = Membership.objects.update_or_create(project=project, user=user, defaults={"role": role})
    if before != role:
        record(actor, "add member", f"user:{user.username}", project=project, before=before, after=role)
    return membership


@transaction.atomic
def remove_member(project: Project, user: User, *, actor: User | None = None) -> None:
    """Remove `user` from `project`, free their leases and delete their reservations.

    Finished work and all answers stay; those of unfinished work count only if the same rater returns and finishes it.
    """
    lock_project(project)
    before = Membership.objects.filter(project=project, user=user).values_list("role", flat=True).first()
    Membership.objects.filter(project=project, user=user).delete()
    freed = free_leases(user, project, for_good=True)
    ended, _ = Reservation.objects.filter(project=project, rater=user).delete()
    if ended:
        update_slot_ranks(project)
    if before:
        after = {"leases freed": freed, "reservations ended": ended}
        record(actor, "remove member", f"user:{user.username}", project=project, before=before, after=after)


def possible_successors(project: Project, leaver: User, actor: User) -> PersonQuerySet:
    """Return who may replace a rater: nobody who can see others' answers; a lead chooses among the project's raters."""
    leads = Membership.objects.filter(project=project, role=Membership.Role.LEAD).values("user")
    people = User.objects.filter(is_active=True, is_superuser=False).exclude(pk=leaver.pk).exclude(pk__in=leads)
    if not actor.is_admin:  # a lead sees the people of the project, as everywhere
        people = people.filter(memberships__project=project)
    return people.distinct().order_by("username")


@transaction.atomic
def replace_rater(
    project: Project, rater: User, successor: User, *, move_reservations: bool = True, actor: User | None = None
) -> None:
    """Remove `rater` from the project and add `successor` instead. Raises ProjectError.

    The leases of `rater` are freed and their finished work stays theirs; their reservations move to `successor`, or
    end.
    """
    if rater == successor:
        raise ProjectError(f"{rater.username} cannot replace {rater.username}: choose another person")
    if not successor.is_active:
        raise ProjectError(f"the account of {successor.username!r} is closed: an admin can reopen it")
    if not Membership.objects.filter(project=project, user=rater).exists():
        raise ProjectError(f"{rater.username!r} is not a member of this project")
    lock_project(project)
    membership = Membership.objects.filter(project=project, user=successor).first()
    if successor.is_admin or (membership and membership.role != Membership.Role.RATER):
        raise ProjectError(f"{successor.username!r} sees all ratings of this project: choose a rater")
    if membership is None:
        add_member(project, successor, Membership.Role.RATER, actor=actor)
    moved = 0
    if move_reservations:
        existing = Reservation.objects.filter(project=project, rater=successor).values("sheet")
        moving = Reservation.objects.filter(project=project, rater=rater).exclude(sheet__in=existing)
        moved = moving.update(rater=successor)
    if moved:
        notify([successor.pk], Notification.Kind.ASSIGNED, project=project, count=moved)
    remove_member(project, rater, actor=actor)
    after = {"successor": successor.username, "reservations moved": moved}
    record(actor, "replace rater", f"user:{rater.username}", project=project, after=after)
