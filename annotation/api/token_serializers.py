"""Serializers of API tokens."""

from rest_framework import serializers

from ..accounts.tokens import MAX_DAYS, MAX_NAME_LENGTH
from ..models import ApiToken


class TokenSerializer(serializers.Serializer[ApiToken]):
    """A token without its key. `project` is null if it is not limited to one."""

    prefix = serializers.CharField(help_text="The start of the key; not secret.")
    name = serializers.CharField(allow_blank=True)
    scope = serializers.ChoiceField(choices=ApiToken.Scope.choices)
    project = serializers.CharField(source="project.slug", allow_null=True)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True, help_text="To the minute.")
    validity = serializers.ChoiceField(source="state", choices=ApiToken.State.choices)


class TokensSerializer(serializers.Serializer[object]):
    """The caller's tokens, the newest first."""

    tokens = TokenSerializer(many=True)


class NewTokenSerializer(serializers.Serializer[object]):
    """What a new token is for, and its limits."""

    name = serializers.CharField(required=False, allow_blank=True, default="", max_length=MAX_NAME_LENGTH)
    scope = serializers.ChoiceField(choices=ApiToken.Scope.choices, required=False, default=ApiToken.Scope.FULL)
    project = serializers.SlugField(required=False, allow_null=True, default=None)
    days = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=1, max_value=MAX_DAYS, help_text="Until it expires."
    )


class CreatedTokenSerializer(TokenSerializer):
    """A new token with its key, which is shown only in this response."""

    key = serializers.CharField()
