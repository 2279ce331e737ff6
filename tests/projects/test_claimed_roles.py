"""Roles by the claims of an identity provider."""

import pytest

from annotation.accounts.users import set_admin
from annotation.models import Membership
from annotation.projects.claimed_roles import apply_claimed_roles, claim_values
from tests.cast import person, study


def test_values_are_found_by_path_and_by_a_name_with_dots() -> None:
    assert claim_values({"realm_access": {"roles": ["a", 3, "b"]}}, "realm_access.roles") == {"a", "b"}
    assert claim_values({"https://example.org/groups": "a"}, "https://example.org/groups") == {"a"}
    assert claim_values({"realm_access": "x"}, "realm_access.roles") == set()
    assert claim_values({}, "groups") == set()
    assert claim_values({"_claim_names": {"groups": "src1"}}, "groups") is None


@pytest.mark.django_db
def test_roles_that_the_file_does_not_name_stay() -> None:
    june, lena = study(), person("lena")
    apply_claimed_roles(lena, {"staff": ["admin"], "x": ["rater:august"]}, set())
    assert Membership.objects.get(project=june.project, user=lena).role == "lead"
    apply_claimed_roles(lena, {"x": ["rater:june"]}, None)
    assert Membership.objects.get(project=june.project, user=lena).role == "lead"
    apply_claimed_roles(lena, {"x": ["rater:june"]}, set())
    assert not Membership.objects.filter(project=june.project, user=lena).exists()


@pytest.mark.django_db
def test_the_last_admin_stays_one() -> None:
    ada, lena = person("ada", admin=True), person("lena")
    set_admin(ada, False)
    assert ada.is_admin
    set_admin(lena, True)
    set_admin(ada, False)
    assert not ada.is_admin and lena.is_admin
