"""Serializers of projects, their settings and members."""

from collections.abc import Sequence
from datetime import datetime

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from ..judging.judges import find_judge
from ..model_calls.errors import ModelError
from ..models import Dataset, Judge, Membership, Project, ProtocolVersion
from ..projects.create import MAX_SHORT_NAME, RESERVED
from ..projects.project_settings import CHECKS, SETTINGS, Setting, When
from ..projects.protocol_versions import find_protocol
from ..pseudonyms import active
from .dataset_serializers import MAX_SEED
from .guidance_serializers import ShownPerson

SETTINGS_OF_PROJECT = [name for name, setting in SETTINGS.items() if setting.page != CHECKS]
"""The settings of the record of a project; the rules for training and checks have a record of their own."""


def setting_options(setting: Setting) -> dict[str, object]:
    """Return the options of the field of a setting in a change, where any may be absent."""
    sentences = [
        setting.help.replace("Empty:", "null:"),
        "A share, from 0 to 1." if setting.in_percent else "",
        f"Can be changed {setting.when.value}." if setting.when is not When.AT_ANY_TIME else "",
        "For admins." if setting.for_admins else "",
    ]
    return {"required": False, "help_text": " ".join(filter(None, sentences))}


class ProjectRowSerializer(serializers.ModelSerializer[Project]):
    """A project."""

    dataset = serializers.CharField(source="dataset.slug")
    protocol = serializers.SerializerMethodField(help_text="SLUG@VERSION")
    sampling_design = serializers.CharField(allow_blank=True, help_text="Empty: raters are asked about all items.")

    class Meta:
        model = Project
        fields: Sequence[str] = [
            "slug", "title", "dataset", "protocol", "overlap", "seed", "sampling_design", "sample_size", "created_at",
            "archived_at",
        ]  # fmt: skip
        read_only_fields = fields

    def get_protocol(self, project: Project) -> str:
        """Return the name that `POST /projects/` takes."""
        return f"{project.protocol.slug}@{project.protocol.version}"


class ProjectSerializer(ProjectRowSerializer):
    """A project with its settings."""

    shown_judge = serializers.CharField(source="shown_judge.label", allow_null=True, default=None)
    sampling_judge = serializers.CharField(source="sampling_judge.label", allow_null=True, default=None)

    class Meta(ProjectRowSerializer.Meta):
        fields = [*dict.fromkeys([*ProjectRowSerializer.Meta.fields, *SETTINGS_OF_PROJECT, "sampling_judge"])]
        read_only_fields = fields
        extra_kwargs = {
            name: {"help_text": setting_options(SETTINGS[name])["help_text"]} for name in SETTINGS_OF_PROJECT
        }


def judge_named(label: str | None) -> Judge | None:
    """Return the judge NAME or NAME@N. Raises ValidationError."""
    try:
        return find_judge(label) if label else None
    except ModelError as error:
        raise serializers.ValidationError(str(error)) from None


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "Three raters for each response",
            {"slug": "june-study", "dataset": "june-data", "protocol": "article-accuracy", "overlap": 3},
            request_only=True,
        )
    ]
)
class NewProjectSerializer(serializers.ModelSerializer[Project]):
    """A project to create over all responses of a data set."""

    slug = serializers.SlugField(max_length=MAX_SHORT_NAME)
    dataset = serializers.SlugRelatedField(
        "slug", queryset=Dataset.objects.all(), error_messages={"does_not_exist": "There is no data set {value!r}."}
    )
    protocol = serializers.CharField(max_length=130, help_text="SLUG (the newest version) or SLUG@VERSION.")
    sampling_judge = serializers.CharField(required=False, allow_null=True, max_length=200, help_text="NAME or NAME@N.")

    class Meta:
        model = Project
        fields = [
            "slug", "dataset", "protocol", "title", "overlap", "seed", "skips_claim_free", "sampling_design",
            "sample_size", "sampling_judge",
        ]  # fmt: skip
        extra_kwargs = {
            "title": {"required": False, "allow_blank": True},
            "seed": {"min_value": 0, "max_value": MAX_SEED},
            "sample_size": {"min_value": 1},
        }

    def validate_slug(self, slug: str) -> str:
        """Refuse names that the site or another project has."""
        if slug == RESERVED:
            raise serializers.ValidationError(f"'{slug}' is reserved by the site: choose another name.")
        if Project.objects.filter(slug=slug).exists():
            raise serializers.ValidationError(f"project '{slug}' already exists: choose another name")
        return slug

    def validate_protocol(self, name: str) -> ProtocolVersion:
        """Return the version."""
        if protocol := find_protocol(name):
            return protocol
        raise serializers.ValidationError(f"There is no protocol {name!r}.")

    def validate_sampling_judge(self, label: str | None) -> Judge | None:
        """Return the judge."""
        return judge_named(label)


