"""Signing in and out: the account of a name, or of a person at an identity provider, and the events in the audit."""

from allauth.account.models import EmailAddress
from allauth.account.utils import filter_users_by_email
from django.utils.crypto import salted_hmac

from ..audit import record
from ..models import User


def account_named(name: str) -> User | None:
    """Return the account with this user name or email address."""
    return account_to_sign_in(name) or next(iter(filter_users_by_email(name)), None)


def account_to_sign_in(username: str) -> User | None:
    """Return the account of this name. One that is open comes before a closed one whose name is spelled so."""
    return User.objects.filter(is_active=True).named(username) or User.objects.named(username)


def record_sign_in(user: User, address: str) -> None:
    record(user, "sign in", f"user:{user.username}", after={"from": address_code(address)})


def record_sign_out(user: User, address: str) -> None:
    record(user, "sign out", f"user:{user.username}", after={"from": address_code(address)})


def record_failure(account: User | None, address: str) -> None:
    """Record a wrong password. A name without an account is not stored: it may be a password in the wrong field."""
    target = f"user:{account.username}" if account else "user: no account of this name"
    record(None, "fail to sign in", target, after={"from": address_code(address)})


def address_code(address: str) -> str:
    """Return a code of the network address: the same for the same address, and not the address."""
    return salted_hmac("annotation.accounts.sign_ins", address, algorithm="sha256").hexdigest()[:12]


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
    return not filter_users_by_email(email)


def record_created(user: User, provider: str) -> None:
    record(user, "create user", f"user:{user.username}", after={"provider": provider, "email": user.email})


def record_linked(user: User, provider: str, linked: bool) -> None:
    """Record that the account was linked to one of a provider, or unlinked."""
    record(user, "link account" if linked else "unlink account", f"user:{user.username}", after={"provider": provider})
