"""Sign-in by SAML: what a response must be to sign somebody in, and what else the addresses answer."""

import base64
import re
import zlib
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from defusedxml.ElementTree import fromstring
from django.contrib.sessions.models import Session
from django.test import Client

from annotation.models import User
from annotation.site.sign_in_providers import settings_of
from tests.cast import person
from tests.saml_identity_provider import SamlIdentityProvider, key_pair

pytestmark = pytest.mark.django_db
LOGIN, ACS, METADATA = (f"/accounts/saml/campus/{page}/" for page in ("login", "acs", "metadata"))
NORA = {"uid": "n-1", "username": "nora", "name": "Nora Berg", "email": "nora@campus.example"}
SITE = "http://testserver"


@pytest.fixture
def provider(settings):
    running = SamlIdentityProvider()
    settings.SOCIALACCOUNT_PROVIDERS = settings_of([running.table(create_accounts=True)])
    running.person = NORA
    yield running
    running.stop()


def begin(client: Client, provider: SamlIdentityProvider, target: str = "/account/") -> str:
    """Begin a sign-in; return the response of the identity provider."""
    page = client.post(f"{LOGIN}?next={target}")
    address = page.context["address"]
    assert address.startswith(f"{provider.url}/sso?")
    provider.page(parse_qs(urlsplit(address).query)["SAMLRequest"][0])
    return provider.sent


def finish(client: Client, response: str, **fields: str) -> Any:
    return client.post(ACS, {"SAMLResponse": response, "repeated": "1", **fields})


def sign_in(client: Client, provider: SamlIdentityProvider) -> Any:
    return finish(client, begin(client, provider))


def is_refused(answer: Any, caplog: pytest.LogCaptureFixture, reason: str) -> bool:
    assert reason in caplog.text
    assert answer.status_code == 401 and b"The sign-in failed" in answer.content
    return not User.objects.exists() and "_auth_user_id" not in answer.client.session


def test_a_signed_response_signs_in_and_the_relay_state_leads_nowhere(client, provider):
    answer = finish(client, begin(client, provider), RelayState="https://elsewhere.example/")
    assert (answer.status_code, answer["Location"]) == (302, "/account/")
    nora = User.objects.get()
    assert (nora.username, nora.email, nora.get_full_name()) == ("nora", NORA["email"], "Nora Berg")
    account = SocialAccount.objects.get(user=nora)
    assert (account.provider, account.uid) == ("campus", "n-1")


def test_the_first_answer_to_a_post_of_another_site_stores_nothing(client, provider):
    answer = Client(enforce_csrf_checks=True).post(ACS, {"SAMLResponse": '"><script>', "RelayState": "/jobs/"})
    assert answer.status_code == 200 and b"&quot;&gt;&lt;script&gt;" in answer.content
    assert not answer.cookies and not Session.objects.exists()


def test_the_page_after_the_sign_in_is_of_the_site(client, provider):
    for target in ("https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)"):
        assert finish(client, begin(client, provider, target))["Location"] == "/", target


def without(part):
    """Return what removes the attribute or the element that the part begins from an assertion."""

    def change(assertion):
        before, _, after = assertion.partition(part)
        if part.startswith("<"):
            return before + after.partition("</saml:AudienceRestriction>")[2]
        return before + " ".join(part.split()[:-1]) + after.partition('"')[2]

    return {"change_assertion": change}


def with_another(response):
    """Put a second, unsigned assertion before the signed one, which must not be the one that is read."""
    start = response.index("<saml:Assertion")
    signed = response[start : response.index("</samlp:Response>")]
    begin_signature, end_signature = signed.index("<ds:Signature"), signed.index("</ds:Signature>")
    unsigned = signed[:begin_signature] + signed[end_signature + len("</ds:Signature>") :]
    return response[:start] + unsigned.replace("n-1", "n-2").replace('ID="_', 'ID="_f') + response[start:]


