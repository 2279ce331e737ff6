"""What a token of limited scope or for one project may request. A session and a full token may all that a user may."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.http import Http404
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from ..models import ApiToken, Assignment, Job, Sheet
from ..site.log_settings import log_attempt

if TYPE_CHECKING:
    from rest_framework.views import APIView  # at run time its module reads the setting that names this one


class WithinTokenLimits(BasePermission):
    """Refuse what is outside the scope of the request's token with 403, and other projects with 404.

    Views of a rater's work have the attribute `for_raters`. A route of no project is refused to tokens of one project.
    That a token of scope lead does nothing of an admin follows from `User.is_admin`.
    """

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """Return True. Raises PermissionDenied or Http404."""
        token = request.auth
        if isinstance(token, ApiToken):
            try:
                _check_limits(token, request.method or "", view)
            except (PermissionDenied, Http404):
                log_attempt(f"a request outside of the limits of the token {token.prefix}")
                raise
        return True


def _check_limits(token: ApiToken, method: str, view: "APIView") -> None:
    _check_scope(token, method, view)
    if token.project_id is not None:
        _check_project(token, view.kwargs)


def _check_scope(token: ApiToken, method: str, view: "APIView") -> None:
    if token.scope == ApiToken.Scope.READ and method not in SAFE_METHODS:
        raise PermissionDenied("This token can only read.")
    is_work = getattr(view, "for_raters", False)
    if token.scope == ApiToken.Scope.RATE and not is_work:
        raise PermissionDenied("This token can only rate.")
    if token.scope in (ApiToken.Scope.LEAD, ApiToken.Scope.ADMIN) and is_work and method not in SAFE_METHODS:
        raise PermissionDenied("This token cannot rate.")


def _check_project(token: ApiToken, parameters: Mapping[str, Any]) -> None:
    match parameters:
        case {"slug": slug}:
            is_of_project = token.project is not None and token.project.slug == slug
        case {"assignment_id": public_id}:
            is_of_project = Assignment.objects.filter(public_id=public_id, project=token.project_id).exists()
        case {"document_id": public_id}:
            sheets = Sheet.objects.filter(project=token.project_id)
            is_of_project = sheets.filter(document__public_id=public_id).exists()
        case {"report_id": public_id} | {"job_id": public_id}:
            is_of_project = Job.objects.filter(public_id=public_id, project=token.project_id).exists()
        case _:
            raise PermissionDenied("This token is limited to one project.")
    if not is_of_project:
        raise Http404("This token is limited to another project.")
