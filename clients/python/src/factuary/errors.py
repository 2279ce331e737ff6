"""Errors of requests and jobs. All are `FactuaryError`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

import httpx2


class FactuaryError(Exception):
    """The base class of all errors of this package."""


class UnreachableError(FactuaryError):
    """The site did not answer any attempt."""


class AnswerError(FactuaryError):
    """The answer is not one of Factuary's API: the address is wrong, or the versions do not fit."""


class ApiError(FactuaryError):
    """The site refused a request. `errors` has the messages by field of the request."""

    by_status: ClassVar[dict[int, type["ApiError"]]] = {}

    def __init_subclass__(cls, *, statuses: Iterable[int] = ()) -> None:
        cls.by_status.update(dict.fromkeys(statuses, cls))

    def __init__(self, status: int, title: str, detail: str, errors: Mapping[str, Sequence[str]], type: str) -> None:
        self.status, self.title, self.detail, self.errors, self.type = status, title, detail, errors, type
        fields = "; ".join(f"{name}: {' '.join(messages)}" for name, messages in errors.items())
        super().__init__(": ".join(part for part in (f"{status} {detail or title}", fields) if part))


class InvalidRequestError(ApiError, statuses=(400, 413, 415, 422)):
    """The request is not valid; see `errors`."""


class NotAuthenticatedError(ApiError, statuses=(401,)):
    """The token is missing, revoked or expired."""


class ForbiddenError(ApiError, statuses=(403,)):
    """The user or the token may not do this."""


class NotFoundError(ApiError, statuses=(404,)):
    """It does not exist, or the user has no access."""


class ConflictError(ApiError, statuses=(409, 410, 423)):
    """What is stored does not allow it."""


class ChangedError(ApiError, statuses=(412,)):
    """It was changed since it was read."""


class TooManyRequestsError(ApiError, statuses=(429,)):
    """Still too many requests after all attempts."""


class ServerError(ApiError, statuses=range(500, 600)):
    """An error of the site, also after all attempts."""


class JobFailedError(FactuaryError):
    """A job failed or was cancelled. `problems` has the reasons."""

    def __init__(self, kind: str, state: str, problems: Sequence[str]) -> None:
        self.kind, self.state, self.problems = kind, state, tuple(problems)
        super().__init__(f"the job {kind} is {state}: {' '.join(problems) or 'no reason is stored'}")


class JobTimeoutError(FactuaryError):
    """A job was not done in time. It goes on: wait for it again."""


def error_of(response: httpx2.Response) -> ApiError:
    """Return the error for an answer with status 400 or more: its problem details (RFC 9457), if it has them."""
    try:
        body = response.json()
    except ValueError:
        body = None
    problem = body if isinstance(body, dict) else {}
    errors = problem["errors"] if isinstance(problem.get("errors"), dict) else {}
    return ApiError.by_status.get(response.status_code, ApiError)(
        response.status_code,
        str(problem.get("title") or response.reason_phrase),
        str(problem.get("detail") or ""),
        {str(name): [str(line) for line in lines] for name, lines in errors.items()},
        str(problem.get("type") or "about:blank"),
    )
