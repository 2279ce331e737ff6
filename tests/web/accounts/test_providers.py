"""Which account a person gets who signs in by an identity provider, and which roles."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from django.test import Client

from annotation.accounts.users import create_user
from annotation.models import AuditEvent, Membership, User
from annotation.site.sign_in_providers import app_of
from tests.cast import person
from tests.identity_provider import IdentityProvider

pytestmark = pytest.mark.django_db
NORA = {"sub": "n-1", "preferred_username": "nora", "name": "Nora Berg", "email": "nora@uni.example"}


@pytest.fixture
def sign_in(settings: Any) -> Iterator[Callable[..., Any]]:
    """Yield `sign_in(claims, **options)`: a person signs in by a provider with these options of the file."""
    provider = IdentityProvider()

    def sign_in_as(claims: dict[str, Any], **options: Any) -> Any:
        settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [app_of(provider.table(**options))]}}
        provider.person = claims
        return provider.sign_in(Client())

    yield sign_in_as
    provider.stop()


def test_the_name_of_another_person_is_not_taken_over(sign_in, june):
    assert sign_in({**NORA, "preferred_username": "lena", "name": "Lena"}, create_accounts=True).url == "/"
    account = SocialAccount.objects.get().user
    assert account.username != "lena" and account.get_full_name() == ""


def test_only_an_address_that_a_trusted_provider_and_an_admin_vouch_for_links_an_account(sign_in):
    def refuses(claims: dict[str, Any], **options: Any) -> bool:
        answer = sign_in(NORA | claims, create_accounts=True, **options)
        assert answer.status_code == 403 and "No account is linked to this sign-in" in answer.text
        return not SocialAccount.objects.exists()

    verified = {"email_verified": True}
    person("otto")
    User.objects.filter(username="otto").update(email=NORA["email"])  # typed by Otto, who could open her account too
    assert refuses(verified, link_by_email=True)
    User.objects.filter(username="otto").update(email="")
    nora = create_user("nora", email=NORA["email"], admin=True)
    for unverified in (False, None, "false", "true"):
        assert refuses({"email_verified": unverified}, link_by_email=True), unverified
    assert refuses(verified)
    assert sign_in(NORA | verified, link_by_email=True).url == "/"
    assert SocialAccount.objects.get().user == nora
    assert AuditEvent.objects.get(action="link account").target == "user:nora"


def test_roles_follow_the_claim(sign_in, june):
    person("ada", admin=True)
    roles = {"staff": "admin", "leads": ["lead:june"], "raters": "rater:june"}
    options = {"create_accounts": True, "roles_claim": "realm_access.roles", "roles": roles}

    def role_of(*groups: str) -> tuple[bool, str | None]:
        assert sign_in({**NORA, "realm_access": {"roles": list(groups)}}, **options).url == "/"
        nora = User.objects.get(username="nora")
        return nora.is_admin, Membership.objects.filter(user=nora).values_list("role", flat=True).first()

    assert role_of("staff", "other") == (True, None)
    assert role_of("leads", "raters") == (False, "lead")
    assert role_of("raters") == (False, "rater")
    assert role_of() == (False, None)
    actions = AuditEvent.objects.filter(target="user:nora").values_list("action", flat=True)
    assert {"grant admin", "revoke admin", "add member", "remove member"} <= set(actions)
