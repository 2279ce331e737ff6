"""Accounts, for programs of admins. Removing a second factor and erasing a person stay on the pages.

A link to set a password, and the account of another admin, give more rights than a limited token has: they need a token
without limits.
"""

from typing import Any

from allauth.mfa.models import Authenticator
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Prefetch, Q
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import require_admin
from ..accounts.names import is_named
from ..accounts.tokens import revoke_token, tokens_of
from ..accounts.users import create_user, password_link, rename_user, renew_password_link, set_active
from ..models import ApiToken, Membership, User
from ..models.user_names import PersonQuerySet
from .authentication import caller
from .parsers import validate
from .people_serializers import (
    NewPersonSerializer,
    PasswordLinkSerializer,
    PeopleQuerySerializer,
    PersonChangeSerializer,
    PersonSerializer,
    PersonWithLinkSerializer,
)
from .schema import DONE, ETAG, IF_MATCH, IF_NONE_MATCH, errors
from .token_serializers import TokensSerializer
from .views import ApiView, ListView, require_match, tagged


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


def _shown(person: User) -> Any:
    return PersonSerializer(_person(person.username)).data


def _require_unlimited(request: Request) -> None:
    if isinstance(request.auth, ApiToken) and request.auth.is_limited:
        raise PermissionDenied("A token with limits can neither create admins nor make links to set a password.")


class People(ListView):
    """The accounts of the site."""

    @extend_schema(
        operation_id="people_list",
        parameters=[PeopleQuerySerializer],
        responses={200: PersonSerializer(many=True), **errors(403)},
    )
    def get(self, request: Request) -> Response:
        """The accounts of people in the order in which they were created. For admins."""
        require_admin(caller(request))
        query = validate(PeopleQuerySerializer, request.query_params)
        rows = _accounts().filter(is_named(query["find"].split(), by_address=True))
        if query["active"] is not None:
            rows = rows.filter(is_active=query["active"])
        return self.page(request, rows, PersonSerializer, "pk")

    @extend_schema(request=NewPersonSerializer, responses={201: PersonWithLinkSerializer, **errors(403)})
    def post(self, request: Request) -> Response:
        """Create an account, or activate that of a name from imported ratings. The answer has the link with which its
        owner sets the password. For admins.
        """
        require_admin(caller(request))
        body = validate(NewPersonSerializer, request.data)
        if body["admin"]:
            _require_unlimited(request)
        with transaction.atomic():
            person = create_user(**body, actor=caller(request))
            link = password_link(person)
        return Response({**_shown(person), "link": link}, status=status.HTTP_201_CREATED)


class Person(ApiView):
    """An account."""

    @extend_schema(
        operation_id="people_retrieve",
        parameters=[IF_NONE_MATCH, ETAG],
        responses={200: PersonSerializer, 304: None, **errors(403, 404)},
    )
    def get(self, request: Request, username: str) -> Response:
        """The account. For admins."""
        require_admin(caller(request))
        return tagged(request, _shown(_person(username)))

    @extend_schema(
        parameters=[IF_MATCH, ETAG],
        request=PersonChangeSerializer,
        responses={200: PersonSerializer, **errors(403, 404, 412)},
    )
    def patch(self, request: Request, username: str) -> Response:
        """Close the account (`active` is false) or open it again. Closing ends its sessions and tokens and frees its
        leases; ratings and memberships stay. Or give it another `username`: reports, exports and data hashes keep the
        first one. For admins.
        """
        require_admin(caller(request))
        body, person = validate(PersonChangeSerializer, request.data), _person(username)
        with transaction.atomic():
            locked = User.objects.select_for_update(no_key=True).get(pk=person.pk)
            require_match(request, _shown(locked))
            if "username" in body:
                rename_user(locked, body["username"], actor=caller(request))
            if "active" in body:
                set_active(User.objects.get(pk=person.pk), body["active"], actor=caller(request))
        return tagged(request, _shown(User.objects.get(pk=person.pk)))


class PasswordLink(ApiView):
    """A link to set a password."""

    @extend_schema(request=None, responses={201: PasswordLinkSerializer, **errors(403, 404)})
    def post(self, request: Request, username: str) -> Response:
        """Make a link for a person who lost theirs, or the password. It is in this answer only. For admins."""
        require_admin(caller(request))
        person = _person(username)
        _require_unlimited(request)
        link = renew_password_link(person, actor=caller(request))
        return Response({"link": link}, status=status.HTTP_201_CREATED)


class TokensOfPerson(ApiView):
    """The tokens of a person."""

    @extend_schema(operation_id="people_tokens_list", responses={200: TokensSerializer, **errors(403, 404)})
    def get(self, request: Request, username: str) -> Response:
        """The person's tokens without the revoked ones and without their keys. For admins."""
        require_admin(caller(request))
        return Response(TokensSerializer({"tokens": tokens_of(_person(username))}).data)


class TokenOfPerson(ApiView):
    """A token of a person."""

    @extend_schema(responses={200: DONE, **errors(403, 404)})
    def delete(self, request: Request, username: str, prefix: str) -> Response:
        """Revoke the token. For admins."""
        require_admin(caller(request))
        token = tokens_of(_person(username)).filter(prefix=prefix).first()
        if token is None:
            raise Http404("The person has no such token.")
        revoke_token(token, actor=caller(request))
        return Response({})
