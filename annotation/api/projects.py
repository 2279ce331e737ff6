"""Projects and their settings."""

from django.db import transaction
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.jobs import enqueue

from ..access import project_for, projects_for
from ..judging.judges import find_judge
from ..model_calls.errors import ModelError
from ..models import Dataset, Judge, Project, ProtocolVersion
from ..projects.archiving import archive, unarchive
from ..projects.create import MAX_SHORT_NAME, RESERVED, create_project
from ..projects.deleting import project_deletion
from ..projects.project_settings import CHECKS, SETTINGS, Setting, SettingError, When, change_settings
from ..projects.protocol_versions import find_protocol
from .authentication import caller
from .imports import MAX_SEED
from .jobs import JobSerializer, started
from .parsers import validate
from .records import RowSerializer, examples
from .schema import ETAG
from .views import ListView, ObjectView, ProjectView, tagged

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


class ProjectRowSerializer(RowSerializer):
    dataset = serializers.CharField(source="dataset.slug")
    protocol = serializers.SerializerMethodField(help_text="SLUG@VERSION")
    sampling_design = serializers.CharField(allow_blank=True, help_text="Empty: raters are asked about all items.")

    class Meta:
        model = Project
        fields: tuple[str, ...] = (
            *("slug", "title", "dataset", "protocol", "overlap", "seed", "sampling_design", "sample_size"),
            *("created_at", "archived_at"),
        )

    def get_protocol(self, project: Project) -> str:
        """Return the name that `POST /projects/` takes."""
        return f"{project.protocol.slug}@{project.protocol.version}"


class ProjectSerializer(ProjectRowSerializer):
    shown_judge = serializers.CharField(source="shown_judge.label", allow_null=True, default=None)
    sampling_judge = serializers.CharField(source="sampling_judge.label", allow_null=True, default=None)

    class Meta(ProjectRowSerializer.Meta):
        fields = tuple(dict.fromkeys([*ProjectRowSerializer.Meta.fields, *SETTINGS_OF_PROJECT, "sampling_judge"]))
        extra_kwargs = {
            name: {"help_text": setting_options(SETTINGS[name])["help_text"]} for name in SETTINGS_OF_PROJECT
        }


def _judge(label: str | None) -> Judge | None:
    try:
        return find_judge(label) if label else None
    except ModelError as error:
        raise serializers.ValidationError(str(error)) from None


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
        if protocol := find_protocol(name):
            return protocol
        raise serializers.ValidationError(f"There is no protocol {name!r}.")

    def validate_sampling_judge(self, label: str | None) -> Judge | None:
        return _judge(label)


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
        return _judge(label)


class ProjectsQuerySerializer(serializers.Serializer[object]):
    dataset = serializers.CharField(required=False, max_length=MAX_SHORT_NAME)
    archived = serializers.BooleanField(allow_null=True, default=None)


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
        project = create_project(**validate(NewProjectSerializer, request.data), actor=caller(request))
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
            archived = body.pop("archived", None)
            try:
                change_settings(self.project, body, actor=caller(request))
            except SettingError as error:
                raise ValidationError({error.setting.name: [str(error)]}) from None
            if archived is not None:
                (archive if archived else unarchive)(self.project, actor=caller(request))
        self.fetch()
        return self.answer(self.project)

    @extend_schema(responses={202: JobSerializer})
    def delete(self, request: Request, slug: str) -> Response:
        """Archive the project and delete it in a job, with its ratings and reports. For admins."""
        job = project_deletion(self.project, actor=caller(request))
        enqueue(job)
        return started(request, job)
