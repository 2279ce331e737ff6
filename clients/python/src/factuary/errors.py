"""Errors of requests and jobs. All are `FactuaryError`."""

from collections.abc import Mapping, Sequence

import httpx2


class FactuaryError(Exception):
    """The base class of all errors of this package."""


class UnreachableError(FactuaryError):
    """The site did not answer any attempt."""


class AnswerError(FactuaryError):
    """The answer is not one of Factuary's API: the address is wrong, or the versions do not fit."""


class ApiError(FactuaryError):
    """The site refused a request. `errors` has the messages by field of the request."""

    def __init__(self, status: int, title: str, detail: str, errors: Mapping[str, Sequence[str]], type: str) -> None:
        self.status, self.title, self.detail, self.errors, self.type = status, title, detail, errors, type
        fields = "; ".join(f"{name}: {' '.join(messages)}" for name, messages in errors.items())
        super().__init__(": ".join(part for part in (f"{status} {detail or title}", fields) if part))


class InvalidRequestError(ApiError):
    """400, 413, 415, 422: the request is not valid; see `errors`."""


class NotAuthenticatedError(ApiError):
    """401: the token is missing, revoked or expired."""


class ForbiddenError(ApiError):
    """403: the user or the token may not do this."""


class NotFoundError(ApiError):
    """404: it does not exist, or the user has no access."""


class ConflictError(ApiError):
    """409, 410, 423: what is stored does not allow it."""


class ChangedError(ApiError):
    """412: it was changed since it was read."""


class TooManyRequestsError(ApiError):
    """429: still too many requests after all attempts."""


class ServerError(ApiError):
    """5xx: an error of the site, also after all attempts."""


class JobFailedError(FactuaryError):
    """A job failed or was cancelled. `problems` has the reasons."""

    def __init__(self, kind: str, state: str, problems: Sequence[str]) -> None:
        self.kind, self.state, self.problems = kind, state, tuple(problems)
        super().__init__(f"the job {kind} is {state}: {' '.join(problems) or 'no reason is stored'}")


class JobTimeoutError(FactuaryError):
    """A job was not done in time. It goes on: wait for it again."""


_BY_STATUS: dict[int, type[ApiError]] = {
    400: InvalidRequestError,
    401: NotAuthenticatedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    410: ConflictError,
    412: ChangedError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    422: InvalidRequestError,
    423: ConflictError,
    429: TooManyRequestsError,
}


def error_of(response: httpx2.Response) -> ApiError:
    """Return the error for an answer with status 400 or more: its problem details (RFC 9457), if it has them."""
    try:
        body = response.json()
    except ValueError:
        body = None
    problem = body if isinstance(body, dict) else {}
    errors = problem["errors"] if isinstance(problem.get("errors"), dict) else {}
    error = _BY_STATUS.get(response.status_code, ServerError if response.status_code >= 500 else ApiError)
    return error(
        response.status_code,
        str(problem.get("title") or response.reason_phrase),
        str(problem.get("detail") or ""),
        {str(name): [str(line) for line in lines] for name, lines in errors.items()},
        str(problem.get("type") or "about:blank"),
    )
