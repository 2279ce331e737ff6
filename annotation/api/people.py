"""Accounts, for programs of admins. Removing a second factor and erasing a person stay on the pages.

A link to set a password, and the account of another admin, give more rights than a limited token has: they need a token
without limits.
"""

from allauth.mfa.models import Authenticator
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from ..accounts.names import is_named
from ..accounts.tokens import revoke_token, tokens_of
from ..accounts.users import create_user, password_link, rename_user, renew_password_link, set_active
from ..models import ApiToken, Membership, User
from ..models.user_names import MAX_NAME_LENGTH
from ..models.users import PersonQuerySet
from .authentication import caller
from .parsers import validate
from .records import RowSerializer, examples
from .tokens import TokensSerializer
from .views import AdminView, ListView, ObjectView, first_or_404


class ProjectOfPersonSerializer(serializers.Serializer[Membership]):
    project = serializers.CharField(source="project.slug")
    role = serializers.ChoiceField(choices=Membership.Role.choices)


class PersonSerializer(RowSerializer):
    """An account. The names of imported ratings have accounts that are not active."""

    name = serializers.CharField(source="own_name", help_text="As others see it.")
    email = serializers.CharField()
    admin = serializers.BooleanField(source="is_superuser")
    active = serializers.BooleanField(source="is_active")
    tokens = serializers.IntegerField(help_text="API tokens that are not revoked.")
    second_factor = serializers.BooleanField()
    projects = ProjectOfPersonSerializer(source="memberships", many=True)

    class Meta:
        model = User
        fields: tuple[str, ...] = (
            *("username", "name", "email", "admin", "active", "erased_at", "last_login", "tokens", "second_factor"),
            "projects",
        )
        extra_kwargs = {"username": {"help_text": ""}}


class PeopleQuerySerializer(serializers.Serializer[object]):
    find = serializers.CharField(
        default="", max_length=MAX_NAME_LENGTH, help_text="Words of the names or the email address."
    )
    active = serializers.BooleanField(allow_null=True, default=None)


@examples({"A rater": {"username": "nora", "email": "nora@example.org"}})
class NewPersonSerializer(serializers.Serializer[object]):
    """A new account. Its owner sets the password."""

    username = serializers.CharField(max_length=MAX_NAME_LENGTH, help_text="Letters, digits and @ . + - _.")
    email = serializers.EmailField(allow_blank=True, default="", max_length=254)
    admin = serializers.BooleanField(default=False)


class PersonWithLinkSerializer(PersonSerializer):
    """A new account with the link to set its password, which is shown only in this response."""

    link = serializers.CharField()

    class Meta(PersonSerializer.Meta):
        fields = (*PersonSerializer.Meta.fields, "link")


@examples({"Close the account": {"active": False}})
class PersonChangeSerializer(serializers.Serializer[object]):
    """Close an account or open it again, or give it another user name."""

    active = serializers.BooleanField(required=False)
    username = serializers.CharField(
        required=False, max_length=MAX_NAME_LENGTH, help_text="Letters, digits and @ . + - _."
    )

    def validate(self, attrs: dict[str, object]) -> dict[str, object]:
        if not attrs:
            raise serializers.ValidationError("Give active or username.")
        return attrs


class PasswordLinkSerializer(serializers.Serializer[object]):
    """The link with which a person sets a password once."""

    link = serializers.CharField()


def _accounts() -> PersonQuerySet:
    memberships = Membership.objects.select_related("project").order_by("project__slug")
    return (
        User.objects.filter(judge=None)
        .annotate(tokens=Count("api_tokens", filter=Q(api_tokens__revoked_at=None)))
        .annotate(second_factor=Exists(Authenticator.objects.filter(user=OuterRef("pk"))))
        .prefetch_related(Prefetch("memberships", memberships))
    )


def _person(username: str) -> User:
    person = _accounts().named(username)
    if person is None:
        raise Http404("There is no such person.")
    return person


def _require_unlimited(request: Request) -> None:
    if isinstance(request.auth, ApiToken) and request.auth.is_limited:
        raise PermissionDenied("A token with limits can neither create admins nor make links to set a password.")


class People(AdminView, ListView):
    """The accounts of people in the order in which they were created. For admins."""

    serializer_class = PersonSerializer
    query_serializer = PeopleQuerySerializer

    def get_queryset(self) -> QuerySet[User]:
        rows = _accounts().filter(is_named(self.query["find"].split(), by_address=True))
        return rows if self.query["active"] is None else rows.filter(is_active=self.query["active"])

    @extend_schema(request=NewPersonSerializer, responses={201: PersonWithLinkSerializer})
    def post(self, request: Request) -> Response:
        """Create an account, or activate that of a name from imported ratings. The answer has the link with which its
        owner sets the password. For admins.
        """
        body = validate(NewPersonSerializer, request.data)
        if body["admin"]:
            _require_unlimited(request)
        with transaction.atomic():
            person = create_user(**body, actor=caller(request))
            link = password_link(person)
        shown = PersonSerializer(_person(person.username)).data
        return Response({**shown, "link": link}, status=status.HTTP_201_CREATED)


class Person(AdminView, ObjectView):
    """The account. For admins."""

    serializer_class = PersonSerializer
    is_tagged = True

    def get_object(self) -> User:
        return _person(self.kwargs["username"])

    @extend_schema(request=PersonChangeSerializer)
    def patch(self, request: Request, username: str) -> Response:
        """Close the account (`active` is false) or open it again. Closing ends its sessions and tokens and frees its
        leases; ratings and memberships stay. Or give it another `username`: reports, exports and data hashes keep the
        first one. For admins.
        """
        body, person = validate(PersonChangeSerializer, request.data), _person(username)
        with transaction.atomic():
            locked = User.objects.select_for_update(no_key=True).get(pk=person.pk)
            self.require_match(_person(locked.username))
            if "username" in body:
                rename_user(locked, body["username"], actor=caller(request))
            if "active" in body:
                set_active(User.objects.get(pk=person.pk), body["active"], actor=caller(request))
        return self.answer(_accounts().get(pk=person.pk))


class PasswordLink(AdminView):
    @extend_schema(request=None, responses={201: PasswordLinkSerializer})
    def post(self, request: Request, username: str) -> Response:
        """Make a link for a person who lost theirs, or the password. It is in this answer only. For admins."""
        person = _person(username)
        _require_unlimited(request)
        link = renew_password_link(person, actor=caller(request))
        return Response({"link": link}, status=status.HTTP_201_CREATED)


class TokensOfPerson(AdminView):
    @extend_schema(operation_id="people_tokens_list", responses=TokensSerializer)
    def get(self, request: Request, username: str) -> Response:
        """The person's tokens without the revoked ones and without their keys. For admins."""
        return Response(TokensSerializer({"tokens": tokens_of(_person(username))}).data)


class TokenOfPerson(AdminView):
    def delete(self, request: Request, username: str, prefix: str) -> Response:
        """Revoke the token. For admins."""
        token = first_or_404(tokens_of(_person(username)).filter(prefix=prefix), "The person has no such token.")
        revoke_token(token, actor=caller(request))
        return Response({})
