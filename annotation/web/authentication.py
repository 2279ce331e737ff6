"""Who is signed in: what a view gets that asks for a session, and what a page asks when its requests are refused."""

from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe
from django_htmx.middleware import HtmxDetails

from ..models import User


class Request(HttpRequest):
    """A request that `login_required` let through, so there is somebody behind it."""

    user: User
    htmx: HtmxDetails


@ensure_csrf_cookie
@require_safe
def who(request: HttpRequest) -> JsonResponse:
    """Return `{"rater": id}`, null if not signed in. Set a CSRF cookie, which a page open for days may have lost."""
    return JsonResponse({"rater": request.user.pk})
