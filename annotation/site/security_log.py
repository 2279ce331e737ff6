"""The log of attempts to get past a check of the site: a line each, with the context of the request.

Django logs forged forms, hosts and the like under `django.security`; refused pages are lines of `annotation.requests`.
"""

import logging

log = logging.getLogger("annotation.security")


def log_attempt(attempt: str) -> None:
    """Log a refused attempt. `attempt` describes it without secrets and without text of the stranger."""
    log.warning(attempt)
