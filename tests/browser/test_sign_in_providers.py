"""Sign-in by an identity provider in a browser, with a local OpenID provider."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP
from allauth.socialaccount.models import SocialAccount
from playwright.sync_api import Page, expect

from annotation.models import AuditEvent, Membership, User
from annotation.site.sign_in_providers import app_of

from ..cast import Study, person
from ..identity_provider import IdentityProvider
from .accessibility import violations
from .authenticator import code_of, confirm_password
from .authenticator import sign_in as sign_in_by_form

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
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
    page.goto(page.url.replace("/account/", "/accounts/email/"))
    page.get_by_label("Email").fill("nora@home.example")
    page.get_by_role("button", name="Add address").click()
    expect(page.get_by_role("heading", name="Please sign in again")).to_be_visible()
    assert violations(page) == []


def test_a_person_links_an_account_and_unlinks_it(
    sign_in: Callable, page: Page, live_server: Any, june: Study, provider: IdentityProvider
) -> None:
    lena = person("lena")
    sign_in(NORA)
    sign_in_by_form(page, live_server.url, "lena")
    page.goto(f"{live_server.url}/account/")
    page.get_by_role("link", name="Linked accounts").click()
    page.get_by_role("button", name="Link University").click()
    confirm_password(page)  # a visit to the address alone links nothing
    expect(page.get_by_role("button", name="Unlink uni")).to_be_visible()
    assert violations(page) == []
    assert SocialAccount.objects.get().user == lena
    sign_in(NORA).wait_for_url("**/account/")
    page.goto(f"{live_server.url}/accounts/3rdparty/")
    page.get_by_role("button", name="Unlink uni").click()
    confirm_password(page)
    expect(page.get_by_text("No account is linked.")).to_be_visible()
    assert AuditEvent.objects.filter(action="unlink account", target="user:lena").exists()


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


def test_a_refusal_of_the_provider_is_said_plainly(sign_in: Callable, june: Study, provider: IdentityProvider) -> None:
    for error, heading in (("access_denied", "You canceled the sign-in"), ("server_error", "The sign-in failed")):
        provider.answers_with_error = error
        page = sign_in(NORA)
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        assert violations(page) == []