ENTITIES = '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
FILE = '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
OTHER_KEY, OTHER_CERTIFICATE = key_pair()
UNBOUND = "not bound to a time, this address and a request"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"assertion": {"audience": "https://another-site.example/"}}, "is not a valid audience"),
        ({"assertion": {"end": "2020-01-01T00:00:00Z"}}, "expired"),
        ({"assertion": {"issuer": "https://another-provider.example/"}}, "Invalid issuer"),
        ({"assertion": {"address": "https://another-site.example/acs/"}}, "SubjectConfirmation"),
        ({"assertion": {"request": "another-request"}}, "SubjectConfirmation"),
        (without(' InResponseTo="'), UNBOUND),  # it could be used again, at another site or for another request
        (without("<saml:AudienceRestriction>"), "names no audience"),
        (without(' Recipient="'), UNBOUND),
        (without('SubjectConfirmationData NotOnOrAfter="'), UNBOUND),
        ({"is_signed": False}, "not signed"),
        ({"key": OTHER_KEY, "certificate": OTHER_CERTIFICATE}, "Signature validation failed"),
        ({"change": lambda response: response.replace("n-1", "n-2")}, "Signature validation failed"),
        ({"change": lambda response: response.replace("Nora Berg", "Ada Berg")}, "Signature validation failed"),
        ({"change": with_another}, "must contain 1 assertion"),
        ({"change": lambda response: ENTITIES + response.replace("Nora Berg", "&a;")}, "DTDForbidden"),
        ({"change": lambda response: FILE + response.replace("Nora Berg", "&a;")}, "DTDForbidden"),
        ({"person": {**NORA, "uid": [], "name_id": "n-3"}}, "the attribute uid has 0 values"),
        ({"person": {**NORA, "uid": ["n-1", "n-2"], "name_id": "n-3"}}, "the attribute uid has 2 values"),
    ],
)
def test_a_response_that_is_changed_or_for_something_else_is_refused(client, provider, caplog, changes, reason):
    vars(provider).update(changes)
    assert is_refused(sign_in(client, provider), caplog, reason)


def test_either_of_two_certificates_is_taken(client, provider, settings):
    """While the provider changes its key, the file has the old and the new certificate."""
    table = provider.table(create_accounts=True, certificate=OTHER_CERTIFICATE + provider.certificate)
    settings.SOCIALACCOUNT_PROVIDERS = settings_of([table])
    assert sign_in(client, provider)["Location"] == "/account/"


def test_a_response_signs_in_once(client, provider, caplog):
    response = begin(client, provider)
    assert finish(client, response).status_code == 302
    client.logout()
    for browser in (client, Client()):
        answer = finish(browser, response)
        assert answer.status_code == 401 and "began no such sign-in" in caplog.text
        caplog.clear()


def test_a_response_to_another_browser_is_refused(client, provider, caplog):
    """Nor does it help to write the id of one's own request around the assertion of another person."""
    foreign = begin(Client(), provider)
    assert is_refused(finish(client, foreign), caplog, "began no such sign-in")
    own = base64.b64decode(begin(client, provider)).decode()
    request = fromstring(own).attrib["InResponseTo"]
    text = base64.b64decode(foreign).decode()
    mixed = text.replace(fromstring(text).attrib["InResponseTo"], request, 1)
    assert is_refused(finish(client, base64.b64encode(mixed.encode()).decode()), caplog, "SubjectConfirmation")


ENCRYPTED = (
    '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" '
    'xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"><saml:EncryptedAssertion/></samlp:Response>'
)


def test_anything_else_is_refused(client, provider, caplog):
    for text in ("", "no base64 !", "PHg", "<a/>", "<a", "\x00", "<a>" * 50_000, ENCRYPTED):
        for response in (text, base64.b64encode(text.encode()).decode()):
            assert is_refused(finish(client, response), caplog, "RefusedResponse")
            caplog.clear()
    assert is_refused(client.post(ACS, {"SAMLResponse": "a" * 400_000}), caplog, "too long")


def test_without_an_attribute_the_persistent_name_is_the_id(client, provider, settings, caplog):
    table = provider.table(create_accounts=True, attributes={"username": "username"})
    settings.SOCIALACCOUNT_PROVIDERS = settings_of([table])
    assert is_refused(sign_in(client, provider), caplog, "the NameID is not persistent")
    provider.person = {**NORA, "name_id": "n-3"}
    assert sign_in(client, provider).status_code == 302
    assert SocialAccount.objects.get().uid == "n-3"


