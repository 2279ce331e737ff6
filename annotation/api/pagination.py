"""Pages of lists by keyset: a page starts after the last row of the page before, so that rows that are added or deleted
meanwhile neither repeat nor hide others, and the last page costs what the first one does.
"""

from typing import Any

from django.core.exceptions import ValidationError as InvalidValue
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response

MAX_LIMIT = 1000


class Keyset(CursorPagination):
    """DRF's cursors over a field with unique values. The answer has `Link` headers; a bad cursor is an error of the
    request (400), and after the last row a page is empty.
    """

    page_size = 100
    page_size_query_param = "limit"
    page_size_query_description = "Rows of a page."
    cursor_query_description = "Where the page starts: follow `next` or the `Link` header."
    max_page_size = MAX_LIMIT

    def get_page_size(self, request: Request) -> int:
        """Return the number of rows. Raises ValidationError."""
        text = request.query_params.get("limit", str(self.page_size))
        if not (text.isdecimal() and text.isascii() and len(text) < 6 and 1 <= int(text) <= MAX_LIMIT):
            raise ValidationError({"limit": [f"A number from 1 to {MAX_LIMIT}."]})
        return int(text)

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        """Return the rows of the page. Raises ValidationError."""
        self.ordering = view.get_ordering()
        try:
            return list(super().paginate_queryset(queryset, request, view) or [])
        except (NotFound, ValueError, InvalidValue):
            raise ValidationError({"cursor": ["There is no such page: follow the links of an answer."]}) from None

    def get_paginated_response(self, data: Any) -> Response:
        """Return the rows with the addresses of the pages before and after."""
        links = {"next": self.get_next_link(), "prev": self.get_previous_link()}
        header = ", ".join(f'<{address}>; rel="{name}"' for name, address in links.items() if address)
        body = {"results": data, "next": links["next"], "previous": links["prev"]}
        return Response(body, headers={"Link": header} if header else {})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Describe the answer."""
        address = {"type": "string", "nullable": True, "format": "uri"}
        return {
            "type": "object",
            "required": ["results", "next", "previous"],
            "properties": {"results": schema, "next": address, "previous": address},
        }

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Describe the query parameters, with the one that selects fields (`views`)."""
        limits = {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": self.page_size}
        [cursor, limit] = super().get_schema_operation_parameters(view)
        fields = {
            "name": "fields",
            "in": "query",
            "required": False,
            "description": "Names of fields, separated by commas: the rows have no others.",
            "schema": {"type": "string"},
        }
        return [cursor, {**limit, "schema": limits}, fields]
