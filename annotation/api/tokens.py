"""The caller's own API tokens."""

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import project_for
from ..accounts.names import PersonError
from ..accounts.tokens import create_token, revoke_token, tokens_of
from ..models import ApiToken, Project, User
from .authentication import caller
from .parsers import validate
from .schema import DONE, errors
from .token_serializers import CreatedTokenSerializer, NewTokenSerializer, TokenSerializer, TokensSerializer
from .views import ApiView


class Tokens(ApiView):
    """The caller's tokens."""

    @extend_schema(responses={200: TokensSerializer, **errors(403)})
    def get(self, request: Request) -> Response:
        """The caller's tokens without the revoked ones and without their keys, the newest first."""
        return Response(TokensSerializer({"tokens": tokens_of(caller(request))}).data)

    @extend_schema(request=NewTokenSerializer, responses={201: CreatedTokenSerializer, **errors(403)})
    def post(self, request: Request) -> Response:
        """Create a token. Its key is in this response only. Needs a token without limits, not a session."""
        if not isinstance(request.auth, ApiToken):
            raise PermissionDenied(_("Create a token under “API tokens”, which asks for your password."))
        if request.auth.is_limited:
            raise PermissionDenied(_("A token with limits cannot create tokens."))
        body, user = validate(NewTokenSerializer, request.data), caller(request)
        body["project"] = _project(user, body["project"])
        try:
            key, token = create_token(user, **body, actor=user)
        except PersonError as error:
            raise ValidationError({error.field: [str(error)]}) from None
        return Response({**TokenSerializer(token).data, "key": key}, status=status.HTTP_201_CREATED)


def _project(user: User, slug: str | None) -> Project | None:
    try:
        return project_for(user, slug) if slug else None
    except Http404 as error:
        raise ValidationError({"project": [str(error)]}) from None


class Token(ApiView):
    """One of the caller's tokens."""

    @extend_schema(responses={200: DONE, **errors(403, 404)})
    def delete(self, request: Request, prefix: str) -> Response:
        """Revoke the token, also if it is the one of this request."""
        token = tokens_of(caller(request)).filter(prefix=prefix).first()
        if token is None:
            raise Http404(_("You have no such token."))
        revoke_token(token, actor=caller(request))
        return Response({})
