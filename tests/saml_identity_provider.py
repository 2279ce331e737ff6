"""A small SAML identity provider on loopback for the tests: it signs in whoever `person` says, by a signed response."""

import base64
import datetime
import threading
import uuid
import zlib
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

import xmlsec
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from defusedxml.ElementTree import fromstring
from lxml import etree
from onelogin.saml2.constants import OneLogin_Saml2_Constants as Constants
from onelogin.saml2.utils import OneLogin_Saml2_Utils

PERSISTENT, TRANSIENT = Constants.NAMEID_PERSISTENT, Constants.NAMEID_TRANSIENT
PAGE = """<!doctype html><form method="post" action="{address}"><input name="SAMLResponse" value="{response}">
<input name="RelayState" value="https://elsewhere.example/"></form><script>document.forms[0].submit()</script>"""
RESPONSE = """<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"
 xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_{id}" Version="2.0" IssueInstant="{now}"
 Destination="{address}" InResponseTo="{request}"><saml:Issuer>{issuer}</saml:Issuer><samlp:Status><samlp:StatusCode
 Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>{assertion}</samlp:Response>"""
ASSERTION = """<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_{id}" Version="2.0"
 IssueInstant="{now}"><saml:Issuer>{issuer}</saml:Issuer><saml:Subject><saml:NameID
 Format="{name_format}">{name_id}</saml:NameID><saml:SubjectConfirmation
 Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="{end}"
 Recipient="{address}" InResponseTo="{request}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions
 NotOnOrAfter="{end}"><saml:AudienceRestriction><saml:Audience>{audience}</saml:Audience></saml:AudienceRestriction>
</saml:Conditions><saml:AuthnStatement AuthnInstant="{now}"><saml:AuthnContext><saml:AuthnContextClassRef>
urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>
{attributes}</saml:Assertion>"""


def key_pair() -> tuple[str, str]:
    """Return a private key and its certificate, as PEM texts."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name, now = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")]), datetime.datetime.now(datetime.UTC)
    builder = x509.CertificateBuilder(
        name, name, key.public_key(), x509.random_serial_number(), now, now.replace(year=now.year + 1, day=1)
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    certificate = builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    return private.decode(), certificate.decode()


KEY, CERTIFICATE = key_pair()


class SamlIdentityProvider:
    """The provider. `person` holds the attributes of who signs in next, and perhaps `name_id`."""

    def __init__(self) -> None:
        self.person: dict[str, Any] = {}
        self.assertion: dict[str, str] = {}
        """Values that replace those of a correct assertion."""
        self.key, self.certificate = KEY, CERTIFICATE
        self.change_assertion: Callable[[str], str] = lambda assertion: assertion
        """Changes the assertion before it is signed."""
        self.change: Callable[[str], str] = lambda response: response
        """Changes the finished response."""
        self.is_signed = True
        self.encrypt_for = ""
        """The certificate of the site, for which assertions are encrypted, if there is one."""
        self.sent = ""
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=[0.02], daemon=True).start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def table(self, **options: Any) -> dict[str, Any]:
        """Return the provider's table in the file of SIGN_IN_PROVIDERS."""
        names = {name: name for name in ("uid", "email", "email_verified", "name", "username")}
        return {
            "kind": "saml",
            "id": "campus",
            "name": "Campus",
            "entity_id": f"{self.url}/entity",
            "sso_url": f"{self.url}/sso",
            "certificate": CERTIFICATE,
            "attributes": names,
            **options,
        }

    def page(self, request: str) -> str:
        """Answer a request of the site with a page that posts the response."""
        xml = fromstring(zlib.decompress(base64.b64decode(request), -15))
        address = xml.attrib["AssertionConsumerServiceURL"]
        audience = xml.findtext("{urn:oasis:names:tc:SAML:2.0:assertion}Issuer") or ""
        self.sent = base64.b64encode(self.response(xml.attrib["ID"], address, audience).encode()).decode()
        return PAGE.format(address=address, response=self.sent)

    def response(self, request: str, address: str, audience: str) -> str:
        now = datetime.datetime.now(datetime.UTC)
        values = {
            "now": now.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "end": (now + datetime.timedelta(minutes=5)).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "issuer": f"{self.url}/entity",
            "name_format": PERSISTENT if "name_id" in self.person else TRANSIENT,
            "name_id": self.person.get("name_id", uuid.uuid4().hex),
            "request": request,
            "address": address,
            "audience": audience,
        }
        filled = ASSERTION.format(id=uuid.uuid4().hex, attributes=_statement(self.person), **(values | self.assertion))
        assertion = self.change_assertion(filled)
        if self.is_signed:
            signed = OneLogin_Saml2_Utils.add_sign(
                assertion,
                self.key,
                self.certificate,
                sign_algorithm=Constants.RSA_SHA256,
                digest_algorithm=Constants.SHA256,
            )
            assertion = signed.decode() if isinstance(signed, bytes) else signed
        if self.encrypt_for:
            assertion = _encrypted(assertion, self.encrypt_for)
        return self.change(RESPONSE.format(id=uuid.uuid4().hex, assertion=assertion, **values))


def _encrypted(assertion: str, certificate: str) -> str:
    """Return an assertion encrypted as Shibboleth does: AES by a key that is encrypted for the certificate."""
    manager = xmlsec.KeysManager()
    manager.add_key(xmlsec.Key.from_memory(certificate, xmlsec.KeyFormat.CERT_PEM, None))
    envelope = etree.Element("{urn:oasis:names:tc:SAML:2.0:assertion}EncryptedAssertion")
    envelope.append(etree.fromstring(assertion))
    data = xmlsec.template.encrypted_data_create(
        envelope, xmlsec.Transform.AES128, type=xmlsec.EncryptionType.ELEMENT, ns="xenc"
    )
    xmlsec.template.encrypted_data_ensure_cipher_value(data)
    info = xmlsec.template.encrypted_data_ensure_key_info(data, ns="dsig")
    key = xmlsec.template.add_encrypted_key(info, xmlsec.Transform.RSA_OAEP)
    xmlsec.template.encrypted_data_ensure_cipher_value(key)
    context = xmlsec.EncryptionContext(manager)
    context.key = xmlsec.Key.generate(xmlsec.KeyData.AES, 128, xmlsec.KeyDataType.SESSION)
    context.encrypt_xml(data, envelope[0])
    return etree.tostring(envelope).decode()


def _statement(person: dict[str, Any]) -> str:
    attributes = ""
    for name, value in person.items():
        texts = value if isinstance(value, list) else [value]
        tags = "".join(f"<saml:AttributeValue>{escape(text)}</saml:AttributeValue>" for text in texts)
        attributes += f'<saml:Attribute Name="{name}">{tags}</saml:Attribute>'
    return f"<saml:AttributeStatement>{attributes}</saml:AttributeStatement>" if attributes else ""


def _handler(provider: SamlIdentityProvider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            query = parse_qs(urlsplit(self.path).query)
            content = provider.page(query["SAMLRequest"][0]).encode() if "SAMLRequest" in query else b""
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_args: Any) -> None:
            pass

    return Handler
