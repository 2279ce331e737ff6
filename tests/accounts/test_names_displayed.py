"""Display names of people known by user name."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.accounts.names import DisplayNames
from annotation.models import User
from tests.cast import person

pytestmark = pytest.mark.django_db


def call(username: str, name: str) -> None:
    person(username)
    User.objects.filter(username=username).update(first_name=name)


def test_people_have_their_display_name_others_their_user_name_and_two_with_one_name_both():
    for username, name in {"ravi": "Ravi Rao", "tom": "", "sam": "Sam Lee", "sam2": "Sam Lee"}.items():
        call(username, name)
    names = ["ravi", "tom", "imported", "sam", "sam2"]
    assert list(map(DisplayNames(), names)) == ["Ravi Rao", "tom", "imported", "Sam Lee (sam)", "Sam Lee (sam2)"]


def test_all_names_take_one_query_and_none_without_a_name_to_show():
    with CaptureQueriesContext(connection) as context:
        display_name = DisplayNames()
        assert len(context) == 0
        assert [display_name(name) for name in "abc"] == ["a", "b", "c"]
    assert len(context) == 1
