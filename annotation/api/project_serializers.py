"""Serializers of projects, their settings and members."""

from datetime import datetime

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from ..models import Membership, Project
from ..projects.create import RESERVED
from ..projects.precision_target import NARROWEST, WIDEST
from ..projects.short_names import MAX_LENGTH
from ..projects.title import MAX_LENGTH as TITLE_LENGTH
from ..pseudonyms import active
from ..qualification.prefetch import MAX_PREFETCH, MIN_PREFETCH
from .dataset_serializers import MAX_SEED
from .guidance_serializers import ShownPerson

MOST_RATERS = 100


class ProjectRowSerializer(serializers.Serializer[Project]):
    """A project."""

    slug = serializers.CharField()
    title = serializers.CharField()
    dataset = serializers.CharField(source="dataset.slug")
    protocol = serializers.SerializerMethodField(help_text="SLUG@VERSION")
    overlap = serializers.IntegerField(help_text="How many raters annotate each response.")
    seed = serializers.IntegerField(help_text="Fixes the random order of the work.")
    sampling_design = serializers.CharField(allow_blank=True, help_text="Empty: raters are asked about all items.")
    sample_size = serializers.IntegerField(allow_null=True)
    created_at = serializers.DateTimeField()
    archived_at = serializers.DateTimeField(allow_null=True)

    def get_protocol(self, project: Project) -> str:
        """Return the name that `POST /projects/` takes."""
        return f"{project.protocol.slug}@{project.protocol.version}"


class ProjectSerializer(ProjectRowSerializer):
    """A project with its settings."""

    target_half_width = serializers.FloatField(allow_null=True, help_text="Share that an interval may have on a side.")
    suggestions = serializers.BooleanField(help_text="Whether raters are shown likely passages.")
    prefetch_limit = serializers.IntegerField(source="ahead", help_text="Responses that a rater's page fetches ahead.")
    skips_claim_free = serializers.BooleanField(help_text="Whether likely claim-free items are not asked about.")
    hides_raters = serializers.BooleanField(help_text="Whether leads see pseudonyms.")
    verdict_visibility = serializers.ChoiceField(choices=Project.VerdictVisibility.choices)
    shown_judge = serializers.CharField(source="shown_judge.label", allow_null=True, default=None)
    sampling_judge = serializers.CharField(source="sampling_judge.label", allow_null=True, default=None)


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "Three raters for each response",
            {"slug": "june-study", "dataset": "june-data", "protocol": "article-accuracy", "overlap": 3},
            request_only=True,
        )
    ]
)
class NewProjectSerializer(serializers.Serializer[object]):
    """A project to create over all responses of a data set."""

    slug = serializers.SlugField(max_length=MAX_LENGTH)
    dataset = serializers.SlugField(max_length=MAX_LENGTH)
    protocol = serializers.CharField(max_length=130, help_text="SLUG (the newest version) or SLUG@VERSION.")
    title = serializers.CharField(required=False, allow_blank=True, default="", max_length=TITLE_LENGTH)
    overlap = serializers.IntegerField(required=False, default=1, min_value=1, max_value=MOST_RATERS)
    seed = serializers.IntegerField(required=False, default=1, min_value=0, max_value=MAX_SEED)
    skips_claim_free = serializers.BooleanField(required=False, default=False)
    sampling_design = serializers.ChoiceField(
        choices=Project.SamplingDesign.choices, required=False, allow_blank=True, default=""
    )
    sample_size = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=1, max_value=2**31 - 1
    )
    sampling_judge = serializers.CharField(
        required=False, allow_null=True, default=None, max_length=200, help_text="NAME or NAME@N."
    )

    def validate_slug(self, slug: str) -> str:
        """Refuse names that the site or another project has."""
        if slug == RESERVED:
            raise serializers.ValidationError(f"'{slug}' is reserved by the site: choose another name.")
        if Project.objects.filter(slug=slug).exists():
            raise serializers.ValidationError(f"project '{slug}' already exists: choose another name")
        return slug


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
class ProjectSettingsSerializer(serializers.Serializer[object]):
    """Settings to change; the others stay."""

    title = serializers.CharField(required=False, max_length=TITLE_LENGTH)
    overlap = serializers.IntegerField(required=False, min_value=1, max_value=MOST_RATERS)
    target_half_width = serializers.FloatField(
        required=False, allow_null=True, min_value=NARROWEST, max_value=WIDEST, help_text="null removes the target."
    )
    suggestions = serializers.BooleanField(required=False)
    prefetch_limit = serializers.IntegerField(required=False, min_value=MIN_PREFETCH, max_value=MAX_PREFETCH)
    skips_claim_free = serializers.BooleanField(required=False, help_text="Until the first rating.")
    hides_raters = serializers.BooleanField(required=False, help_text="For admins.")
    verdict_visibility = serializers.ChoiceField(choices=Project.VerdictVisibility.choices, required=False)
    shown_judge = serializers.CharField(
        required=False, allow_null=True, max_length=200, help_text="NAME or NAME@N, with `verdict_visibility`."
    )
    archived = serializers.BooleanField(required=False, help_text="An archived project accepts no ratings.")


class ProjectsQuerySerializer(serializers.Serializer[object]):
    """Filters of projects."""

    dataset = serializers.CharField(required=False, max_length=MAX_LENGTH)
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
