"""Python client of Factuary, the web app in which people judge the factuality of language-model responses."""

from .client import Client
from .errors import (
    AnswerError,
    ApiError,
    ChangedError,
    ConflictError,
    FactuaryError,
    ForbiddenError,
    InvalidRequestError,
    JobFailedError,
    JobTimeoutError,
    NotAuthenticatedError,
    NotFoundError,
    ServerError,
    TooManyRequestsError,
    UnreachableError,
)
from .estimates import Estimate
from .reports import Report

__all__ = [
    "AnswerError",
    "ApiError",
    "ChangedError",
    "Client",
    "ConflictError",
    "Estimate",
    "FactuaryError",
    "ForbiddenError",
    "InvalidRequestError",
    "JobFailedError",
    "JobTimeoutError",
    "NotAuthenticatedError",
    "NotFoundError",
    "Report",
    "ServerError",
    "TooManyRequestsError",
    "UnreachableError",
]
