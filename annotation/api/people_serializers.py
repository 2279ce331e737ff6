"""Serializers of accounts, for admins."""

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from ..models import Membership, User
from ..models.user_names import MAX_NAME_LENGTH


class ProjectOfPersonSerializer(serializers.Serializer[Membership]):
    """A project of a person."""

    project = serializers.CharField(source="project.slug")
    role = serializers.ChoiceField(choices=Membership.Role.choices)


class PersonSerializer(serializers.Serializer[User]):
    """An account. The names of imported ratings have accounts that are not active."""

    username = serializers.CharField()
    name = serializers.CharField(source="own_name", help_text="As others see it.")
    email = serializers.CharField(allow_blank=True)
    admin = serializers.BooleanField(source="is_superuser")
    active = serializers.BooleanField(source="is_active")
    erased_at = serializers.DateTimeField(allow_null=True)
    last_login = serializers.DateTimeField(allow_null=True)
    tokens = serializers.IntegerField(help_text="API tokens that are not revoked.")
    second_factor = serializers.BooleanField()
    projects = ProjectOfPersonSerializer(source="memberships", many=True)


class PeopleQuerySerializer(serializers.Serializer[object]):
    """Filters of accounts."""

    find = serializers.CharField(
        required=False, default="", max_length=MAX_NAME_LENGTH, help_text="Words of the names or the email address."
    )
    active = serializers.BooleanField(required=False, allow_null=True, default=None)


@extend_schema_serializer(
    examples=[OpenApiExample("A rater", {"username": "nora", "email": "nora@example.org"}, request_only=True)]
)
class NewPersonSerializer(serializers.Serializer[object]):
    """A new account. Its owner sets the password."""

    username = serializers.CharField(max_length=MAX_NAME_LENGTH, help_text="Letters, digits and @ . + - _.")
    email = serializers.EmailField(required=False, allow_blank=True, default="", max_length=254)
    admin = serializers.BooleanField(required=False, default=False)


class PersonWithLinkSerializer(PersonSerializer):
    """A new account with the link to set its password, which is shown only in this response."""

    link = serializers.CharField()


@extend_schema_serializer(examples=[OpenApiExample("Close the account", {"active": False}, request_only=True)])
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
