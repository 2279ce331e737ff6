"""Projects and their settings."""

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.jobs import enqueue

from ..access import project_for, projects_for, require_admin
from ..models import Dataset, Project, User
from ..projects.archiving import archive, unarchive
from ..projects.claim_free import set_skipping
from ..projects.create import RESERVED, create_project
from ..projects.deleting import project_deletion
from ..projects.hidden_raters import set_hiding
from ..projects.overlap import change_overlap
from ..projects.precision_target import NARROWEST, WIDEST, set_target
from ..projects.protocol_versions import find_protocol
from ..projects.short_names import MAX_LENGTH
from ..projects.suggestions import set_suggestions
from ..projects.title import MAX_LENGTH as TITLE_LENGTH
from ..projects.title import set_title
from ..projects.verdict_visibility import set_verdict_visibility
from ..qualification.prefetch import MAX_PREFETCH, MIN_PREFETCH, set_prefetch_limit
from .authentication import caller
from .errors import at_field
from .imports import MAX_SEED
from .jobs import JobSerializer, started
from .judges import judge_named
from .parsers import validate
from .records import OptionalText, RowSerializer, examples
from .schema import ETAG
from .views import ListView, ObjectView, ProjectView, tagged

MOST_RATERS = 100


class ProjectRowSerializer(RowSerializer):
    dataset = serializers.CharField(source="dataset.slug")
    protocol = serializers.SerializerMethodField(help_text="SLUG@VERSION")
    sampling_design = serializers.CharField(help_text="Empty: raters are asked about all items.")

    class Meta:
        model = Project
        fields: tuple[str, ...] = (
            *("slug", "title", "dataset", "protocol", "overlap", "seed", "sampling_design", "sample_size"),
            *("created_at", "archived_at"),
        )
        extra_kwargs = {
            "overlap": {"help_text": "How many raters annotate each response."},
            "seed": {"help_text": "Fixes the random order of the work."},
        }

    def get_protocol(self, project: Project) -> str:
        """Return the name that `POST /projects/` takes."""
        return f"{project.protocol.slug}@{project.protocol.version}"


class ProjectSerializer(ProjectRowSerializer):
    prefetch_limit = serializers.IntegerField(source="ahead", help_text="Responses that a rater's page fetches ahead.")
    shown_judge = serializers.CharField(source="shown_judge.label", allow_null=True, default=None)
    sampling_judge = serializers.CharField(source="sampling_judge.label", allow_null=True, default=None)

    class Meta(ProjectRowSerializer.Meta):
        fields = (
            *ProjectRowSerializer.Meta.fields,
            *("target_half_width", "suggestions", "prefetch_limit", "skips_claim_free", "hides_raters"),
            *("verdict_visibility", "shown_judge", "sampling_judge"),
        )
        extra_kwargs = {
            **ProjectRowSerializer.Meta.extra_kwargs,
            "target_half_width": {"help_text": "Share that an interval may have on a side."},
            "suggestions": {"help_text": "Whether raters are shown likely passages."},
            "skips_claim_free": {"help_text": "Whether likely claim-free items are not asked about."},
            "hides_raters": {"help_text": "Whether leads see pseudonyms."},
        }


class ProjectsQuerySerializer(serializers.Serializer[object]):
    dataset = serializers.CharField(required=False, max_length=MAX_LENGTH)
    archived = serializers.BooleanField(allow_null=True, default=None)


@examples(
    {
        "Three raters for each response": {
            "slug": "june-study",
            "dataset": "june-data",
            "protocol": "article-accuracy",
            "overlap": 3,
        }
    }
)
class NewProjectSerializer(serializers.Serializer[object]):
    """A project to create over all responses of a data set."""

    slug = serializers.SlugField(max_length=MAX_LENGTH)
    dataset = serializers.SlugField(max_length=MAX_LENGTH)
    protocol = serializers.CharField(max_length=130, help_text="SLUG (the newest version) or SLUG@VERSION.")
    title = OptionalText(max_length=TITLE_LENGTH)
    overlap = serializers.IntegerField(default=1, min_value=1, max_value=MOST_RATERS)
    seed = serializers.IntegerField(default=1, min_value=0, max_value=MAX_SEED)
    skips_claim_free = serializers.BooleanField(default=False)
    sampling_design = serializers.ChoiceField(choices=Project.SamplingDesign.choices, allow_blank=True, default="")
    sample_size = serializers.IntegerField(allow_null=True, default=None, min_value=1, max_value=2**31 - 1)
    sampling_judge = serializers.CharField(allow_null=True, default=None, max_length=200, help_text="NAME or NAME@N.")

    def validate_slug(self, slug: str) -> str:
        """Refuse names that the site or another project has."""
        if slug == RESERVED:
            raise serializers.ValidationError(f"'{slug}' is reserved by the site: choose another name.")
        if Project.objects.filter(slug=slug).exists():
            raise serializers.ValidationError(f"project '{slug}' already exists: choose another name")
        return slug


