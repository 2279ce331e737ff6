"""The members of a project, for leads: list, add, change roles, invite, replace, remove.

The password link of a new account is shown once to the inviter, and mailed where the site has a mail server and the
person an address.
"""

import logging
from smtplib import SMTPException

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.mail import send_mail
from django.db.models import QuerySet
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ...access import project_for
from ...accounts.matching import is_named
from ...accounts.users import MAX_NAME_LENGTH, PersonError, password_link
from ...models import Membership, Project, Reservation, User
from ...projects.invitations import Invitation, invite, may_have_link
from ...projects.members import add_member, remove_member, replace_rater
from ...qualification.prefetch import is_prefetched
from ...queue.errors import ProjectError
from ..accounts.fields import full_label, sentence
from ..authentication import Request
from .member_forms import InviteForm, MemberForm, ReplaceForm, possible_successors, suggested_people

SUGGESTED = 12
INVITED = "invited"  # session: whose link the next page shows, once

log = logging.getLogger(__name__)


@require_http_methods(["GET", "HEAD", "POST"])
def members(request: Request, slug: str) -> HttpResponse:
    """List the members. A post adds one, or changes a role."""
    project = project_for(request.user, slug, needs="lead")
    form = MemberForm(project, request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        return _add_member(request, project, form)
    memberships = project.memberships.select_related("user").order_by("role", "user__username")
    return render(request, "projects/members.html", {"project": project, "form": form, "members": memberships})


def _add_member(request: Request, project: Project, form: MemberForm) -> HttpResponse:
    member, role = form.cleaned_data["username"], form.cleaned_data["role"]
    add_member(project, member, role, actor=request.user)
    messages.success(
        request,
        _("%(member)s is now a %(role)s of this project.")
        % {"member": member, "role": Membership.Role(role).label.lower()},
    )
    return redirect("members", project.slug)


@require_safe
def suggest_people(request: Request, slug: str) -> JsonResponse:
    """Return people for the forms that add and invite members, by the words of `?q=`."""
    project_for(request.user, slug, needs="lead")
    return _suggestions(request, suggested_people(request.user))


@require_safe
def suggest_successors(request: Request, slug: str, username: str) -> JsonResponse:
    """Return people for the form that replaces this member."""
    project = project_for(request.user, slug, needs="lead")
    return _suggestions(request, possible_successors(project, _membership(project, username).user, request.user))


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
    project = project_for(request.user, slug, needs="lead")
    membership = _membership(project, username)
    if membership.user == request.user and not request.user.is_admin:
        raise PermissionDenied(_("You cannot remove yourself from a project: ask another lead or an admin."))
    remove_member(project, membership.user, actor=request.user)
    messages.success(
        request,
        _("%(user)s is no longer a member. Finished work stays; unfinished responses return to the queue.")
        % {"user": membership.user},
    )
    return redirect("members", project.slug)


def _membership(project: Project, username: str) -> Membership:
    membership = project.memberships.select_related("user").filter(user__username=username).first()
    if membership is None:
        raise Http404(_("%(username)s is not a member of this project.") % {"username": username})
    return membership


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: Request, slug: str) -> HttpResponse:
    """Show the form, and after a post the link to pass on."""
    project = project_for(request.user, slug, needs="lead")
    form = InviteForm(project, request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            invited = invite(project, **form.cleaned_data, actor=request.user)
        except PersonError as error:
            form.add_error(error.field, sentence(error))
        else:
            _tell(request, project, invited, form.cleaned_data["role"])
            return redirect("invite", project.slug)
    context = {"project": project, "form": form, "mail": bool(settings.EMAIL_HOST), **_link(request)}
    return render(request, "projects/invite.html", context)


def _tell(request: Request, project: Project, invited: Invitation, role: str) -> None:
    role_name = Membership.Role(role).label.lower()
    messages.success(
        request, _("%(member)s is now a %(role)s of this project.") % {"member": invited.user, "role": role_name}
    )
    if invited.is_new:
        request.session[INVITED] = invited.user.pk
    if settings.EMAIL_HOST and invited.user.email:
        _mail(request, project, invited, role_name)


def _mail(request: Request, project: Project, invited: Invitation, role_name: str) -> None:
    """Mail the invitation. A failure is only reported, as the page also shows the link."""
    values = {
        "project": project,
        "invited": invited.user,
        "by": request.user,
        "role": role_name,
        "link": password_link(invited.user) if invited.is_new else "",
        "site": settings.SITE_URL,
    }
    try:
        text = render_to_string("projects/invitation.txt", values)
        send_mail(_("Invitation to %(title)s") % {"title": project.title}, text, None, [invited.user.email])
    except (OSError, SMTPException):
        log.exception("the invitation to %s could not be mailed", invited.user.username)
        messages.warning(request, _("The email could not be sent. Tell the person yourself."))
    else:
        messages.info(request, _("An email was sent to %(email)s.") % {"email": invited.user.email})


def _link(request: Request) -> dict[str, object]:
    user = User.objects.filter(pk=request.session.pop(INVITED, None)).first()
    return {"invited": user, "link": password_link(user)} if user and may_have_link(user, request.user) else {}


@require_http_methods(["GET", "HEAD", "POST"])
def replacement(request: Request, slug: str, username: str) -> HttpResponse:
    """Replace a member, and choose what happens to their reservations."""
    project = project_for(request.user, slug, needs="lead")
    leaver = _membership(project, username).user
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
                _("%(successor)s replaces %(leaver)s, whose finished work stays and counts.")
                % {"successor": successor, "leaver": leaver},
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
