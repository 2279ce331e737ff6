"""Every error has one shape, `{"detail": "…", "errors": {field: […]}}`; some have a key more (409: what is stored)."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from ..projects.guidelines import NotPublishable
from ..qualification.gates import BlockedByGate
from ..queue.errors import AlreadyFinished, LeaseLost, ProjectArchived, RaterPaused
from ..rating.finish import StillOpen
from ..rating.submit import KeyReused, NoSuchItem, NotAllowed, Outdated
from ..reviewing.rater_questions import NoSuchInquiry


def answer_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """What a raised error becomes; None for one that nobody expected (500)."""
    body = _of_the_work(error)
    if body is not None:
        return Response(body[1], status=body[0])
    response = exception_handler(error, context)
    if response is not None:
        response.data = _shape(error, response.data)
    return response


def _of_the_work(error: Exception) -> tuple[int, dict] | None:
    detail: dict[str, Any] = {"detail": str(error)}
    match error:
        case NotAllowed():
            return status.HTTP_400_BAD_REQUEST, detail | {"errors": error.errors}
        case Outdated():
            stored = {"version": error.version, "answers": error.answers, "evidence": error.evidence}
            stored |= {"comment": error.comment}
            return status.HTTP_409_CONFLICT, detail | stored
        case StillOpen():
            return status.HTTP_409_CONFLICT, detail | {"open": [str(item) for item in error.open]}
        case AlreadyFinished():
            return status.HTTP_409_CONFLICT, detail | {"errors": {}}
        case BlockedByGate():
            return status.HTTP_403_FORBIDDEN, detail | {"errors": {}, "gate": error.gate}
        case RaterPaused():
            return status.HTTP_423_LOCKED, detail | {"errors": {}, "gate": "paused"}
        case ProjectArchived():
            return status.HTTP_423_LOCKED, detail | {"errors": {}}
        case LeaseLost():
            return status.HTTP_410_GONE, detail | {"errors": {}}
        case KeyReused():
            return status.HTTP_422_UNPROCESSABLE_ENTITY, detail | {"errors": {"Idempotency-Key": [str(error)]}}
        case NotPublishable():
            errors = {field: [message] for field, message in error.errors.items()}
            return status.HTTP_400_BAD_REQUEST, detail | {"errors": errors}
        case NoSuchItem() | NoSuchInquiry():
            return status.HTTP_404_NOT_FOUND, detail | {"errors": {}}
    return None


def _shape(error: Exception, data: Any) -> dict[str, Any]:
    if isinstance(error, ValidationError):
        errors = {
            name: _flat(messages) for name, messages in (data if isinstance(data, dict) else {"body": data}).items()
        }
        return {"detail": _("This request cannot be taken as it is."), "errors": errors}
    detail = data.get("detail") if isinstance(data, dict) else data
    if detail is None and isinstance(error, APIException):
        detail = error.detail
    return {"detail": str(detail), "errors": {}}


def _flat(detail: Any, where: str = "") -> list[str]:
    """What is wrong with one field as lines, those about its parts with their place."""
    if isinstance(detail, dict):
        return [line for key, inner in detail.items() for line in _flat(inner, f"{where}{key}: ")]
    if isinstance(detail, list):
        return [line for inner in detail for line in _flat(inner, where)]
    return [f"{where}{detail}"]
