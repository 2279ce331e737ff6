"""The members of a project, for leads: list, add, change roles, invite, replace, remove.

The password link of a new account is mailed to the person; only where the site sends no mail the inviter sees it, once.
"""

from collections.abc import Sequence

from django.conf import settings
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ...access import project_for, project_with_members_for
from ...accounts.names import is_named
from ...accounts.users import password_link
from ...models import Membership, Project, Reservation, User
from ...models.user_names import MAX_NAME_LENGTH
from ...projects.invitation_mail import mail_invitations
from ...projects.invitations import Invitation, InvitationErrors, invite_people, may_have_link
from ...projects.members import (
    add_member,
    membership_of,
    possible_successors,
    remove_member,
    replace_rater,
    require_may_leave,
)
from ...pseudonyms import active, in_shown_order
from ...qualification.prefetch import is_prefetched
from ...queue.errors import ProjectError
from ..accounts.fields import full_label, sentence
from ..authentication import Request
from .member_forms import InviteForm, MemberForm, ReplaceForm, at_line, suggested_people

SUGGESTED = 12
INVITED = "invited"  # session: whose links the next page shows, once


@require_http_methods(["GET", "HEAD", "POST"])
def members(request: Request, slug: str) -> HttpResponse:
    """List the members. A post adds one, or changes a role."""
    find = _project_to_change if request.method == "POST" else _project
    project = find(request, slug)
    form = MemberForm(project, request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        return _add_member(request, project, form)
    rows = project.memberships.select_related("user").order_by("role", "user__username")
    memberships = in_shown_order(rows, lambda row: (row.role, str(row.user)))
    context = {"project": project, "form": form, "members": memberships, "names_hidden": active()}
    return render(request, "projects/members.html", context)


def _project(request: Request, slug: str) -> Project:
    return project_for(request.user, slug, needs="lead")


def _project_to_change(request: Request, slug: str) -> Project:
    return project_with_members_for(request.user, slug)


def _add_member(request: Request, project: Project, form: MemberForm) -> HttpResponse:
    member, role = form.cleaned_data["username"], form.cleaned_data["role"]
    add_member(project, member, role, actor=request.user)
    messages.success(
        request,
        f"{member} is now a {Membership.Role(role).label.lower()} of this project.",
    )
    return redirect("members", project.slug)


@require_safe
def suggest_people(request: Request, slug: str) -> JsonResponse:
    """Return people for the forms that add and invite members, by the words of `?q=`."""
    _project_to_change(request, slug)
    return _suggestions(request, suggested_people(request.user))


@require_safe
def suggest_successors(request: Request, slug: str, username: str) -> JsonResponse:
    """Return people for the form that replaces this member."""
    project = _project_to_change(request, slug)
    return _suggestions(request, possible_successors(project, membership_of(project, username).user, request.user))


def _suggestions(request: Request, people: QuerySet[User]) -> JsonResponse:
    words = request.GET.get("q", "").replace("\x00", "")[:MAX_NAME_LENGTH].split()
    sees_addresses = request.user.is_admin
    entries = [
        {"label": full_label(user), "detail": user.email if sees_addresses else "", "value": user.username}
        for user in people.filter(is_named(words, by_address=sees_addresses))[:SUGGESTED]
    ]
    return JsonResponse({"groups": [{"label": "", "entries": entries}] if entries else []})


@require_POST
def removal(request: Request, slug: str, username: str) -> HttpResponse:
    """Remove a member from the project."""
    project = _project_to_change(request, slug)
    membership = membership_of(project, username)
    require_may_leave(membership.user, request.user)
    remove_member(project, membership.user, actor=request.user)
    messages.success(
        request,
        f"{membership.user} is no longer a member. Finished work stays; unfinished responses return to the queue.",
    )
    return redirect("members", project.slug)


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: Request, slug: str) -> HttpResponse:
    """Show the form, and after a post the links to pass on where the site sends no mail."""
    project = _project_to_change(request, slug)
    form = InviteForm(request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            invitations = invite_people(project, **form.cleaned_data, actor=request.user)
        except InvitationErrors as errors:
            for line, problem in errors.problems:
                form.add_error("people", at_line(line, sentence(problem)))
        else:
            _tell(request, project, invitations, form.cleaned_data["role"])
            return redirect("invite", project.slug)
    context = {"project": project, "form": form, "mail": bool(settings.EMAIL_HOST), "links": _links(request)}
    return render(request, "projects/invite.html", context)


def _tell(request: Request, project: Project, invitations: Sequence[Invitation], role: str) -> None:
    """Say who was added; mail them where they have an address, and keep the links of the others for the next page."""
    _tell_roles(request, invitations, role)
    is_sent = mail_invitations(project, invitations, role, actor=request.user)
    request.session[INVITED] = [each.user.pk for each in invitations if each.is_new and is_sent[each] is None]
    if sent := [invited.user.email for invited in invitations if is_sent[invited]]:
        messages.info(request, f"Sent emails to: {', '.join(sent)}.")
    if failed := ", ".join(invited.user.email for invited in invitations if is_sent[invited] is False):
        messages.warning(request, f"These emails could not be sent: {failed}. Invite these people again later.")


def _tell_roles(request: Request, invitations: Sequence[Invitation], role: str) -> None:
    """Say who was added with the role, whose role changed to it, and who had it before."""
    added = [invited for invited in invitations if not invited.previous_role]
    unchanged = [invited for invited in invitations if invited.previous_role == role]
    changed = [invited for invited in invitations if invited.previous_role not in ("", role)]
    for group, words in (
        (added, "Added as %(role)s: %(people)s."),
        (changed, "Members whose role is now %(role)s: %(people)s."),
        (unchanged, "Members with the role %(role)s already: %(people)s."),
    ):
        if group:
            names = ", ".join(str(invited.user) for invited in group)
            messages.success(request, words % {"role": Membership.Role(role).label.lower(), "people": names})


def _links(request: Request) -> list[dict[str, object]]:
    """Return the links of the accounts that the last post created, to be shown once."""
    invited = User.objects.filter(pk__in=request.session.pop(INVITED, [])).order_by("username")
    return [{"user": user, "link": password_link(user)} for user in invited if may_have_link(user, request.user)]


@require_http_methods(["GET", "HEAD", "POST"])
def replacement(request: Request, slug: str, username: str) -> HttpResponse:
    """Replace a member, and choose what happens to their reservations."""
    project = _project_to_change(request, slug)
    leaver = membership_of(project, username).user
    form = ReplaceForm(project, leaver, request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        successor = form.cleaned_data["successor"]
        try:
            replace_rater(
                project, leaver, successor, move_reservations=form.cleaned_data["move_reservations"], actor=request.user
            )
        except ProjectError as error:
            form.add_error("successor", sentence(error))
        else:
            messages.success(
                request,
                f"{successor} replaces {leaver}, whose finished work stays and counts.",
            )
            return redirect("members", project.slug)
    slots = project.slots.filter(holder__rater=leaver)
    leased = slots.filter(finished_at=None, was_finished_at=None)
    context = {
        "project": project,
        "leaver": leaver,
        "form": form,
        "finished": slots.exclude(finished_at=None, was_finished_at=None).count(),
        "leased": leased.exclude(is_prefetched()).count(),
        "prefetched": leased.filter(is_prefetched()).count(),
        "reservations": Reservation.objects.filter(project=project, rater=leaver).count(),
    }
    return render(request, "projects/replace_rater.html", context)
