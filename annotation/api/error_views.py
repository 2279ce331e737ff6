"""Errors outside the views, such as an unknown address, in the form of the API."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views import defaults


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Handle 404 (`handler404`): JSON under /api/, a page elsewhere."""
    if not request.path.startswith("/api/"):
        return defaults.page_not_found(request, exception)
    detail = "There is no such address in the API: /api/v1/docs/ lists those that there are."
    return JsonResponse({"detail": detail, "errors": {}}, status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Handle 500 (`handler500`): JSON under /api/, a page elsewhere."""
    if not request.path.startswith("/api/"):
        return defaults.server_error(request)
    detail = "The program broke down over this request. The log of the server says where."
    return JsonResponse({"detail": detail, "errors": {}}, status=500)
