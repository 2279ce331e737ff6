"""The base classes of the views: access, idempotency keys, pages of lists, selected fields, entity tags.

A route declares what differs: the rows or the object, the serializer, the query, who may call it. `schema` describes
the rest from the same attributes.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, ClassVar, TypeVar

from django.db.models import Model, QuerySet
from django.http import Http404
from rest_framework import status
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.generics import GenericAPIView, ListAPIView, RetrieveAPIView
from rest_framework.metadata import SimpleMetadata
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer, ListSerializer
from rest_framework.views import APIView

from ..access import Needs, dataset_for, project_for, require_admin
from ..models import Dataset, Project
from ..site.garbage_collection import collector_paused
from .authentication import caller
from .idempotency import key_of, run_once
from .pagination import Keyset
from .parsers import validate
from .query_parameters import QueryCheckedView
from .throttling import add_rate_limit

Row = TypeVar("Row", bound=Model)
FIELDS = "fields"
"""The query parameter that selects fields."""


class Changed(APIException):
    """What is stored is not what the caller has read (`If-Match`)."""

    status_code = status.HTTP_412_PRECONDITION_FAILED


class Metadata(SimpleMetadata):
    """The answer to OPTIONS, without fields: the schema has them."""

    def determine_actions(self, request: Request, view: APIView) -> dict[str, Any]:
        return {}


class ApiView(QueryCheckedView):
    """A view of the API."""

    metadata_class = Metadata
    own_receipts: Sequence[str] = ()
    """Methods that store idempotency keys themselves."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check the caller's rights and the query; let a write with an idempotency key run once."""
        super().initial(request, *args, **kwargs)
        if any("\0" in str(value) for value in kwargs.values()):
            raise Http404("The address has a character that no name has.")
        method = request.method or ""
        if not hasattr(self, method.lower()) or method == "OPTIONS":
            return
        work = partial(self._work, getattr(self, method.lower()))
        if method not in SAFE_METHODS and method not in self.own_receipts and (key := key_of(request)):
            work = partial(self._run_once, work, key)
        setattr(self, method.lower(), work)  # each request has a view of its own

    def check_permissions(self, request: Request) -> None:
        """Count the request against the limit of its token, then check the rights: a refused request counts too."""
        super().check_throttles(request)
        super().check_permissions(request)

    def check_throttles(self, request: Request) -> None:
        """Do nothing: `check_permissions` has counted the request."""

    def _work(self, work: Any, request: Request, *args: Any, **kwargs: Any) -> Any:
        self.fetch()
        return work(request, *args, **kwargs)

    def _run_once(self, work: Any, key: str, request: Request, *args: Any, **kwargs: Any) -> Response:
        return run_once(request, caller(request), key, partial(work, request, *args, **kwargs))

    def fetch(self) -> None:
        """Fetch what the address is about, which checks the caller's rights. An answer that is stored under an
        idempotency key is repeated without it. Raises PermissionDenied and Http404.
        """
        if self.request.method in self.for_admins:
            require_admin(caller(self.request))

    @cached_property
    def query(self) -> dict[str, Any]:
        """The validated query parameters of GET. Raises ValidationError."""
        return validate(self.query_serializer, self.request.query_params) if self.query_serializer else {}

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Add what is left of the limit on requests."""
        response = super().finalize_response(request, response, *args, **kwargs)
        add_rate_limit(request, response)
        return response


class AdminView(ApiView):
    for_admins = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")


class ProjectView(ApiView):
    """A view of a project, for its leads."""

    needs: Needs = "lead"
    project: Project

    def fetch(self) -> None:
        super().fetch()
        self.project = project_for(caller(self.request), self.kwargs["slug"], needs=self.needs)


class DatasetView(ApiView):
    """A view of a data set, for admins and for leads of its projects."""

    dataset: Dataset

    def fetch(self) -> None:
        super().fetch()
        self.dataset = dataset_for(caller(self.request), self.kwargs["dataset"])


class ListView(ApiView, ListAPIView[Any]):
    """A view of a list in pages, with the next page in `Link` and `next`."""

    pagination_class = Keyset
    ordering = "pk"
    """A field whose values are unique."""
    filters: ClassVar[Mapping[str, str]] = {}
    """Parameters of the query, with the fields that have their values."""

    def get_ordering(self) -> str:
        return self.ordering

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(**{self.filters[name]: self.query[name] for name in self.filters if name in self.query})

    def shown(self, rows: list[Any]) -> list[Any]:
        """Return what the caller gets of the rows of a page; record it if that is needed."""
        return rows

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        with collector_paused():
            rows = self.shown(self.paginate_queryset(self.filter_queryset(self.get_queryset())) or [])
            return self.get_paginated_response(serialize_many(request, rows, self.get_serializer_class()))


class RecordView(ApiView, GenericAPIView[Any]):
    """A view of one record."""

    def answer(self, shown: object) -> Response:
        """Return the record, with its entity tag if it has one."""
        data = self.data_of(shown)
        return tagged(self.request, data) if self.is_tagged else Response(data)

    def data_of(self, shown: object) -> Any:
        return self.get_serializer_class()(shown).data

    def require_match(self, stored: object) -> None:
        """Raise Changed if the caller has read another version (see `require_match`)."""
        require_match(self.request, self.data_of(stored))


class ObjectView(RecordView, RetrieveAPIView[Any]):
    """A view whose GET answers with what `get_object` returns."""

    def retrieve(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.answer(self.get_object())


def first_or_404(rows: QuerySet[Row], message: str) -> Row:
    """Return the first of the rows. Raises Http404."""
    row = rows.first()
    if row is None:
        raise Http404(message)
    return row


def serialize_many(request: Request, rows: Iterable[Any], serializer: type[BaseSerializer[Any]]) -> Any:
    """Return the rows with all fields, or those that the query parameter `fields` names. Raises ValidationError."""
    row: Any = serializer()
    if FIELDS in request.query_params:
        names = [name.strip() for name in request.query_params[FIELDS].split(",") if name.strip()]
        if unknown := [name for name in names if name not in row.fields]:
            known = ", ".join(row.fields)
            raise ValidationError({FIELDS: [f"There is no field {unknown[0]!r}. The fields are: {known}."]})
        for name in set(row.fields) - set(names or row.fields):
            row.fields.pop(name)
    return ListSerializer(rows, child=row).data


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
