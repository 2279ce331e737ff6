"""Sign-in by an identity provider in a browser, with a local OpenID provider."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP
from allauth.socialaccount.models import SocialAccount
from playwright.sync_api import Page, expect

from annotation.accounts.users import create_user
from annotation.models import AuditEvent, Membership, User
from annotation.site.sign_in_providers import app_of
from tests.browser.accessibility import violations
from tests.browser.authenticator import code_of
from tests.cast import PASSWORD, Study, person
from tests.identity_provider import IdentityProvider

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
SECRET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
REFUSAL = "No account is linked to this sign-in"
NORA = {"sub": "n-1", "preferred_username": "nora", "name": "Nora Berg", "email": "nora@uni.example"}


@pytest.fixture
def provider() -> Iterator[IdentityProvider]:
    running = IdentityProvider()
    yield running
    running.stop()


@pytest.fixture
def sign_in(page: Page, live_server: Any, provider: IdentityProvider, settings: Any) -> Callable[..., Page]:
    """Return `sign_in(claims, **options)`: a person signs in by a provider with these options of the file."""

    def sign_in_as(claims: dict[str, Any], **options: Any) -> Page:
        settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [app_of(provider.table(**options))]}}
        provider.person = claims
        page.context.clear_cookies()
        page.goto(f"{live_server.url}/accounts/login/?next=/account/")
        page.get_by_role("button", name="Sign in with University").click()
        page.wait_for_url(lambda url: url.startswith(live_server.url) and "/login/?" not in url)
        return page

    return sign_in_as


def test_there_is_no_sign_up_unless_the_provider_may_create_accounts(sign_in: Callable, june: Study) -> None:
    page = sign_in({**NORA, "email_verified": True}, link_by_email=True)
    expect(page.get_by_role("heading", name=REFUSAL)).to_be_visible()
    assert violations(page) == []
    assert not User.objects.filter(email=NORA["email"]).exists()

    page = sign_in(NORA, create_accounts=True)
    page.wait_for_url("**/account/")
    nora = User.objects.get(username="nora")
    assert (nora.get_full_name(), nora.is_superuser, nora.has_usable_password()) == ("Nora Berg", False, False)
    assert not EmailAddress.objects.filter(user=nora, verified=True).exists()  # the provider did not say so
    actions = AuditEvent.objects.filter(target="user:nora").order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["create user", "set display name", "sign in"]
    sign_in({**NORA, "email": "new@uni.example"}).wait_for_url("**/account/")  # known by the provider's id from now on


def test_the_name_of_another_person_is_not_taken_over(sign_in: Callable, june: Study) -> None:
    person("lena")
    claims = {**NORA, "preferred_username": "lena", "name": "Lena"}
    sign_in(claims, create_accounts=True).wait_for_url("**/account/")
    account = SocialAccount.objects.get().user
    assert account.username != "lena" and account.get_full_name() == ""


@pytest.mark.parametrize("verified", [False, None, "false", "true"])
def test_an_unverified_address_links_no_account(sign_in: Callable, june: Study, verified: Any) -> None:
    create_user("nora", email=NORA["email"], admin=True)
    page = sign_in({**NORA, "email_verified": verified}, link_by_email=True, create_accounts=True)
    expect(page.get_by_role("heading", name=REFUSAL)).to_be_visible()
    assert not SocialAccount.objects.exists()


def test_a_provider_that_is_not_trusted_links_no_account(sign_in: Callable, june: Study) -> None:
    create_user("nora", email=NORA["email"])
    page = sign_in({**NORA, "email_verified": True}, create_accounts=True)
    expect(page.get_by_role("heading", name=REFUSAL)).to_be_visible()


def test_a_trusted_provider_links_a_new_account_of_an_admin(sign_in: Callable, june: Study) -> None:
    nora = create_user("nora", email=NORA["email"])
    sign_in({**NORA, "email_verified": True}, link_by_email=True).wait_for_url("**/account/")
    assert SocialAccount.objects.get().user == nora
    assert AuditEvent.objects.get(action="link account").target == "user:nora"


def test_an_address_that_somebody_typed_links_no_account(sign_in: Callable, june: Study) -> None:
    """Otto gave his account Nora's address: she must not work in an account that he can open too."""
    person("otto")
    User.objects.filter(username="otto").update(email=NORA["email"])
    page = sign_in({**NORA, "email_verified": True}, link_by_email=True, create_accounts=True)
    expect(page.get_by_role("heading", name=REFUSAL)).to_be_visible()
    assert not SocialAccount.objects.exists()


