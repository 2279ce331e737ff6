"""Sign-in by SAML in a browser, with a local identity provider at another site (127.0.0.1, not localhost)."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from playwright.sync_api import Page, expect

from annotation.models import Membership, User
from annotation.site.sign_in_providers import settings_of

from ..cast import Study, person
from ..saml_identity_provider import SamlIdentityProvider
from .accessibility import violations
from .authenticator import confirm_password
from .authenticator import sign_in as sign_in_by_form

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NORA = {"uid": "n-1", "username": "nora", "name": "Nora Berg", "email": "nora@campus.example"}


@pytest.fixture
def provider() -> Iterator[SamlIdentityProvider]:
    running = SamlIdentityProvider()
    yield running
    running.stop()


@pytest.fixture
def sign_in(page: Page, live_server: Any, provider: SamlIdentityProvider, settings: Any) -> Callable[..., Page]:
    """Return `sign_in(attributes, **options)`: a person signs in by a provider with these options of the file."""

    def sign_in_as(attributes: dict[str, Any], **options: Any) -> Page:
        settings.SOCIALACCOUNT_PROVIDERS = settings_of([provider.table(**options)])
        provider.person = attributes
        page.context.clear_cookies()
        page.goto(f"{live_server.url}/accounts/login/?next=/account/")
        page.get_by_role("button", name="Sign in with Campus").click()
        page.wait_for_url(lambda url: url.startswith(live_server.url) and "/login/?" not in url)
        return page

    return sign_in_as


def test_a_refusal_is_said_plainly_and_roles_follow_the_groups(
    sign_in: Callable[..., Page], june: Study, provider: SamlIdentityProvider
) -> None:
    provider.is_signed = False
    page = sign_in(NORA, create_accounts=True)
    expect(page.get_by_role("heading", name="The sign-in failed")).to_be_visible()
    assert violations(page) == []
    provider.is_signed = True
    page = sign_in(NORA)
    expect(page.get_by_role("heading", name="No account is linked to this sign-in")).to_be_visible()
    assert not User.objects.filter(username="nora").exists()
    groups = "urn:oid:1.3.6.1.4.1.5923.1.5.1.1"
    roles = {"leads": ["lead:june"], "raters": "rater:june"}
    page = sign_in({**NORA, groups: ["leads", "other"]}, create_accounts=True, roles_claim=groups, roles=roles)
    page.wait_for_url("**/account/")
    assert Membership.objects.get(user__username="nora").role == "lead"


def test_a_person_links_an_account(
    sign_in: Callable[..., Page], page: Page, live_server: Any, june: Study, provider: SamlIdentityProvider
) -> None:
    lena = person("lena")
    sign_in(NORA)
    sign_in_by_form(page, live_server.url, "lena")
    page.goto(f"{live_server.url}/accounts/3rdparty/")
    page.get_by_role("button", name="Link Campus").click()
    confirm_password(page)
    expect(page.get_by_role("button", name="Unlink campus")).to_be_visible()
    assert SocialAccount.objects.get().user == lena
    sign_in(NORA).wait_for_url("**/account/")


def test_without_scripts_a_button_leads_on(
    browser: Any, live_server: Any, june: Study, provider: SamlIdentityProvider, settings: Any
) -> None:
    settings.SOCIALACCOUNT_PROVIDERS = settings_of([provider.table(create_accounts=True)])
    provider.person = NORA
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{live_server.url}/accounts/login/?next=/account/")
    page.get_by_role("button", name="Sign in with Campus").click()
    page.wait_for_url(f"{provider.url}/**")
    page.locator("form").evaluate("form => form.submit()")  # as the button of a provider's page does
    page.get_by_role("button", name="Continue to Factuary").click()
    page.wait_for_url("**/account/")
    page.context.close()
