"""The form of every error, also of those outside the views: problem details (RFC 9457) with `errors` by field."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views import defaults
from rest_framework import status
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.views import exception_handler

from ..accounts.names import PersonError
from ..jobs import Refused
from ..model_calls.errors import ModelError, RunBusy
from ..projects.guidelines import NotPublishable
from ..projects.protocol_versions import ProtocolClash
from ..protocols.toml_source import TomlError
from ..qualification.gates import BlockedByGate
from ..queue.errors import AlreadyFinished, LeaseLost, NotFinished, ProjectArchived, ProjectError, RaterPaused
from ..rating.finish import StillOpen
from ..rating.submit import KeyReused, NoSuchItem, NotAllowed, Outdated
from ..reporting.computation_limit import SECONDS_TO_WAIT, TooManyComputationsError
from ..reviewing.lead_ratings import NoSuchItem as NoSuchReviewItem
from ..reviewing.lead_ratings import ReviewedMeanwhile
from ..reviewing.rater_questions import NoSuchRaterQuestion
from ..reviewing.sentence_boundaries import BoundaryChangeRefused
from ..site.problems import MEDIA_TYPE, problem, problem_response
from ..webhooks.webhooks import WebhookError
from .idempotency import InProgress

SECONDS_TO_RECONNECT = 5


class Conflict(APIException):
    """What is stored does not allow the request, such as an ended job to be canceled."""

    status_code = status.HTTP_409_CONFLICT


@contextmanager
def at_field(field: str) -> Iterator[None]:
    """Turn the refusal of a change into an error of this field of the request."""
    try:
        yield
    except RunBusy:
        raise
    except Refused as refused:
        raise ValidationError({field: refused.problems}) from None
    except (BoundaryChangeRefused, ModelError, ProjectError) as error:
        raise ValidationError({field: [str(error)]}) from None


def answer_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the response to a raised error; None for an unexpected one (500)."""
    match error:
        case WebhookError():
            error = ValidationError({error.field: [str(error)]}) if error.field else Conflict(str(error))
        case TomlError():
            error = ValidationError({"toml": str(error).splitlines()})
        case NotFinished() | ProtocolClash():
            error = Conflict(str(error))
    response = _work_errors(error)
    if response is None and (response := exception_handler(error, context)) is not None:
        response.data = _body(error, response.status_code, response.data)
    if response is not None:
        response.content_type = MEDIA_TYPE
        request = context["request"]  # JSON, too, where the view answers YAML or a page
        request.accepted_renderer, request.accepted_media_type = JSONRenderer(), MEDIA_TYPE
    return response


def _work_errors(error: Exception) -> Response | None:
    match error:
        case NotAllowed():
            return _respond(status.HTTP_400_BAD_REQUEST, error, errors=error.errors)
        case Outdated():
            stored = {"answers": error.answers, "evidence": error.evidence, "comment": error.comment}
            return _respond(status.HTTP_409_CONFLICT, error, "outdated-answer", version=error.version, **stored)
        case StillOpen():
            return _respond(
                status.HTTP_409_CONFLICT, error, "unanswered-items", open=[str(item) for item in error.open]
            )
        case AlreadyFinished():
            return _respond(status.HTTP_409_CONFLICT, error, "finished")
        case RunBusy():
            return _respond(status.HTTP_409_CONFLICT, error, "judge-busy")
        case InProgress():
            response = _respond(error.status_code, error, "request-in-progress")
            response["Retry-After"] = str(SECONDS_TO_WAIT)
            return response
        case BlockedByGate():
            return _respond(status.HTTP_403_FORBIDDEN, error, "gate", gate=error.gate)
        case RaterPaused():
            return _respond(status.HTTP_423_LOCKED, error, "paused", gate="paused")
        case ProjectArchived():
            return _respond(status.HTTP_423_LOCKED, error, "archived")
        case LeaseLost():
            return _respond(status.HTTP_410_GONE, error, "lease-lost")
        case KeyReused():
            errors = {"Idempotency-Key": [str(error)]}
            return _respond(status.HTTP_422_UNPROCESSABLE_ENTITY, error, "key-reused", errors=errors)
        case ProjectError():
            return _respond(status.HTTP_400_BAD_REQUEST, error, errors={"body": [str(error)]})
        case PersonError():
            return _respond(status.HTTP_400_BAD_REQUEST, error, errors={error.field: [str(error)]})
        case Refused():
            return _respond(status.HTTP_400_BAD_REQUEST, error, errors={"body": error.problems})
        case NotPublishable():
            errors = {field: [message] for field, message in error.errors.items()}
            return _respond(status.HTTP_400_BAD_REQUEST, error, errors=errors)
        case TooManyComputationsError():
            message = "Several reports are being computed."
            response = _respond(status.HTTP_503_SERVICE_UNAVAILABLE, message, "computing")
            response["Retry-After"] = str(SECONDS_TO_WAIT)
            return response
        case ReviewedMeanwhile():
            return _respond(status.HTTP_412_PRECONDITION_FAILED, error)
        case NoSuchItem() | NoSuchReviewItem() | NoSuchRaterQuestion():
            return _respond(status.HTTP_404_NOT_FOUND, error)
    return None


def _respond(code: int, error: Exception | str, kind: str = "", **members: object) -> Response:
    return Response(problem(code, str(error), kind=kind, **members), status=code)


def _body(error: Exception, code: int, data: Any) -> dict[str, Any]:
    if isinstance(error, ValidationError):
        named = data if isinstance(data, dict) else {"body": data}
        errors = {name: _flat(messages) for name, messages in named.items()}
        return problem(code, _("This request is not valid."), errors=errors)
    detail = data.get("detail") if isinstance(data, dict) else data
    if detail is None and isinstance(error, APIException):
        detail = error.detail
    return problem(code, str(detail))


def _flat(detail: Any, where: str = "") -> list[str]:
    """Return the messages of one field, each with the position of the invalid part."""
    if isinstance(detail, dict):
        return [line for key, inner in detail.items() for line in _flat(inner, f"{where}{key}: ")]
    if isinstance(detail, list):
        return [line for inner in detail for line in _flat(inner, where)]
    return [f"{where}{detail}"]


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Handle 404 (`handler404`): JSON under /api/, a page elsewhere."""
    if not request.path.startswith("/api/"):
        return defaults.page_not_found(request, exception)
    return problem_response(404, "The API has no such endpoint: see /api/v1/docs/.")


def server_error(request: HttpRequest) -> HttpResponse:
    """Handle 500 (`handler500`): JSON under /api/, a page elsewhere; 503 while the database does not answer."""
    is_database_down = isinstance(sys.exc_info()[1], (OperationalError, InterfaceError))
    response: HttpResponse
    if not request.path.startswith("/api/"):
        response = defaults.server_error(request, "503.html" if is_database_down else "500.html")
    elif is_database_down:
        response = problem_response(503, "The database does not answer. Send the request again.")
    else:
        response = problem_response(500, "The server failed on this request. Its log says where.")
    if is_database_down:
        response.status_code = 503
        response["Retry-After"] = str(SECONDS_TO_RECONNECT)
    return response
