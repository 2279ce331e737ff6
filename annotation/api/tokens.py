"""The caller's own API tokens."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import project_for
from ..accounts.names import PersonError
from ..accounts.tokens import MAX_DAYS, MAX_NAME_LENGTH, create_token, revoke_token, tokens_of
from ..models import ApiToken
from .authentication import caller
from .parsers import validate
from .records import OptionalText, RowSerializer
from .views import ApiView, ObjectView, first_or_404


class TokenSerializer(RowSerializer):
    """A token without its key. `project` is null if it is not limited to one."""

    project = serializers.CharField(source="project.slug", allow_null=True)
    validity = serializers.ChoiceField(source="state", choices=ApiToken.State.choices)

    class Meta:
        model = ApiToken
        fields: tuple[str, ...] = (
            *("prefix", "name", "scope", "project", "created_at", "expires_at", "last_used_at", "validity"),
        )
        extra_kwargs = {"prefix": {"help_text": "The start of the key; not secret."}, "name": {"help_text": ""}}


class TokensSerializer(serializers.Serializer[object]):
    """The caller's tokens, the newest first."""

    tokens = TokenSerializer(many=True)


class NewTokenSerializer(serializers.Serializer[object]):
    """What a new token is for, and its limits."""

    name = OptionalText(max_length=MAX_NAME_LENGTH)
    scope = serializers.ChoiceField(choices=ApiToken.Scope.choices, default=ApiToken.Scope.FULL)
    project = serializers.SlugField(allow_null=True, default=None)
    days = serializers.IntegerField(
        allow_null=True, default=None, min_value=1, max_value=MAX_DAYS, help_text="Until it expires."
    )


class CreatedTokenSerializer(TokenSerializer):
    """A new token with its key, which is shown only in this response."""

    key = serializers.CharField()

    class Meta(TokenSerializer.Meta):
        fields = (*TokenSerializer.Meta.fields, "key")


class Tokens(ObjectView):
    """The caller's tokens without the revoked ones and without their keys, the newest first."""

    serializer_class = TokensSerializer
    further_errors = (403,)

    def get_object(self) -> dict[str, Any]:
        return {"tokens": tokens_of(caller(self.request))}

    @extend_schema(request=NewTokenSerializer, responses={201: CreatedTokenSerializer})
    def post(self, request: Request) -> Response:
        """Create a token. Its key is in this response only. Needs a token without limits, not a session."""
        if not isinstance(request.auth, ApiToken):
            raise PermissionDenied("Create a token under “API tokens”, which asks for your password.")
        if request.auth.is_limited:
            raise PermissionDenied("A token with limits cannot create tokens.")
        body, user = validate(NewTokenSerializer, request.data), caller(request)
        try:
            body["project"] = project_for(user, body["project"]) if body["project"] else None
        except Http404 as error:
            raise ValidationError({"project": [str(error)]}) from None
        try:
            key, token = create_token(user, **body, actor=user)
        except PersonError as error:
            raise ValidationError({error.field: [str(error)]}) from None
        return Response({**TokenSerializer(token).data, "key": key}, status=status.HTTP_201_CREATED)


class Token(ApiView):
    further_errors = (403,)

    def delete(self, request: Request, prefix: str) -> Response:
        """Revoke the token, also if it is the one of this request."""
        token = first_or_404(tokens_of(caller(request)).filter(prefix=prefix), "You have no such token.")
        revoke_token(token, actor=caller(request))
        return Response({})
