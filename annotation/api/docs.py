"""The OpenAPI schema, and the API reference: drf-spectacular's Swagger UI, with its files from the sidecar package."""

from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from .query_parameters import QueryCheckedView


class ApiSchema(QueryCheckedView, SpectacularAPIView):
    """The schema, in YAML or JSON."""

    def get_format_suffix(self, **kwargs: Any) -> str | None:
        """Return the format that the query names; without one the header `Accept` decides."""
        return self.request.GET.get("format")

    @extend_schema(
        exclude=True, parameters=[OpenApiParameter("format", enum=["yaml", "json"])], responses=OpenApiTypes.OBJECT
    )
    def get(self, request: Request) -> Response:
        """Return the schema."""
        return super().get(request)


class ApiDocs(QueryCheckedView, SpectacularSwaggerSplitView):
    """The page, and its initialization script as a separate request because the CSP forbids inline scripts."""

    permission_classes = [AllowAny]  # `get` sends anonymous readers to the login page; other routes answer 401
    url_name = "api_schema"
    template_name = "api/docs.html"

    @extend_schema(exclude=True, parameters=[OpenApiParameter("script")], responses=OpenApiTypes.STR)
    def get(self, request: Request) -> HttpResponseBase:
        """Return the page to a user with a session or a token."""
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        return super().get(request)
