import pytest

from annotation.models import Project, User
from annotation.privacy.erase import erase_person
from annotation.quickstart.prepare import fill, open_accounts
from tests.cast import study

pytestmark = pytest.mark.django_db


def names() -> set[str]:
    people = User.objects.filter(judge=None).values_list("username", flat=True)
    return {name for name in people if not name.startswith("erased-")}


def test_an_erased_person_is_neither_created_again_nor_announced_nor_is_who_left() -> None:
    fill(with_demo=True)
    assert names() == {"admin", "lena", "ravi", "rosa", "tom"}
    assert list(Project.objects.order_by("pk").values_list("slug", flat=True)) == ["demo", "sample"]
    erase_person(User.objects.get(username="tom"))
    User.objects.filter(username="rosa").update(is_active=False)
    fill(with_demo=True)
    assert names() == {"admin", "lena", "ravi", "rosa"}
    assert set(open_accounts()) == {"admin", "lena", "ravi"}


def test_a_site_without_the_sample_has_the_admin_alone_and_one_with_data_gets_the_accounts_that_are_missing() -> None:
    fill(with_demo=False)
    assert names() == {"admin"} and not Project.objects.exists()
    study()
    fill(with_demo=True)
    assert {"admin", "tom"} <= names()
    assert not Project.objects.filter(slug="demo").exists()
