"""The members of a project, and invitations."""

from typing import Any

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import project_for, project_with_members_for
from ..accounts.users import password_link
from ..models import Project, User
from ..projects.invitations import (
    MAX_INVITED,
    Invitation,
    InvitationErrors,
    Invitee,
    invite_people,
    mail_invitations,
    may_have_link,
    own_role_problem,
)
from ..projects.members import (
    account_named,
    add_member,
    membership_of,
    possible_successors,
    remove_member,
    replace_rater,
    require_may_get_role,
    require_may_leave,
)
from ..pseudonyms import active, members_in_shown_order, username_of
from ..queue.errors import ProjectError
from ..queue.slots import lock_project
from .authentication import caller
from .parsers import validate
from .project_serializers import (
    InvitationsSerializer,
    MemberSerializer,
    NewInvitationsSerializer,
    ReplacementSerializer,
    RoleSerializer,
)
from .schema import DONE, ETAG, IF_MATCH, IF_NONE_MATCH, errors
from .views import ApiView, ListView, require_match, tagged


class Members(ListView):
    """The members of a project."""

    @extend_schema(
        operation_id="projects_members_list",
        responses={200: MemberSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The members in the order in which they joined; by pseudonym where raters are hidden. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        return self.page(request, members_in_shown_order(project), MemberSerializer, "shown" if active() else "pk")


class Member(ApiView):
    """A member of a project."""

    @extend_schema(
        operation_id="projects_members_retrieve",
        parameters=[IF_NONE_MATCH, ETAG],
        responses={200: MemberSerializer, 304: None, **errors(403, 404)},
    )
    def get(self, request: Request, slug: str, username: str) -> Response:
        """The member. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        return tagged(request, _shown(project, username_of(username)))

    @extend_schema(
        parameters=[IF_MATCH, ETAG],
        request=RoleSerializer,
        responses={200: MemberSerializer, **errors(403, 404, 412)},
    )
    def put(self, request: Request, slug: str, username: str) -> Response:
        """Add an account to the project, or change the role of a member. For leads, and only for admins in a project
        that hides its raters.
        """
        project = project_with_members_for(caller(request), slug)
        role = validate(RoleSerializer, request.data)["role"]
        user = account_named(username)
        require_may_get_role(user, role, caller(request))
        with transaction.atomic():
            lock_project(project)
            if "If-Match" in request.headers:
                require_match(request, _shown(project, user.username))
            add_member(project, user, role, actor=caller(request))
        return tagged(request, _shown(project, user.username))

    @extend_schema(responses={200: DONE, **errors(403, 404)})
    def delete(self, request: Request, slug: str, username: str) -> Response:
        """Remove the member: finished work stays, unfinished responses return to the queue."""
        project = project_with_members_for(caller(request), slug)
        user = membership_of(project, username).user
        require_may_leave(user, caller(request))
        remove_member(project, user, actor=caller(request))
        return Response({})


def _shown(project: Project, username: str) -> Any:
    return MemberSerializer(membership_of(project, username)).data


class ReplacedMember(ApiView):
    """A rater who is replaced."""

    @extend_schema(request=ReplacementSerializer, responses={200: MemberSerializer, **errors(403, 404)})
    def post(self, request: Request, slug: str, username: str) -> Response:
        """Replace a rater by another person, who gets the assigned responses. Finished work stays and counts."""
        project = project_with_members_for(caller(request), slug)
        rater = membership_of(project, username).user
        body = validate(ReplacementSerializer, request.data)
        people = possible_successors(project, rater, caller(request))
        successor = people.named(body["successor"])
        if successor is None:
            raise ValidationError({"successor": ["This person cannot replace the rater."]})
        try:
            replace_rater(project, rater, successor, move_reservations=body["move_reservations"], actor=caller(request))
        except ProjectError as error:
            raise ValidationError({"successor": [str(error)]}) from None
        return Response(_shown(project, successor.username))


class Invitations(ApiView):
    """Invitations to a project."""

    @extend_schema(request=NewInvitationsSerializer, responses={201: InvitationsSerializer, **errors(403, 404)})
    def post(self, request: Request, slug: str) -> Response:
        """Give people a role, and new names an account: all or nobody. They get an email where the site sends mail;
        else the answer has the links with which they set a password.
        """
        project = project_with_members_for(caller(request), slug)
        body = validate(NewInvitationsSerializer, request.data)
        people = _invitees(body["people"], caller(request))
        try:
            invited = invite_people(project, people, body["role"], actor=caller(request))
        except InvitationErrors as error:
            raise ValidationError({f"people.{line}": [problem] for line, problem in error.problems}) from None
        is_mailed = mail_invitations(project, invited, body["role"], actor=caller(request))
        rows = [_row(each, mailed, caller(request)) for each, mailed in is_mailed.items()]
        return Response(InvitationsSerializer({"invitations": rows}).data, status=status.HTTP_201_CREATED)


def _invitees(people: list[dict[str, str]], actor: User) -> list[Invitee]:
    if not 1 <= len(people) <= MAX_INVITED:
        raise ValidationError({"people": [f"Invite at most {MAX_INVITED} people at once."]})
    invitees = [Invitee(number, person["username"], person["email"]) for number, person in enumerate(people)]
    for invitee in invitees:
        if problem := own_role_problem((invitee.username, invitee.email), actor):
            raise ValidationError({f"people.{invitee.line}": [problem]})
    return invitees


def _row(invited: Invitation, is_mailed: bool | None, actor: User) -> dict[str, object]:
    link = _link(invited, is_mailed, actor)
    return {"user": invited.user, "previous_role": invited.previous_role, "mailed": is_mailed, "link": link}


def _link(invited: Invitation, is_mailed: bool | None, actor: User) -> str:
    """Return the link of a new account that gets no email, for the one who created it."""
    is_shown = invited.is_new and is_mailed is None and may_have_link(invited.user, actor)
    return password_link(invited.user) if is_shown else ""
