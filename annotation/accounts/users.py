"""Accounts and the keys of programs. A person sets the password; nobody else ever knows it."""

from django.conf import settings
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from ..audit import record
from ..models import Project, Reservation, Slot, User
from ..queue.leases import free_leases
from ..queue.slots import update_slot_ranks
from ..site.secret_key import secret_key

LONGEST_NAME = 150


class PersonError(ValueError):
    """The account cannot be made or used as asked; the message says why and what to do. `field`: what it is about."""

    def __init__(self, message: str, *, field: str = "username"):
        self.field = field
        super().__init__(message)


@transaction.atomic
def create_user(username: str, *, email: str = "", admin: bool = False, actor: User | None = None) -> User:
    """An active account without a password. A name that came with imported ratings becomes that person's account.

    Raises PersonError.
    """
    check_username(username)
    if email:
        _check_email(email)
    user = User.objects.select_for_update().filter(username=username).first()
    if user and user.is_active:
        raise PersonError(
            _("there is already a user %(username)s: choose another name, or have the password reset")
            % {"username": repr(username)}
        )
    user = user or User(username=username)
    user.email, user.is_active = email, True
    user.is_superuser = user.is_staff = admin
    user.set_unusable_password()
    user.save()
    record(actor, "create user", f"user:{username}", after={"email": email, "admin": admin})
    return user


def check_username(username: str) -> None:
    """Raises PersonError unless `username` can be an account's name."""
    try:
        UnicodeUsernameValidator()(username)
    except ValidationError:
        raise PersonError(
            _("user name %(username)s: use letters, digits and @ . + - _ only") % {"username": repr(username)}
        ) from None
    if len(username) > LONGEST_NAME:
        raise PersonError(
            _("user name %(username)s… is too long: at most %(longest_name)s characters")
            % {"username": repr(username[:20]), "longest_name": LONGEST_NAME}
        )


def _check_email(email: str) -> None:
    try:
        validate_email(email)
    except ValidationError:
        raise PersonError(_("%(email)s is not an email address") % {"email": repr(email)}, field="email") from None
    if User.objects.filter(email__iexact=email).exists():
        raise PersonError(_("another user has the email address %(email)s") % {"email": repr(email)}, field="email")


def password_link(user: User) -> str:
    """A link with which `user` sets a password, once, within the site's PASSWORD_RESET_TIMEOUT.

    Raises PersonError where the server's SECRET_KEY is not known: a link signed with another key would not open.
    """
    from allauth.account.forms import default_token_generator
    from allauth.account.utils import user_pk_to_url_str

    if not secret_key():
        raise PersonError(_("SECRET_KEY is not set: set it to the server's, with which the link is signed"))
    key = default_token_generator.make_token(user)
    path = reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(user), "key": key})
    return f"{settings.SITE_URL}{path}"


@transaction.atomic
def renew_password_link(user: User, *, actor: User | None = None) -> str:
    """Another `password_link` for somebody who has an account; the audit says who asked for it. Raises PersonError."""
    if not user.is_active:
        raise PersonError(_("the account of %(username)s is closed: open it first") % {"username": repr(user.username)})
    record(actor, "make password link", f"user:{user.username}")
    return password_link(user)


@transaction.atomic
def set_active(user: User, active: bool, *, actor: User | None = None) -> None:
    """Close an account or open it again. Closing frees its leases, and what is kept for this person alone is for
    everybody again; ratings and memberships stay. Raises PersonError.
    """
    if user == actor and not active:
        raise PersonError(_("you cannot close your own account: ask another admin"))
    if user.is_active == active:
        return
    User.objects.filter(pk=user.pk).update(is_active=active)
    user.is_active = active
    if not active:
        _give_up(user)
    record(actor, "open account" if active else "close account", f"user:{user.username}")


def _give_up(user: User) -> None:
    """Leases are free again, what was offered again is finished as before, and what nobody but a closed account would
    get is for everybody. The projects are locked first, as by whoever else changes several slots."""
    leased = Slot.objects.filter(holder__rater=user, finished_at=None)
    kept = Reservation.objects.filter(rater=user)
    concerned = Q(pk__in=leased.values("holder__project")) | Q(pk__in=kept.values("project"))
    projects = list(Project.objects.filter(concerned).order_by("pk").select_for_update(no_key=True))
    free_leases(user, for_good=True)
    for project in projects:
        if kept.filter(project=project).delete()[0]:
            update_slot_ranks(project)
