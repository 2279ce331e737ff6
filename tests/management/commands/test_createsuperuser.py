"""Django's command creates no account whose name the site does not take."""

import pytest
from django.core.management import CommandError, call_command

from annotation.models import User
from tests.cast import person

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("..", "not possible in a web address"),
        (".", "not possible in a web address"),
        ("a b", "Enter a valid username"),
        ("RAVI", "already taken"),
        ("ﷺ" * 20, "use at most 150 characters"),
    ],
)
def test_a_name_that_the_site_does_not_take_is_refused(name: str, problem: str) -> None:
    person("ravi")
    with pytest.raises(CommandError, match=problem):
        call_command("createsuperuser", username=name, email="a@example.org", interactive=False)
    assert User.objects.filter(is_superuser=True).count() == 0


def test_another_name_is_that_of_an_admin() -> None:
    call_command("createsuperuser", username="lena", email="a@example.org", interactive=False, verbosity=0)
    assert User.objects.get(is_superuser=True).username == "lena"
