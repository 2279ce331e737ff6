"""What a new quickstart site holds: the sample accounts, and a project with something to rate and to
report.
"""

from collections.abc import Callable
from dataclasses import dataclass

from annotation.models import Dataset, Project, User

PASSWORD = "factuary-demo"  # noqa: S105 (printed at every start; the site answers this machine only)


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


def make_accounts(accounts: tuple[Account, ...]) -> None:
    """Those that are missing; somebody's changed password or rights are left as they are."""
    for account in accounts:
        if not User.objects.filter(username=account.username).exists():
            User.objects.create_user(
                account.username,
                f"{account.username}@example.org",
                PASSWORD,
                first_name=account.first_name,
                is_staff=account.is_admin,
                is_superuser=account.is_admin,
            )


def is_empty() -> bool:
    """Whether nobody has loaded anything yet."""
    return not (Dataset.objects.exists() or Project.objects.exists())


def load(say: Callable[[str], None]) -> None:
    """The sample project; `say` is told each step."""
