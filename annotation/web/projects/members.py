"""The members of a project, for leads: list, add, change roles, invite, replace, remove.

The password link of a new account is mailed to the person; only where the site sends no mail the inviter sees it, once.
"""

from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ...access import project_for, project_with_members_for
from ...accounts.names import is_named
from ...accounts.users import password_link
from ...models import Membership, Project, Reservation, User
from ...models.user_names import MAX_NAME_LENGTH
from ...projects.invitations import (
    MAX_INVITED,
    InvitationErrors,
    Invitee,
    invite_people,
    mail_invitations,
    may_have_link,
    own_role_problem,
)
from ...projects.members import (
    account_named,
    add_member,
    membership_of,
    possible_successors,
    remove_member,
    replace_rater,
    require_may_get_role,
    require_may_leave,
)
from ...pseudonyms import active, in_shown_order
from ...qualification.prefetch import is_prefetched
from ...queue.errors import ProjectError
from ..accounts.fields import NAME_ATTRIBUTES, TypedPerson, choose_from, full_label, sentence
from ..authentication import Request

SUGGESTED = 12
INVITED = "invited"  # session: whose links the next page shows, once


def suggested_people(actor: User) -> QuerySet[User]:
    """Return the people whom a form suggests: for an admin everybody, for a lead those of the projects they lead, but
    not of those that hide their raters.
    """
    people = User.objects.filter(is_active=True).order_by("username")
    if actor.is_admin:
        return people
    led = Membership.objects.filter(user=actor, role=Membership.Role.LEAD, project__hides_raters=False)
    return people.filter(memberships__project__in=led.values("project")).distinct()


