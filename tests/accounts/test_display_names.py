"""Display names of people known by user name."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.accounts.display_names import DisplayNames
from annotation.models import User
from tests.cast import person

pytestmark = pytest.mark.django_db


def call(username: str, name: str) -> None:
    person(username)
    User.objects.filter(username=username).update(first_name=name)


def test_people_have_their_display_name_and_others_their_user_name():
    call("ravi", "Ravi Rao")
    person("tom")
    display_name = DisplayNames()
    assert [display_name(name) for name in ("ravi", "tom", "imported")] == ["Ravi Rao", "tom", "imported"]


def test_two_people_with_one_name_have_their_user_names_besides():
    call("sam", "Sam Lee")
    call("sam2", "Sam Lee")
    call("rosa", "Rosa")
    display_name = DisplayNames()
    names = [display_name(name) for name in ("sam", "sam2", "rosa")]
    assert names == ["Sam Lee (sam)", "Sam Lee (sam2)", "Rosa"]


def test_all_names_take_one_query_and_none_without_a_name_to_show():
    with CaptureQueriesContext(connection) as context:
        display_name = DisplayNames()
        assert len(context) == 0
        assert [display_name(name) for name in "abc"] == ["a", "b", "c"]
    assert len(context) == 1
