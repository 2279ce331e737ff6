"""The person of a session."""

import pytest

from annotation.accounts.sign_in_backend import SignInBackend
from annotation.accounts.users import create_user

pytestmark = pytest.mark.django_db


def test_the_person_of_a_session_is_read_in_one_query(django_assert_num_queries):
    person = create_user("newcomer")
    with django_assert_num_queries(1):
        loaded = SignInBackend().get_user(person.pk)
    assert loaded is not None
    assert (loaded.pk, loaded.username, loaded.date_joined) == (person.pk, "newcomer", person.date_joined)


def test_inactive_and_deleted_people_have_no_session():
    person = create_user("newcomer")
    person.is_active = False
    person.save()
    assert SignInBackend().get_user(person.pk) is None
    person.delete()
    assert SignInBackend().get_user(person.pk) is None