@examples(
    {
        "More raters for each response": {"overlap": 4},
        "Title and precision": {
            "title": "Reading comprehension, June",
            "target_half_width": 0.03,
            "suggestions": False,
        },
    }
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


class Projects(ListView):
    """The caller's projects, for admins all, the newest first."""

    serializer_class = ProjectRowSerializer
    query_serializer = ProjectsQuerySerializer
    for_admins = ("POST",)
    filters = {"dataset": "dataset__slug"}
    ordering = "-pk"

    def get_queryset(self) -> QuerySet[Project]:
        rows = projects_for(caller(self.request)).select_related("dataset", "protocol")
        archived = self.query["archived"]
        return rows if archived is None else rows.filter(archived_at__isnull=not archived)

    @extend_schema(parameters=[ETAG], request=NewProjectSerializer, responses={201: ProjectSerializer})
    def post(self, request: Request) -> Response:
        """Create a project over all responses of a data set. Members are added afterwards. For admins."""
        body = validate(NewProjectSerializer, request.data)
        dataset, protocol = Dataset.objects.filter(slug=body["dataset"]).first(), find_protocol(body["protocol"])
        if dataset is None:
            raise ValidationError({"dataset": [f"There is no data set {body['dataset']!r}."]})
        if protocol is None:
            raise ValidationError({"protocol": [f"There is no protocol {body['protocol']!r}."]})
        if body["sampling_judge"]:
            body["sampling_judge"] = judge_named(body["sampling_judge"], "sampling_judge")
        project = create_project(**{**body, "dataset": dataset, "protocol": protocol}, actor=caller(request))
        response = tagged(request, ProjectSerializer(project_for(caller(request), project.slug)).data)
        response.status_code = status.HTTP_201_CREATED
        response["Location"] = request.build_absolute_uri(f"/api/v1/projects/{project.slug}/")
        return response


class SingleProject(ProjectView, ObjectView):
    """The project with its settings. For leads."""

    serializer_class = ProjectSerializer
    for_admins = ("DELETE",)
    is_tagged = True

    def get_object(self) -> Project:
        return self.project

    @extend_schema(request=ProjectSettingsSerializer)
    def patch(self, request: Request, slug: str) -> Response:
        """Change settings, all or none. For leads; `hides_raters` for admins."""
        body = validate(ProjectSettingsSerializer, request.data)
        with transaction.atomic():
            Project.objects.select_for_update(no_key=True).get(pk=self.project.pk)
            self.fetch()
            self.require_match(self.project)
            _change(self.project, body, caller(request))
        self.fetch()
        return self.answer(self.project)

    @extend_schema(responses={202: JobSerializer})
    def delete(self, request: Request, slug: str) -> Response:
        """Archive the project and delete it in a job, with its ratings and reports. For admins."""
        job = project_deletion(self.project, actor=caller(request))
        enqueue(job)
        return started(request, job)


_SETTINGS: dict[str, Callable[..., object]] = {
    "title": set_title,
    "overlap": change_overlap,
    "target_half_width": set_target,
    "suggestions": set_suggestions,
    "prefetch_limit": set_prefetch_limit,
    "skips_claim_free": set_skipping,
    "hides_raters": set_hiding,
}
"""Field -> the function that sets it, which the pages call too."""


def _change(project: Project, body: dict[str, Any], actor: User) -> None:
    """Change the settings that the body names. Raises ValidationError at the field, or PermissionDenied."""
    if "hides_raters" in body:
        require_admin(actor)
    for field, change in _SETTINGS.items():
        if field in body:
            with at_field(field):
                change(project, body[field], actor=actor)
    if "verdict_visibility" in body or "shown_judge" in body:
        visibility = body.get("verdict_visibility", project.verdict_visibility)
        judge = judge_named(body["shown_judge"], "shown_judge") if body.get("shown_judge") else project.shown_judge
        with at_field("verdict_visibility"):
            set_verdict_visibility(project, visibility, judge, actor=actor)
    if "archived" in body:
        (archive if body["archived"] else unarchive)(project, actor=actor)
