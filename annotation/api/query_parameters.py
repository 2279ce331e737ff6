"""Query parameters: a request may have those that the OpenAPI schema declares for it, once if they are no lists."""

from collections.abc import Callable, Collection
from functools import cache
from typing import Any

from django.http import HttpResponseBase
from django.urls import path
from drf_spectacular.generators import SchemaGenerator
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.serializers import Serializer
from rest_framework.views import APIView


class QueryCheckedView(APIView):
    """A view that refuses query parameters that it does not declare: a misspelled filter would return all rows.

    Its schema follows from the attributes.
    """

    for_admins: Collection[str] = ()
    """Methods that only admins may call."""
    query_serializer: type[Serializer[object]] | None = None
    """The query parameters of GET."""
    is_tagged = False
    """Whether what is stored has an entity tag."""
    further_errors: Collection[int] = ()
    """Errors beside those that follow from the class."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check the query after the caller's rights. Raises ValidationError."""
        super().initial(request, *args, **kwargs)
        match = request.resolver_match
        if not request.query_params or match is None:
            return
        method = "get" if request.method == "HEAD" else str(request.method).lower()
        declared = declared_parameters(match.func, match.route).get(method)
        if declared is None:  # OPTIONS, or 405
            return
        names = ", ".join(declared)
        unknown = (
            f"There is no such query parameter. The parameters are: {names}."
            if declared
            else "There is no such query parameter: this request has none."
        )
        repeated = "The query has several values: send one."
        problems = {name: [unknown] for name in request.query_params if name not in declared}
        problems |= {
            name: [repeated]
            for name, is_list in declared.items()
            if not is_list and len(request.query_params.getlist(name)) > 1
        }
        if problems:
            raise ValidationError(problems)


class _Generator(SchemaGenerator):
    """A generator that describes operations, too, that are excluded from the schema."""

    def create_view(self, *args: Any, **kwargs: Any) -> Any:
        """Return the view of an operation."""
        view = super().create_view(*args, **kwargs)
        view.schema.is_excluded = lambda: False
        return view


@cache
def declared_parameters(view: Callable[..., HttpResponseBase], route: str) -> dict[str, dict[str, bool]]:
    """Return, for each method of a view, the names of its query parameters, and whether they may be repeated."""
    [operations] = _Generator(patterns=[path(route, view)]).parse(None, public=True).values()
    return {
        method: {
            parameter["name"]: parameter["schema"].get("type") == "array"
            for parameter in operation.get("parameters", [])
            if parameter["in"] == "query"
        }
        for method, operation in operations.items()
    }
