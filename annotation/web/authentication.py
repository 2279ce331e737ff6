"""The request type of views that require a session, and the session check for pages with refused requests."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe
from django_htmx.middleware import HtmxDetails

from ..models import User


class Request(HttpRequest):
    """A request to a view that requires a login, so it has a user."""

    user: User
    htmx: HtmxDetails


@login_not_required
@ensure_csrf_cookie
@require_safe
def session_user(request: HttpRequest) -> JsonResponse:
    """Return `{"rater": id}`, null without a session. Set a CSRF cookie, which a page open for days may have lost."""
    return JsonResponse({"rater": request.user.pk})