def test_an_assertion_without_a_name_needs_the_attribute(client, provider, settings, caplog):
    provider.change_assertion = lambda text: re.sub("<saml:NameID.*?</saml:NameID>", "", text, flags=re.DOTALL)
    settings.SOCIALACCOUNT_PROVIDERS = settings_of([provider.table(create_accounts=True, attributes={})])
    assert is_refused(sign_in(client, provider), caplog, "NameID not found")
    settings.SOCIALACCOUNT_PROVIDERS = settings_of([provider.table(create_accounts=True)])
    assert sign_in(client, provider).status_code == 302
    assert SocialAccount.objects.get().uid == "n-1"


def test_an_account_is_linked_by_a_verified_address_only(client, provider, settings):
    settings.SOCIALACCOUNT_PROVIDERS = settings_of([provider.table(link_by_email=True, create_accounts=True)])
    nora = person("nora")
    nora.emailaddress_set.create(email=NORA["email"], verified=True)
    for verified, status in (("false", 403), ("yes", 403), (None, 403), ("true", 302)):
        provider.person = NORA | ({"email_verified": verified} if verified else {})
        assert sign_in(client, provider).status_code == status
        assert SocialAccount.objects.filter(user=nora).exists() == (status == 302)


def test_the_metadata_name_the_address_and_no_logout(client, provider):
    answer = client.get(METADATA)
    assert answer["Content-Type"] == "application/samlmetadata+xml"
    xml = answer.content.decode()
    assert f'Location="{SITE}{ACS}"' in xml and f'entityID="{SITE}{METADATA}"' in xml
    assert 'WantAssertionsSigned="true"' in xml and 'AuthnRequestsSigned="false"' in xml
    assert "Logout" not in xml and "validUntil" not in xml


def test_who_has_no_password_is_asked_again_by_the_provider_before_a_change(client, provider):
    sign_in(client, provider)
    asked = client.post("/accounts/email/", {"email": "nora@home.example", "action_add": ""})
    html = client.get(asked.url).content.decode().replace("&amp;", "&")
    address = re.search(rf'action="({LOGIN}[^"]*)"', html)[1]

    def confirm() -> bytes:
        request = parse_qs(urlsplit(client.post(address).context["address"]).query)["SAMLRequest"][0]
        provider.page(request)
        finish(client, provider.sent)
        return zlib.decompress(base64.b64decode(request), -15)

    def is_asked() -> bool:
        return client.get("/accounts/password/set/").status_code == 302

    sign_in(client, provider)
    assert is_asked()  # it began no confirmation
    provider.change_assertion = lambda text: re.sub('AuthnInstant="[^"]*"', 'AuthnInstant="2026-01-01T00:00:00Z"', text)
    confirm()
    assert is_asked()  # the provider did not ask again
    provider.change_assertion = lambda text: text
    assert b'ForceAuthn="true"' in confirm()
    assert not is_asked()
    client.post("/accounts/email/", {"email": "nora@home.example", "action_add": ""})
    assert EmailAddress.objects.filter(email="nora@home.example").exists()


def test_with_a_key_of_its_own_the_site_signs_its_requests_and_names_the_key(client, provider, settings):
    table = provider.table(sp_private_key=OTHER_KEY, sp_certificate=OTHER_CERTIFICATE)
    settings.SOCIALACCOUNT_PROVIDERS = settings_of([table])
    assert "Signature=" in client.post(LOGIN).context["address"]
    xml = client.get(METADATA).content.decode()
    assert 'KeyDescriptor use="signing"' in xml and 'KeyDescriptor use="encryption"' in xml


def test_an_encrypted_assertion_is_read_with_the_key_of_the_site(client, provider, settings, caplog):
    provider.encrypt_for = OTHER_CERTIFICATE
    assert is_refused(sign_in(client, provider), caplog, "No private key available")
    table = provider.table(create_accounts=True, sp_private_key=OTHER_KEY, sp_certificate=OTHER_CERTIFICATE)
    settings.SOCIALACCOUNT_PROVIDERS = settings_of([table])
    provider.is_signed = False
    assert is_refused(sign_in(client, provider), caplog, "not signed")
    provider.is_signed = True
    assert sign_in(client, provider)["Location"] == "/account/"


def test_only_configured_providers_have_addresses(client, provider):
    for page in ("login", "acs", "metadata"):
        send = client.post if page != "metadata" else client.get
        assert send(f"/accounts/saml/uni/{page}/").status_code == 404
    assert client.get("/accounts/saml/campus/sls/").status_code == 404
    assert client.get(ACS).status_code == 405
