"""The judges of the site for programs of admins: listing and creating versions."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import require_admin
from ..importing.item_lists import find_item
from ..importing.manual_items import ItemDescription
from ..importing.problems import BadRecord
from ..judging.judges import repeat_judge
from ..judging.tuning import create_tuned_judge, tuning_items_of, with_tuned
from ..model_calls.errors import ModelError
from ..model_calls.keys import check_key_variable
from ..models import Judge, Project, User
from .authentication import caller
from .parsers import validate
from .schema import errors
from .site_judge_serializers import CreatedJudgeSerializer, NewJudgeSerializer, SiteJudgesSerializer
from .views import ApiView


class SiteJudges(ApiView):
    """The judges of the site."""

    @extend_schema(responses={200: SiteJudgesSerializer, **errors(403)})
    def get(self, request: Request) -> Response:
        """All versions of all judges with their configurations, without keys. For admins."""
        require_admin(caller(request))
        return Response(SiteJudgesSerializer({"judges": with_tuned(Judge.objects.all())}).data)

    @extend_schema(
        request=NewJudgeSerializer,
        responses={200: CreatedJudgeSerializer, 201: CreatedJudgeSerializer, **errors(403)},
    )
    def post(self, request: Request) -> Response:
        """Create a judge, or its next version: 201. With the configuration of its newest version, 200: only the key is
        replaced, if one is given, and items that tuned the prompt are added. For admins.
        """
        require_admin(caller(request))
        values = validate(NewJudgeSerializer, request.data)
        try:
            judge, is_new = _create(values, caller(request))
        except ModelError as error:
            raise ValidationError({error.field or "judge": [str(error)]}) from None
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
