"""The base class of the views: idempotency keys, pages of lists, selected fields, entity tags."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from rest_framework import status
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import ListSerializer, Serializer

from ..site.garbage_collection import collector_paused
from .authentication import caller
from .idempotency import key_of, run_once
from .pagination import Keyset
from .query_parameters import QueryCheckedView
from .throttling import add_rate_limit

FIELDS = "fields"
"""The query parameter that selects fields."""


class Changed(APIException):
    """What is stored is not what the caller has read (`If-Match`)."""

    status_code = status.HTTP_412_PRECONDITION_FAILED


class ApiView(QueryCheckedView):
    """A view of the API."""

    own_receipts: Sequence[str] = ()
    """Methods that store idempotency keys themselves."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check the caller's rights and the query; let a write with an idempotency key run once."""
        super().initial(request, *args, **kwargs)
        if any("\0" in str(value) for value in kwargs.values()):
            raise Http404("The address has a character that no name has.")
        method = request.method or ""
        if method in SAFE_METHODS or method in self.own_receipts or not hasattr(self, method.lower()):
            return
        if key := key_of(request):
            work = getattr(self, method.lower())
            once = partial(self._run_once, work, key)
            setattr(self, method.lower(), once)  # each request has a view of its own

    def check_permissions(self, request: Request) -> None:
        """Count the request against the limit of its token, then check the rights: a refused request counts too."""
        super().check_throttles(request)
        super().check_permissions(request)

    def check_throttles(self, request: Request) -> None:
        """Do nothing: `check_permissions` has counted the request."""

    def _run_once(self, work: Any, key: str, request: Request, *args: Any, **kwargs: Any) -> Response:
        return run_once(request, caller(request), key, partial(work, request, *args, **kwargs))

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Add what is left of the limit on requests."""
        response = super().finalize_response(request, response, *args, **kwargs)
        add_rate_limit(request, response)
        return response


class ListView(ApiView):
    """A view of a list in pages, with the next page in `Link` and `next`."""

    pagination_class = Keyset

    def page(
        self,
        request: Request,
        rows: QuerySet[Any],
        serializer: type[Serializer[Any]],
        order: str,
        *,
        shown: Callable[[list[Any]], list[Any]] = list,
    ) -> Response:
        """Return one page of `rows` in `order`, a field whose values are unique. `shown` returns what the caller gets
        of them, and records it if that is needed.
        """
        paginator = self.pagination_class()
        paginator.ordering = order
        with collector_paused():
            page = shown(paginator.paginate_queryset(rows, request, view=self))
            return paginator.get_paginated_response(serialize_many(request, page, serializer))


def serialize_many(request: Request, rows: Iterable[Any], serializer: type[Serializer[Any]]) -> Any:
    """Return the rows with all fields, or those that the query parameter `fields` names."""
    row = serializer()
    _select(row, request)
    return ListSerializer(rows, child=row).data


def _select(serializer: Serializer[Any], request: Request) -> None:
    """Remove fields that the request does not name. Raises ValidationError for unknown ones."""
    if FIELDS not in request.query_params:
        return
    names = [name.strip() for name in request.query_params[FIELDS].split(",") if name.strip()]
    if unknown := [name for name in names if name not in serializer.fields]:
        known = ", ".join(serializer.fields)
        raise ValidationError({FIELDS: [f"There is no field {unknown[0]!r}. The fields are: {known}."]})
    for name in set(serializer.fields) - set(names or serializer.fields):
        serializer.fields.pop(name)


def tagged(request: Request, data: Any) -> Response:
    """Return what is stored, with its entity tag; 304 if the caller has it (`If-None-Match`)."""
    return with_tag(request, Response(data), data)


def with_tag(request: Request, response: Response, data: Any) -> Response:
    """Return the response with the entity tag of `data`; 304 if the caller has it (`If-None-Match`)."""
    tag = entity_tag(data)
    if _names(request.headers.get("If-None-Match", "").replace("W/", ""), tag):
        return Response(status=status.HTTP_304_NOT_MODIFIED, headers={"ETag": tag})
    response["ETag"] = tag
    return response


def require_match(request: Request, data: Any) -> None:
    """Raise Changed if the request has `If-Match` and `data`, which is stored, has another tag.

    Call it in the transaction of the change, after the row is locked.
    """
    wanted = request.headers.get("If-Match")
    if wanted is not None and not _names(wanted, entity_tag(data)):  # a weak tag is never one: RFC 9110, 13.1.1
        raise Changed("It was changed in the meantime. Read it again, and send the change with its new ETag.")


def entity_tag(data: Any) -> str:
    """Return the entity tag of a representation."""
    return f'"{hashlib.sha256(JSONRenderer().render(data)).hexdigest()[:32]}"'


def _names(header: str, tag: str) -> bool:
    tags = [part.strip() for part in header.split(",")]
    return "*" in tags or tag in tags
