"""Accounts at identity providers that people sign in with."""

from allauth.account.models import EmailAddress
from allauth.account.utils import filter_users_by_email

from ..audit import record
from ..models import User


def account_to_link(email: str) -> User | None:
    """Return the account that a verified address belongs to for certain, or None.

    That is one whose owner has confirmed the address, or a new one that nobody has signed in to: its address is from
    the person who created it. Another one may have been given the address by somebody else, who could still use it.
    """
    confirmed = EmailAddress.objects.filter(email__iexact=email, verified=True, user__is_active=True)
    accounts = [address.user for address in confirmed.select_related("user")[:2]]
    if not accounts:
        new = User.objects.filter(email__iexact=email, is_active=True, last_login=None)
        accounts = [user for user in new.order_by("pk")[:2] if not user.has_usable_password()]
    return accounts[0] if len(accounts) == 1 else None


def is_address_free(email: str) -> bool:
    """Return whether no account has the address."""
    return not filter_users_by_email(email)


def record_created(user: User, provider: str) -> None:
    """Record that a provider's person got an account."""
    record(user, "create user", f"user:{user.username}", after={"provider": provider, "email": user.email})


def record_linked(user: User, provider: str, linked: bool) -> None:
    """Record that the account was linked to one of a provider, or unlinked."""
    record(user, "link account" if linked else "unlink account", f"user:{user.username}", after={"provider": provider})
