"""The form of every error: `{"detail": "…", "errors": {field: […]}}`; some have one more key (409: stored answer)."""

from typing import Any, TypedDict

from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from ..judging.errors import JudgeBusy
from ..projects.guidelines import NotPublishable
from ..qualification.gates import BlockedByGate
from ..queue.errors import AlreadyFinished, LeaseLost, ProjectArchived, RaterPaused
from ..rating.finish import StillOpen
from ..rating.submit import KeyReused, NoSuchItem, NotAllowed, Outdated
from ..reporting.computation_limit import SECONDS_TO_WAIT, TooManyComputationsError
from ..reviewing.rater_questions import NoSuchRaterQuestion


def answer_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the response to a raised error; None for an unexpected one (500)."""
    if response := _work_errors(error):
        return response
    response = exception_handler(error, context)
    if response is not None:
        response.data = _body(error, response.data)
    return response


def _work_errors(error: Exception) -> Response | None:
    match error:
        case NotAllowed():
            return _respond(status.HTTP_400_BAD_REQUEST, error, errors=error.errors)
        case Outdated():
            stored = {"answers": error.answers, "evidence": error.evidence, "comment": error.comment}
            return _respond(status.HTTP_409_CONFLICT, error, version=error.version, **stored)
        case StillOpen():
            return _respond(status.HTTP_409_CONFLICT, error, open=[str(item) for item in error.open])
        case AlreadyFinished() | JudgeBusy():
            return _respond(status.HTTP_409_CONFLICT, error, errors={})
        case BlockedByGate():
            return _respond(status.HTTP_403_FORBIDDEN, error, errors={}, gate=error.gate)
        case RaterPaused():
            return _respond(status.HTTP_423_LOCKED, error, errors={}, gate="paused")
        case ProjectArchived():
            return _respond(status.HTTP_423_LOCKED, error, errors={})
        case LeaseLost():
            return _respond(status.HTTP_410_GONE, error, errors={})
        case KeyReused():
            return _respond(status.HTTP_422_UNPROCESSABLE_ENTITY, error, errors={"Idempotency-Key": [str(error)]})
        case NotPublishable():
            errors = {field: [message] for field, message in error.errors.items()}
            return _respond(status.HTTP_400_BAD_REQUEST, error, errors=errors)
        case TooManyComputationsError():
            response = _respond(
                status.HTTP_503_SERVICE_UNAVAILABLE, _("Several reports are being computed."), errors={}
            )
            response["Retry-After"] = str(SECONDS_TO_WAIT)
            return response
        case NoSuchItem() | NoSuchRaterQuestion():
            return _respond(status.HTTP_404_NOT_FOUND, error, errors={})
    return None


def _respond(code: int, error: Exception | str, **fields: object) -> Response:
    return Response({"detail": str(error), **fields}, status=code)


class _Body(TypedDict):
    detail: str
    errors: dict[str, list[str]]


def _body(error: Exception, data: Any) -> _Body:
    if isinstance(error, ValidationError):
        errors = {
            name: _flat(messages) for name, messages in (data if isinstance(data, dict) else {"body": data}).items()
        }
        return {"detail": _("This request is not valid."), "errors": errors}
    detail = data.get("detail") if isinstance(data, dict) else data
    if detail is None and isinstance(error, APIException):
        detail = error.detail
    return {"detail": str(detail), "errors": {}}


def _flat(detail: Any, where: str = "") -> list[str]:
    """Return the messages of one field, each with the position of the invalid part."""
    if isinstance(detail, dict):
        return [line for key, inner in detail.items() for line in _flat(inner, f"{where}{key}: ")]
    if isinstance(detail, list):
        return [line for inner in detail for line in _flat(inner, where)]
    return [f"{where}{detail}"]
