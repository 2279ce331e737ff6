"""What a view gets that asks for a session."""

from django.http import HttpRequest

from ..models import User


class Request(HttpRequest):
    """A request that `login_required` let through, so there is somebody behind it."""

    user: User
