"""The judges of the site for programs of admins: listing and creating versions."""

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import require_admin
from ..judging.errors import JudgeError
from ..judging.judges import Configuration, check_key_variable, create_judge
from ..models import Judge
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
        return Response(SiteJudgesSerializer({"judges": Judge.objects.all()}).data)

    @extend_schema(
        request=NewJudgeSerializer,
        responses={200: CreatedJudgeSerializer, 201: CreatedJudgeSerializer, **errors(400, 403)},
    )
    def post(self, request: Request) -> Response:
        """Create a judge, or its next version: 201. With the configuration of its newest version, 200: only the key is
        replaced, if one is given. For admins.
        """
        require_admin(caller(request))
        values = validate(NewJudgeSerializer, request.data)
        name, key = values.pop("name"), values.pop("key")
        try:
            check_key_variable(values["key_env"])
            judge, is_new = create_judge(name, Configuration(**values), key=key, actor=caller(request))
        except JudgeError as error:
            raise ValidationError({"judge": [str(error)]}) from None
        created = status.HTTP_201_CREATED if is_new else status.HTTP_200_OK
        return Response(CreatedJudgeSerializer(judge).data, status=created)
