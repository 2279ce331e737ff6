"""The API reference: drf-spectacular's Swagger UI, with its files from the sidecar package."""

from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponseBase
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request


class ApiDocs(SpectacularSwaggerSplitView):
    """The page, and its initialization script as a separate request because the CSP forbids inline scripts."""

    permission_classes = [AllowAny]  # `get` sends anonymous readers to the login page; other routes answer 401
    url_name = "api_schema"
    template_name = "api/docs.html"

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponseBase:
        """Return the page to a user with a session or a token."""
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        return super().get(request)
