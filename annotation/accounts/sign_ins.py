"""Signing in and out: the account that a name is of, and the events in the audit."""

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
    """Record that the user signed in."""
    record(user, "sign in", f"user:{user.username}", after={"from": address_code(address)})


def record_sign_out(user: User, address: str) -> None:
    """Record that the user signed out."""
    record(user, "sign out", f"user:{user.username}", after={"from": address_code(address)})


def record_failure(account: User | None, address: str) -> None:
    """Record a wrong password. A name without an account is not stored: it may be a password in the wrong field."""
    target = f"user:{account.username}" if account else "user: no account of this name"
    record(None, "fail to sign in", target, after={"from": address_code(address)})


def address_code(address: str) -> str:
    """Return a code of the network address: the same for the same address, and not the address."""
    return salted_hmac("annotation.accounts.sign_ins", address, algorithm="sha256").hexdigest()[:12]