def test_a_person_links_an_account_and_unlinks_it(
    sign_in: Callable, page: Page, live_server: Any, june: Study, provider: IdentityProvider
) -> None:
    lena = person("lena")
    sign_in(NORA)
    page.goto(f"{live_server.url}/accounts/login/")
    page.get_by_label("User name or email").fill("lena")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.goto(f"{live_server.url}/account/")
    page.get_by_role("link", name="Linked accounts").click()
    page.get_by_role("button", name="Link University").click()
    page.get_by_label("Password").fill(PASSWORD)  # a visit to the address alone links nothing
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("button", name="Unlink uni")).to_be_visible()
    assert violations(page) == []
    assert SocialAccount.objects.get().user == lena
    sign_in(NORA).wait_for_url("**/account/")
    page.goto(f"{live_server.url}/accounts/3rdparty/")
    page.get_by_role("button", name="Unlink uni").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("No account is linked.")).to_be_visible()
    assert AuditEvent.objects.filter(action="unlink account", target="user:lena").exists()


def test_who_has_no_password_signs_in_again_to_change_the_email_address(
    sign_in: Callable, page: Page, live_server: Any, june: Study, provider: IdentityProvider
) -> None:
    asked_before = {"auth_time": int(time.time()) - 3600}
    sign_in(NORA | asked_before, create_accounts=True)
    page.goto(f"{live_server.url}/accounts/email/")
    page.get_by_label("Email").fill("nora@home.example")
    page.get_by_role("button", name="Add address").click()
    expect(page.get_by_role("heading", name="Please sign in again")).to_be_visible()
    assert violations(page) == []
    provider.person = NORA | {"auth_time": int(time.time())}
    page.get_by_role("button", name="Sign in with University").click()
    page.wait_for_url("**/accounts/email/")
    assert provider.asked["prompt"] == "login"
    page.get_by_label("Email").fill("nora@home.example")
    page.get_by_role("button", name="Add address").click()
    expect(page.get_by_text("nora@home.example").first).to_be_visible()
    assert EmailAddress.objects.filter(user__username="nora", email="nora@home.example").exists()


def test_a_second_factor_is_asked_for_before_the_roles_are_given(sign_in: Callable, june: Study) -> None:
    nora = person("nora")
    SocialAccount.objects.create(user=nora, provider="uni", uid=NORA["sub"])
    TOTP.activate(nora, SECRET)
    page = sign_in({**NORA, "groups": ["leads"]}, roles_claim="groups", roles={"leads": "lead:june"})
    page.wait_for_url("**/accounts/2fa/authenticate/")
    assert not Membership.objects.filter(user=nora).exists()
    page.get_by_label("Code").fill(code_of(SECRET))
    page.get_by_role("button", name="Sign In").click()
    page.wait_for_url("**/account/")
    assert Membership.objects.get(user=nora).role == "lead"


def test_roles_follow_the_claim(sign_in: Callable, june: Study) -> None:
    person("ada", admin=True)
    roles = {"staff": "admin", "leads": ["lead:june"], "raters": "rater:june"}
    options = {"create_accounts": True, "roles_claim": "realm_access.roles", "roles": roles}

    def role_of(*groups: str) -> tuple[bool, str | None]:
        claims = {**NORA, "realm_access": {"roles": list(groups)}}
        sign_in(claims, **options).wait_for_url("**/account/")
        nora = User.objects.get(username="nora")
        return nora.is_admin, Membership.objects.filter(user=nora).values_list("role", flat=True).first()

    assert role_of("staff", "other") == (True, None)
    assert role_of("leads", "raters") == (False, "lead")
    assert role_of("raters") == (False, "rater")
    assert role_of() == (False, None)
    actions = AuditEvent.objects.filter(target="user:nora").values_list("action", flat=True)
    assert {"grant admin", "revoke admin", "add member", "remove member"} <= set(actions)


def test_a_refusal_of_the_provider_is_said_plainly(sign_in: Callable, june: Study, provider: IdentityProvider) -> None:
    for error, heading in (("access_denied", "You canceled the sign-in"), ("server_error", "The sign-in failed")):
        provider.answers_with_error = error
        page = sign_in(NORA)
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        assert violations(page) == []
