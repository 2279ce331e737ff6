"""Accounts. Users set their own passwords with a one-time link; no other user knows them."""

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import Q, Value
from django.db.models.functions import Concat
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..audit import record
from ..models import Judge, Project, Reservation, Slot, User
from ..models.user_names import name_key
from ..queue.leases import free_leases
from ..queue.slots import update_slot_ranks
from ..site.database_clock import database_now
from ..site.secret_key import secret_key
from .names import PersonError, free_key, save_name, valid_username
from .sessions import end_sessions


@transaction.atomic
def create_user(username: str, *, email: str = "", admin: bool = False, actor: User | None = None) -> User:
    """Create an active account without a password, or activate that of a name from imported ratings. Raises
    PersonError.
    """
    username = valid_username(username)
    if email:
        try:
            validate_email(email)
        except ValidationError:
            raise PersonError(f"{email!r} is not an email address", field="email") from None
        if User.objects.filter(email__iexact=email).exists():
            raise PersonError(f"another user has the email address {email!r}", field="email")
    user = User.objects.select_for_update().named(username)
    if user:
        _check_not_erased(user)
        check_not_judge(user)
    if user and user.is_active:
        raise PersonError(f"user {user.username!r} already exists: choose another name, or ask for a password reset")
    user = user or User(username=username)
    user.email, user.is_active = email, True
    user.is_superuser = user.is_staff = admin
    user.set_unusable_password()
    save_name(user)
    record(actor, "create user", f"user:{user.username}", after={"email": email, "admin": admin})
    return user


@transaction.atomic
def rename_user(user: User, username: str, *, actor: User | None = None) -> None:
    """Give the account another user name. Raises PersonError.

    Ratings, their history, data hashes, reports, exports and pseudonyms stay as they are: they keep the original name.
    """
    username = valid_username(username)
    user = User.objects.select_for_update().get(pk=user.pk)
    _check_not_erased(user)
    check_not_judge(user)
    before, key = user.username, user.name_key
    if username == before:
        return
    user.former_names = list(dict.fromkeys([*user.former_names, before]))
    user.original_name = None if username == user.original_name else user.original_name or before
    user.username = username
    save_name(user)
    free_key(key)
    record(actor, "change user", f"user:{username}", before={"username": before}, after={"username": username})


def _check_not_erased(user: User) -> None:
    if user.erased_at:
        raise PersonError(f"{user.username!r} is the pseudonym of an erased person")


def check_not_judge(user: User) -> None:
    """Raise PersonError for the account of a judge, which nobody can use and which is no person's."""
    if Judge.objects.filter(user=user).exists():
        raise PersonError(f"{user.username!r} is a judge, not a person")


@transaction.atomic
def set_display_name(user: User, name: str) -> None:
    """Show `user` as `name` to others, or by the user name if `name` is empty. Raises PersonError.

    The name of another account is refused: people would take one for the other.
    """
    name = " ".join(name.split())
    people = User.objects.exclude(pk=user.pk)
    shown = people.exclude(first_name="", last_name="").annotate(shown=Concat("first_name", Value(" "), "last_name"))
    is_taken = name and (
        people.with_same_key(name).exists()
        or bool(people.in_data([name]))
        or name_key(name) in {name_key(each.strip()) for each in shown.values_list("shown", flat=True)}
    )
    if is_taken:
        message = _("another person is called %(name)s: choose another name")
        raise PersonError(message % {"name": repr(name)}, field="name")
    before, user.first_name, user.last_name = user.get_full_name(), name, ""
    user.save(update_fields=["first_name", "last_name"])
    record(user, "set display name", f"user:{user.username}", before=before, after=name)


def password_link(user: User) -> str:
    """Return a link with which `user` can set a password once, within the site's PASSWORD_RESET_TIMEOUT. Raises
    PersonError without the server's SECRET_KEY: a link signed with another key would not work.
    """
    from allauth.account.forms import default_token_generator
    from allauth.account.utils import user_pk_to_url_str

    if not secret_key():
        raise PersonError("SECRET_KEY is not set: set it to the server's, with which the link is signed")
    key = default_token_generator.make_token(user)
    path = reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(user), "key": key})
    return f"{settings.SITE_URL}{path}"


def password_link_time() -> str:
    """Return for how long a `password_link` works, such as "within 3 days"."""
    days = settings.PASSWORD_LINK_DAYS
    return ngettext("within %(days)s day", "within %(days)s days", days) % {"days": days}


@transaction.atomic
def renew_password_link(user: User, *, actor: User | None = None) -> str:
    """Return a new `password_link` for an existing account and record an audit event. Raises PersonError."""
    if not user.is_active:
        raise PersonError(f"the account of {user.username!r} is closed: reopen it first")
    record(actor, "make password link", f"user:{user.username}")
    return password_link(user)


@transaction.atomic
def set_active(user: User, active: bool, *, actor: User | None = None) -> None:
    """Close an account or open it again. Raises PersonError.

    Closing ends its sessions and API tokens, frees its leases and deletes its reservations; ratings and memberships
    stay.
    """
    if user == actor and not active:
        raise PersonError("you cannot close your own account: ask another admin")
    if user.is_active == active:
        return
    if active:
        _check_not_erased(user)
        check_not_judge(user)
    User.objects.filter(pk=user.pk).update(is_active=active)
    user.is_active = active
    if not active:
        end_sessions(user, UserSession.objects.filter(user=user), actor=actor)
        user.api_tokens.filter(revoked_at=None).update(revoked_at=database_now())
        # The projects are locked first, as by every change of several slots.
        leased = Slot.objects.filter(holder__rater=user, finished_at=None)
        reservations = Reservation.objects.filter(rater=user)
        concerned = Q(pk__in=leased.values("holder__project")) | Q(pk__in=reservations.values("project"))
        projects = list(Project.objects.filter(concerned).order_by("pk").select_for_update(no_key=True))
        free_leases(user, for_good=True)
        for project in projects:
            if reservations.filter(project=project).delete()[0]:
                update_slot_ranks(project)
    record(actor, "open account" if active else "close account", f"user:{user.username}")


@transaction.atomic
def set_admin(user: User, admin: bool, *, actor: User | None = None) -> None:
    """Make the user an admin, or no longer one. The last active admin stays one: nobody could make another."""
    if user.is_superuser == admin:
        return
    admins = User.objects.select_for_update().filter(is_superuser=True, is_active=True).order_by("pk")
    if not admin and not any(other != user for other in admins):
        return
    user.is_superuser = user.is_staff = admin
    user.save(update_fields=["is_superuser", "is_staff"])
    record(actor, "grant admin" if admin else "revoke admin", f"user:{user.username}")