class MemberForm(forms.Form):
    """A user name and a role. Leads cannot remove their own role, so that none is locked out."""

    username = forms.CharField(label="User name", max_length=150, widget=forms.TextInput(attrs=NAME_ATTRIBUTES))
    role = forms.ChoiceField(label="Role", choices=Membership.Role.choices)

    def __init__(self, project: Project, actor: User, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.actor = actor
        self.fields["username"].widget.attrs["data-people"] = reverse("suggest_people", args=[project.slug])

    def clean_username(self) -> User:
        """Return the active user with this user name or e-mail address."""
        try:
            return account_named(self.cleaned_data["username"])
        except ProjectError as error:
            raise forms.ValidationError(str(error)) from None

    def clean(self) -> dict[str, Any]:
        """Refuse leads who would take the lead from themselves."""
        cleaned = super().clean() or {}
        if "username" in cleaned and "role" in cleaned:
            try:
                require_may_get_role(cleaned["username"], cleaned["role"], self.actor)
            except ProjectError as error:
                self.add_error("role", str(error))
        return cleaned


class InviteForm(forms.Form):
    """People with an account or without, one a line, and their role."""

    people = forms.CharField(
        label="People",
        max_length=20_000,
        widget=forms.Textarea(attrs={**NAME_ATTRIBUTES, "rows": 5, "autofocus": True}),
        help_text=(
            "One person a line: a user name or an email address; for a new account both, such as “rosa "
            "rosa@example.org”. User names have letters, digits and @ . + - _ and appear in exports."
        ),
    )
    role = forms.ChoiceField(label="Role", choices=Membership.Role.choices, initial=Membership.Role.RATER)

    def __init__(self, actor: User, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.actor = actor

    def clean_people(self) -> list[Invitee]:
        """Return the people. Refuses lines that are not names, and the inviter, who would lose the lead."""
        people, problems = [], []
        for number, line in enumerate(self.cleaned_data["people"].splitlines(), start=1):
            words = line.replace(",", " ").replace(";", " ").split()
            problem = own_role_problem(words, self.actor)
            if not problem and (len(words) > 2 or (len(words) == 2 and "@" not in words[1])):
                text = " ".join(words)
                problem = f"'{text}': write a user name and an email address, in this order, and nothing else."
            if problem:
                problems.append(at_line(number, problem))
            elif words:
                people.append(Invitee(number, words[0], words[-1] if "@" in words[-1] else ""))
        if len(people) > MAX_INVITED:
            problems.append(f"Invite at most {MAX_INVITED} people at once.")
        if problems:
            raise forms.ValidationError(problems)
        return people


def at_line(number: int, problem: str) -> str:
    return f"Line {number}: {problem}"


class ReplaceForm(forms.Form):
    """The successor of a rater, who must not be able to see others' answers."""

    successor = TypedPerson(
        User.objects.none(),
        label="Successor",
        help_text="The user name. Type a part of a name to search.",
    )
    move_reservations = forms.BooleanField(
        label="Transfer the leaver’s assignments to the successor",
        required=False,
        initial=True,
    )

    def __init__(self, project: Project, leaver: User, actor: User, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        choose_from(self, "successor", possible_successors(project, leaver, actor))
        suggestions = reverse("suggest_successors", args=[project.slug, leaver.username])
        self.fields["successor"].widget.attrs["data-people"] = suggestions


@require_http_methods(["GET", "HEAD", "POST"])
def members(request: Request, slug: str) -> HttpResponse:
    """List the members. A post adds one, or changes a role."""
    find = project_with_members_for if request.method == "POST" else partial(project_for, needs="lead")
    project = find(request.user, slug)
    form = MemberForm(project, request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        member, role = form.cleaned_data["username"], form.cleaned_data["role"]
        add_member(project, member, role, actor=request.user)
        messages.success(request, f"{member} is now a {Membership.Role(role).label.lower()} of this project.")
        return redirect("members", project.slug)
    rows = project.memberships.select_related("user").order_by("role", "user__username")
    memberships = in_shown_order(rows, lambda row: (row.role, str(row.user)))
    context = {"project": project, "form": form, "members": memberships, "names_hidden": active()}
    return render(request, "projects/members.html", context)


@require_safe
def suggest_people(request: Request, slug: str) -> JsonResponse:
    """Return people for the forms that add and invite members, by the words of `?q=`."""
    project_with_members_for(request.user, slug)
    return _suggestions(request, suggested_people(request.user))


@require_safe
def suggest_successors(request: Request, slug: str, username: str) -> JsonResponse:
    """Return people for the form that replaces this member."""
    project = project_with_members_for(request.user, slug)
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
    project = project_with_members_for(request.user, slug)
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
    project = project_with_members_for(request.user, slug)
    form = InviteForm(request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            invitations = invite_people(project, **form.cleaned_data, actor=request.user)
        except InvitationErrors as errors:
            for line, problem in errors.problems:
                form.add_error("people", at_line(line, sentence(problem)))
        else:
            role = form.cleaned_data["role"]
            added = [invited for invited in invitations if not invited.previous_role]
            unchanged = [invited for invited in invitations if invited.previous_role == role]
            changed = [invited for invited in invitations if invited.previous_role not in ("", role)]
            label = Membership.Role(role).label.lower()
            for group, words in (
                (added, f"Added as {label}"),
                (changed, f"Members whose role is now {label}"),
                (unchanged, f"Members with the role {label} already"),
            ):
                if group:
                    messages.success(request, f"{words}: {', '.join(str(invited.user) for invited in group)}.")
            is_sent = mail_invitations(project, invitations, role, actor=request.user)
            # Who got no email has a link, which the next page shows.
            request.session[INVITED] = [each.user.pk for each in invitations if each.is_new and is_sent[each] is None]
            if sent := [invited.user.email for invited in invitations if is_sent[invited]]:
                messages.info(request, f"Sent emails to: {', '.join(sent)}.")
            if failed := ", ".join(invited.user.email for invited in invitations if is_sent[invited] is False):
                messages.warning(request, f"These emails could not be sent: {failed}. Invite these people again later.")
            return redirect("invite", project.slug)
    invited = User.objects.filter(pk__in=request.session.pop(INVITED, [])).order_by("username")
    links = [{"user": user, "link": password_link(user)} for user in invited if may_have_link(user, request.user)]
    context = {"project": project, "form": form, "mail": bool(settings.EMAIL_HOST), "links": links}
    return render(request, "projects/invite.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def replacement(request: Request, slug: str, username: str) -> HttpResponse:
    """Replace a member, and choose what happens to their reservations."""
    project = project_with_members_for(request.user, slug)
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
            messages.success(request, f"{successor} replaces {leaver}, whose finished work stays and counts.")
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
