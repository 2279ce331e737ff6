"""The accounts of a quickstart site. Their password is no secret: the site answers this machine only."""

from collections.abc import Sequence
from dataclasses import dataclass

PASSWORD = "factuary-demo"  # noqa: S105 - printed at every start


@dataclass(frozen=True)
class Account:
    username: str
    first_name: str
    does: str
    is_admin: bool = False


ADMIN_ONLY = (Account("admin", "Ada", "admin", is_admin=True),)
SAMPLE_ACCOUNTS = (
    *ADMIN_ONLY,
    Account("lena", "Lena", "lead"),
    Account("ravi", "Ravi", "rater"),
    Account("rosa", "Rosa", "rater"),
    Account("tom", "Tom", "rater"),
)


def starting_points(url: str, accounts: Sequence[Account]) -> list[str]:
    """Return a line for each account: its role, user name and password, and the address of its first page."""
    lines = []
    for account in accounts:
        first_page = f"{url}/" if account.is_admin else f"{url}/projects/demo/"
        lines.append(f"{account.does:<6} {account.username:<6} {PASSWORD}  {first_page}")
    return ["Where to start: role, user name, password (unless changed), first page", *lines]


def make_accounts(accounts: tuple[Account, ...]) -> None:
    """Create the missing accounts; changed passwords and rights stay."""
    from annotation.models import User  # the names above are used before Django is set up

    for account in accounts:
        if not User.objects.in_data([account.username]):
            User.objects.create_user(
                account.username,
                f"{account.username}@example.org",
                PASSWORD,
                first_name=account.first_name,
                is_staff=account.is_admin,
                is_superuser=account.is_admin,
            )