@extend_schema_serializer(
    examples=[
        OpenApiExample("More raters for each response", {"overlap": 4}, request_only=True),
        OpenApiExample(
            "Title and precision",
            {"title": "Reading comprehension, June", "target_half_width": 0.03, "suggestions": False},
            request_only=True,
        ),
    ]
)
class ProjectSettingsSerializer(serializers.ModelSerializer[Project]):
    """Settings to change; the others stay."""

    shown_judge = serializers.CharField(
        required=False, allow_null=True, max_length=200, help_text="NAME or NAME@N, with `verdict_visibility`."
    )
    archived = serializers.BooleanField(required=False, help_text="An archived project accepts no ratings.")

    class Meta:
        model = Project
        fields = [*SETTINGS_OF_PROJECT, "archived"]
        extra_kwargs = {name: setting_options(SETTINGS[name]) for name in SETTINGS_OF_PROJECT}

    def validate_shown_judge(self, label: str | None) -> Judge | None:
        """Return the judge."""
        return judge_named(label)


class ProjectsQuerySerializer(serializers.Serializer[object]):
    """Filters of projects."""

    dataset = serializers.CharField(required=False, max_length=MAX_SHORT_NAME)
    archived = serializers.BooleanField(required=False, allow_null=True, default=None)


class JoiningTime(serializers.DateTimeField):
    """When a person joined, or null where the name is hidden: with another project, it would tell who it is."""

    def get_attribute(self, instance: Membership) -> datetime | None:
        """Return the time that the caller may see."""
        names = active()
        return instance.created_at if names is None or names.is_named(instance.user) else None


class MemberSerializer(serializers.Serializer[Membership]):
    """A member of a project."""

    username = ShownPerson(source="user", help_text="Or the pseudonym in a project that hides raters.")
    name = serializers.CharField(source="user.__str__", help_text="As pages show it.")
    role = serializers.ChoiceField(choices=Membership.Role.choices)
    created_at = JoiningTime(allow_null=True, help_text="null where the name is hidden.")
    paused_at = serializers.DateTimeField(allow_null=True, help_text="Since when the rater gets no work.")
    pause_reason = serializers.CharField(allow_blank=True)


@extend_schema_serializer(examples=[OpenApiExample("A rater", {"role": "rater"}, request_only=True)])
class RoleSerializer(serializers.Serializer[object]):
    """The role of a member."""

    role = serializers.ChoiceField(choices=Membership.Role.choices)


@extend_schema_serializer(examples=[OpenApiExample("Rosa by Tom", {"successor": "tom"}, request_only=True)])
class ReplacementSerializer(serializers.Serializer[object]):
    """Who replaces a rater."""

    successor = serializers.CharField(max_length=150, help_text="User name.")
    move_reservations = serializers.BooleanField(required=False, default=True)


class InviteeSerializer(serializers.Serializer[object]):
    """A person to invite; `email` for a new account."""

    username = serializers.CharField(max_length=150, help_text="Or the email address of an account.")
    email = serializers.EmailField(required=False, allow_blank=True, default="", max_length=254)


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "A new account",
            {"role": "rater", "people": [{"username": "nora", "email": "nora@example.org"}]},
            request_only=True,
        )
    ]
)
class NewInvitationsSerializer(serializers.Serializer[object]):
    """People to invite, all or nobody."""

    role = serializers.ChoiceField(choices=Membership.Role.choices)
    people = InviteeSerializer(many=True)


class InvitationSerializer(serializers.Serializer[object]):
    """An invited person."""

    username = serializers.CharField(source="user.username")
    previous_role = serializers.CharField(allow_blank=True, help_text="Empty for a new member.")
    mailed = serializers.BooleanField(allow_null=True, help_text="Whether an email was sent; null: no address.")
    link = serializers.CharField(
        allow_blank=True, help_text="With which a new account sets its password, where the site sends no email."
    )


class InvitationsSerializer(serializers.Serializer[object]):
    """The invited people."""

    invitations = InvitationSerializer(many=True)
