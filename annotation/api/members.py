"""The members of a project, and invitations."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import project_with_members_for
from ..accounts.users import password_link
from ..models import Membership, User
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
from ..queue.slots import lock_project
from .authentication import caller
from .errors import at_field
from .parsers import validate
from .records import RowSerializer, ShownPerson, examples
from .views import ListView, ObjectView, ProjectView


class JoiningTime(serializers.DateTimeField):
    """When a person joined, or null where the name is hidden: with another project, it would tell who it is."""

    def get_attribute(self, instance: Membership) -> datetime | None:
        """Return the time that the caller may see."""
        names = active()
        return instance.created_at if names is None or names.is_named(instance.user) else None


class MemberSerializer(RowSerializer):
    username = ShownPerson(source="user", help_text="Or the pseudonym in a project that hides raters.")
    name = serializers.CharField(source="user.__str__", help_text="As pages show it.")
    created_at = JoiningTime(allow_null=True, help_text="null where the name is hidden.")

    class Meta:
        model = Membership
        fields = ("username", "name", "role", "created_at", "paused_at", "pause_reason")
        extra_kwargs = {"paused_at": {"help_text": "Since when the rater gets no work."}}


@examples({"A rater": {"role": "rater"}})
class RoleSerializer(serializers.Serializer[object]):
    role = serializers.ChoiceField(choices=Membership.Role.choices)


@examples({"Rosa by Tom": {"successor": "tom"}})
class ReplacementSerializer(serializers.Serializer[object]):
    successor = serializers.CharField(max_length=150, help_text="User name.")
    move_reservations = serializers.BooleanField(default=True)


class InviteeSerializer(serializers.Serializer[object]):
    """A person to invite; `email` for a new account."""

    username = serializers.CharField(max_length=150, help_text="Or the email address of an account.")
    email = serializers.EmailField(allow_blank=True, default="", max_length=254)


@examples({"A new account": {"role": "rater", "people": [{"username": "nora", "email": "nora@example.org"}]}})
class NewInvitationsSerializer(serializers.Serializer[object]):
    """People to invite, all or nobody."""

    role = serializers.ChoiceField(choices=Membership.Role.choices)
    people = InviteeSerializer(many=True)


class InvitationSerializer(serializers.Serializer[object]):
    username = serializers.CharField(source="user.username")
    previous_role = serializers.CharField(allow_blank=True, help_text="Empty for a new member.")
    mailed = serializers.BooleanField(allow_null=True, help_text="Whether an email was sent; null: no address.")
    link = serializers.CharField(
        allow_blank=True, help_text="With which a new account sets its password, where the site sends no email."
    )


class InvitationsSerializer(serializers.Serializer[object]):
    invitations = InvitationSerializer(many=True)


class MembersView(ProjectView):
    """A view that changes members: only for admins in a project that hides its raters."""

    def fetch(self) -> None:
        if self.request.method in ("GET", "HEAD"):
            super().fetch()
        else:
            self.project = project_with_members_for(caller(self.request), self.kwargs["slug"])


class Members(ProjectView, ListView):
    """The members in the order in which they joined; by pseudonym where raters are hidden. For leads."""

    serializer_class = MemberSerializer

    def get_ordering(self) -> str:
        return "shown" if active() else "pk"

    def get_queryset(self) -> QuerySet[Membership]:
        return members_in_shown_order(self.project)


class Member(MembersView, ObjectView):
    """The member. For leads."""

    serializer_class = MemberSerializer
    is_tagged = True

    def get_object(self) -> Membership:
        return membership_of(self.project, username_of(self.kwargs["username"]))

    @extend_schema(request=RoleSerializer)
    def put(self, request: Request, slug: str, username: str) -> Response:
        """Add an account to the project, or change the role of a member. For leads, and only for admins in a project
        that hides its raters.
        """
        role = validate(RoleSerializer, request.data)["role"]
        user = account_named(username)
        require_may_get_role(user, role, caller(request))
        with transaction.atomic():
            lock_project(self.project)
            if "If-Match" in request.headers:
                self.require_match(membership_of(self.project, user.username))
            add_member(self.project, user, role, actor=caller(request))
        return self.answer(membership_of(self.project, user.username))

    def delete(self, request: Request, slug: str, username: str) -> Response:
        """Remove the member: finished work stays, unfinished responses return to the queue."""
        user = membership_of(self.project, username).user
        require_may_leave(user, caller(request))
        remove_member(self.project, user, actor=caller(request))
        return Response({})


class ReplacedMember(MembersView):
    @extend_schema(request=ReplacementSerializer, responses=MemberSerializer)
    def post(self, request: Request, slug: str, username: str) -> Response:
        """Replace a rater by another person, who gets the assigned responses. Finished work stays and counts."""
        rater = membership_of(self.project, username).user
        body = validate(ReplacementSerializer, request.data)
        people = possible_successors(self.project, rater, caller(request))
        successor = people.named(body["successor"])
        if successor is None:
            raise ValidationError({"successor": ["This person cannot replace the rater."]})
        with at_field("successor"):
            replace_rater(
                self.project, rater, successor, move_reservations=body["move_reservations"], actor=caller(request)
            )
        return Response(MemberSerializer(membership_of(self.project, successor.username)).data)


class Invitations(MembersView):
    @extend_schema(request=NewInvitationsSerializer, responses={201: InvitationsSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Give people a role, and new names an account: all or nobody. They get an email where the site sends mail;
        else the answer has the links with which they set a password.
        """
        body = validate(NewInvitationsSerializer, request.data)
        people = _invitees(body["people"], caller(request))
        try:
            invited = invite_people(self.project, people, body["role"], actor=caller(request))
        except InvitationErrors as error:
            raise ValidationError({f"people.{line}": [problem] for line, problem in error.problems}) from None
        is_mailed = mail_invitations(self.project, invited, body["role"], actor=caller(request))
        rows = [
            {
                "user": each.user,
                "previous_role": each.previous_role,
                "mailed": mailed,
                "link": _link(each, mailed, caller(request)),
            }
            for each, mailed in is_mailed.items()
        ]
        return Response(InvitationsSerializer({"invitations": rows}).data, status=status.HTTP_201_CREATED)


def _invitees(people: list[dict[str, str]], actor: User) -> list[Invitee]:
    if not 1 <= len(people) <= MAX_INVITED:
        raise ValidationError({"people": [f"Invite at most {MAX_INVITED} people at once."]})
    invitees = [Invitee(number, person["username"], person["email"]) for number, person in enumerate(people)]
    for invitee in invitees:
        if problem := own_role_problem((invitee.username, invitee.email), actor):
            raise ValidationError({f"people.{invitee.line}": [problem]})
    return invitees


def _link(invited: Invitation, is_mailed: bool | None, actor: User) -> str:
    """Return the link of a new account that gets no email, for the one who created it."""
    is_shown = invited.is_new and is_mailed is None and may_have_link(invited.user, actor)
    return password_link(invited.user) if is_shown else ""
