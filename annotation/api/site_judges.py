"""The judges of the site for programs of admins: listing and creating versions."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from ..importing.item_lists import find_item
from ..importing.manual_items import ItemDescription
from ..importing.problems import BadRecord
from ..judging.judges import repeat_judge
from ..judging.tuning import create_tuned_judge, tuning_items_of, with_tuned
from ..model_calls.keys import check_key_variable
from ..models import Item, Judge, Project, User
from .authentication import caller
from .endpoint_serializers import SettingsSerializer
from .errors import at_field
from .judges import VERSION
from .parsers import validate
from .records import OptionalText
from .views import AdminView


class HasKey(serializers.BooleanField):
    """Whether an endpoint has a key, which is in no response."""

    def __init__(self) -> None:
        super().__init__(source="encrypted_key", read_only=True, help_text="Whether a key is stored.")

    def to_representation(self, value: object) -> bool:
        return bool(value)


class NewKey(serializers.CharField):
    def __init__(self) -> None:
        help_text = "Stored encrypted, and in no response. Empty: the stored key stays."
        super().__init__(required=False, default="", allow_blank=True, max_length=1_000, help_text=help_text)


class ConfigurationSerializer(SettingsSerializer):
    """A rule, or a model at an endpoint with its prompt, limits and prices. The key is in no response."""

    class Meta:
        model = Judge
        fields: ClassVar[tuple[str, ...]] = Judge.SETTINGS


class TuningItemSerializer(serializers.Serializer[object]):
    """An item that tuned the prompt of a judge."""

    response = serializers.CharField(max_length=1_000, help_text="Its imported id.")
    item = serializers.IntegerField(min_value=0, max_value=10**6, help_text="Its position in the response.")
    unit = serializers.ChoiceField(choices=Item.Unit.choices, default=Item.Unit.SENTENCE)
    against = OptionalText(max_length=1_000, help_text="The other response of a pair.")


class NewJudgeSerializer(ConfigurationSerializer):
    """A new judge, or the next version of one. What is missing has its default."""

    key = NewKey()
    repeat = serializers.BooleanField(
        default=False,
        help_text="Make the next version with all that the newest has, which asks again; with `name` alone.",
    )
    tuned_on_project = serializers.SlugField(
        allow_null=True, default=None, help_text="The rated items of this project tuned the prompt."
    )
    tuned_on = serializers.ListField(
        child=TuningItemSerializer(), default=list, max_length=10_000, help_text="What tuned the prompt."
    )

    class Meta(ConfigurationSerializer.Meta):
        fields = ("name", *Judge.SETTINGS, "key", "repeat", "tuned_on_project", "tuned_on")


class CreatedJudgeSerializer(serializers.Serializer[Judge]):
    """The version that has this configuration."""

    judge = serializers.CharField(source="label", help_text=VERSION)


class SiteJudgeSerializer(ConfigurationSerializer):
    """A version of a judge with its configuration."""

    judge = serializers.CharField(source="label", help_text=VERSION)
    created_at = serializers.DateTimeField()
    tuning_items = serializers.IntegerField(
        source="tuned", help_text="Number of items that tuned it or an earlier version."
    )
    has_key = HasKey()

    class Meta(ConfigurationSerializer.Meta):
        fields = (*Judge.SETTINGS, "judge", "created_at", "tuning_items", "has_key")


class SiteJudgesSerializer(serializers.Serializer[object]):
    """The versions of all judges, by name."""

    judges = SiteJudgeSerializer(many=True)


class SiteJudges(AdminView):
    @extend_schema(responses=SiteJudgesSerializer)
    def get(self, request: Request) -> Response:
        """All versions of all judges with their configurations, without keys. For admins."""
        return Response(SiteJudgesSerializer({"judges": with_tuned(Judge.objects.all())}).data)

    @extend_schema(request=NewJudgeSerializer, responses={200: CreatedJudgeSerializer, 201: CreatedJudgeSerializer})
    def post(self, request: Request) -> Response:
        """Create a judge, or its next version: 201. With the configuration of its newest version, 200: only the key is
        replaced, if one is given, and items that tuned the prompt are added. For admins.
        """
        values = validate(NewJudgeSerializer, request.data)
        with at_field("judge"):
            judge, is_new = _create(values, caller(request))
        created = status.HTTP_201_CREATED if is_new else status.HTTP_200_OK
        return Response(CreatedJudgeSerializer(judge).data, status=created)


def _create(values: dict[str, Any], actor: User) -> tuple[Judge, bool]:
    key, repeat = values.pop("key"), values.pop("repeat")
    tuned_on = _tuning_items(values.pop("tuned_on_project"), values.pop("tuned_on"))
    settings = Judge(**values)
    if repeat:
        if settings.setting_values() != Judge().setting_values() or key or tuned_on:
            message = "A repetition has the configuration of the newest version: send the name alone."
            raise ValidationError({"repeat": [message]})
        return repeat_judge(settings.name, actor=actor), True
    check_key_variable(settings.key_env)
    return create_tuned_judge(settings, tuned_on, key=key, actor=actor)


def _tuning_items(slug: str | None, rows: list[dict[str, Any]]) -> list[int]:
    """Return the items (primary keys) of a project and of a list. Raises ModelError and ValidationError."""
    items = []
    if slug:
        project = Project.objects.filter(slug=slug).first()
        if project is None:
            raise ValidationError({"tuned_on_project": [f"There is no project {slug!r}."]})
        items += tuning_items_of(project)
    for number, row in enumerate(rows):
        described = ItemDescription(row["response"], row["against"], row["unit"], row["item"], "", None, None, "", None)
        try:
            items.append(find_item(described))
        except BadRecord as problem:
            raise ValidationError({"tuned_on": [f"{number}: {problem}"]}) from None
    return items
