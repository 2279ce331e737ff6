"""Errors outside the views, such as an unknown address, in the form of the API."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views import defaults


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Handle 404 (`handler404`): JSON under /api/, a page elsewhere."""
    if not request.path.startswith("/api/"):
        return defaults.page_not_found(request, exception)
    detail = "The API has no such endpoint: see /api/v1/docs/."
    return JsonResponse({"detail": detail, "errors": {}}, status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Handle 500 (`handler500`): JSON under /api/, a page elsewhere."""
    if not request.path.startswith("/api/"):
        return defaults.server_error(request)
    detail = "The server failed on this request. Its log says where."
    return JsonResponse({"detail": detail, "errors": {}}, status=500)
