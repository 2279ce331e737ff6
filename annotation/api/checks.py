"""Training, qualification and hidden gold of a project, for leads: rules, and raters under them."""

from collections.abc import Callable

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import project_for
from ..models import Project
from ..projects.members import rater_membership
from ..projects.project_settings import change_settings
from ..pseudonyms import in_shown_order, shown_username, username_of
from ..qualification.pausing import exempt_rater, grant_attempt, lift_pause, pause_rater
from ..qualification.rules import rater_checks
from .authentication import caller
from .parsers import validate
from .response_serializers import AllRaterChecksSerializer, RaterActionSerializer, RulesSerializer
from .schema import DONE, ETAG, IF_MATCH, IF_NONE_MATCH, errors
from .views import ApiView, require_match, tagged


class Rules(ApiView):
    """The rules of a project."""

    @extend_schema(parameters=[IF_NONE_MATCH, ETAG], responses={200: RulesSerializer, 304: None, **errors(403, 404)})
    def get(self, request: Request, slug: str) -> Response:
        """The rules of qualification and hidden gold. For leads."""
        return tagged(request, RulesSerializer(project_for(caller(request), slug, needs="lead")).data)

    @extend_schema(
        parameters=[IF_MATCH, ETAG], request=RulesSerializer, responses={200: RulesSerializer, **errors(403, 404, 412)}
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change rules; raters who have passed stay qualified. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        body = validate(RulesSerializer, request.data)
        with transaction.atomic():
            locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
            require_match(request, RulesSerializer(locked).data)
            change_settings(locked, body, actor=caller(request))
        return tagged(request, RulesSerializer(locked).data)


class RaterChecks(ApiView):
    """Raters under the rules."""

    @extend_schema(
        operation_id="projects_checks_raters_list", responses={200: AllRaterChecksSerializer, **errors(403, 404)}
    )
    def get(self, request: Request, slug: str) -> Response:
        """Attempts, hidden gold and pauses of each rater. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        rows = in_shown_order(rater_checks(project), lambda row: shown_username(row.rater))
        return Response(AllRaterChecksSerializer({"raters": rows}).data)


_ACTIONS: dict[str, Callable[..., object]] = {
    "pause": pause_rater,
    "lift": lift_pause,
    "grant": grant_attempt,
    "let_in": exempt_rater,
}


class RaterAction(ApiView):
    """What a lead does about a rater."""

    @extend_schema(request=RaterActionSerializer, responses={200: DONE, **errors(403, 404)})
    def post(self, request: Request, slug: str, username: str) -> Response:
        """Pause a rater, lift the pause, grant one more attempt, or let the rater in without training. For leads."""
        project = project_for(caller(request), slug, needs="lead")
        membership = rater_membership(project, username_of(username))
        action = validate(RaterActionSerializer, request.data)["action"]
        _ACTIONS[action](project, membership.user, actor=caller(request))
        return Response({})
