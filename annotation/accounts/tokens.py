"""API tokens: keys with which a user's programs sign in."""

import secrets
from datetime import timedelta

from django.db import transaction
from django.db.models import Q, QuerySet

from ..access import projects_for
from ..audit import record
from ..models import ApiToken, Project, User
from ..models.api_tokens import PREFIX_LENGTH
from ..models.users import digest_of
from ..site.database_clock import database_now
from .names import PersonError

MAX_DAYS = 3650
MAX_NAME_LENGTH = 100
USE_INTERVAL = timedelta(minutes=1)  # between two writes of `last_used_at`


@transaction.atomic
def create_token(
    user: User,
    *,
    name: str = "",
    scope: str = ApiToken.Scope.FULL,
    project: Project | None = None,
    days: int | None = None,
    actor: User | None = None,
) -> tuple[str, ApiToken]:
    """Create a token for the user's programs; return its key, which is not stored, and the token. Raises PersonError.

    `project` limits it to one project of the user; it expires after `days` days.
    """
    if not user.is_active:
        raise PersonError(f"user {user.username!r} is not active, so a token would have no effect")
    if scope == ApiToken.Scope.ADMIN and not user.is_admin:
        raise PersonError(
            f"user {user.username!r} is not an admin, so a token of this scope would have no effect",
            field="scope",
        )
    if project and not projects_for(user).filter(pk=project.pk).exists():
        raise PersonError(
            f"user {user.username!r} is not a member of project {project.slug!r}, so a token would have no effect",
            field="project",
        )
    if days is not None and not 1 <= days <= MAX_DAYS:
        raise PersonError(f"a token expires after 1 to {MAX_DAYS} days", field="days")
    prefix = f"fct_{secrets.token_hex((PREFIX_LENGTH - 4) // 2)}"
    key = f"{prefix}_{secrets.token_urlsafe(32)}"
    token = ApiToken.objects.create(
        user=user,
        digest=digest_of(key),
        prefix=prefix,
        password_digest=digest_of(user.password),
        name=name,
        scope=scope,
        project=project,
        expires_at=database_now() + timedelta(days=days) if days else None,
    )
    limits = {"scope": token.scope, "project": project and project.slug, "days": days}
    record(actor, "create token", f"user:{user.username}", project=project, after={"token": prefix, **limits})
    return key, token


@transaction.atomic
def revoke_token(token: ApiToken, *, actor: User | None = None) -> None:
    """End a token permanently. A revoked one stays as it is."""
    if ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=database_now()):
        target = f"user:{token.user.username}"
        record(actor, "revoke token", target, project=token.project, before={"token": token.prefix})


def token_with_prefix(start: str) -> ApiToken:
    """Return the token that is not revoked and whose prefix starts so; a whole key will do. Raises PersonError."""
    tokens = _tokens().filter(prefix__startswith=start[:PREFIX_LENGTH])
    matching = list(tokens.filter(revoked_at=None)[:2]) if start else []
    if not matching:
        message = "token %(prefix)s is revoked already" if start and tokens else "there is no token %(prefix)s"
        raise PersonError(message % {"prefix": repr(start[:PREFIX_LENGTH])})
    if len(matching) > 1:
        message = "several tokens start with %(prefix)s: give more of it (list_tokens shows them)"
        raise PersonError(message % {"prefix": repr(start)})
    return matching[0]


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """Return the user's tokens without the revoked ones, the newest first."""
    return _tokens().filter(user=user, revoked_at=None)


def all_tokens() -> QuerySet[ApiToken]:
    """Return everyone's tokens with the revoked ones, by user name, the newest first."""
    return _tokens().order_by("user__username", "-created_at", "-pk")


def _tokens() -> QuerySet[ApiToken]:
    return ApiToken.objects.select_related("user", "project").order_by("-created_at", "-pk")


def token_of_key(key: str) -> ApiToken | None:
    """Return the token of a key, valid or not, with its user and project."""
    return _tokens().filter(digest=digest_of(key)).first()


def note_use(token: ApiToken) -> None:
    """Store that the token was used, at most once a minute, so that most requests write nothing."""
    now = database_now()
    if token.last_used_at is None or token.last_used_at <= now - USE_INTERVAL:
        unnoted = Q(last_used_at=None) | Q(last_used_at__lte=now - USE_INTERVAL)
        ApiToken.objects.filter(unnoted, pk=token.pk).update(last_used_at=now)
