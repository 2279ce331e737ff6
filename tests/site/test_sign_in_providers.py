"""The file of SIGN_IN_PROVIDERS."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from annotation.site.environment import SettingsProblem
from annotation.site.sign_in_providers import read_providers
from tests.saml_identity_provider import CERTIFICATE, KEY

COMPLETE = """
[[provider]]
id = "uni"
name = "University"
server_url = "https://id.example.org/realms/uni/"
client_id = "factuary"
client_secret = "secret"
"""
NOTHING_MORE = {"link_by_email": False, "create_accounts": False, "roles_claim": "", "roles": {}}
SAML = f'''
[[provider]]
kind = "saml"
id = "campus"
name = "Campus"
entity_id = "https://idp.example.org/idp"
sso_url = "https://idp.example.org/sso"
certificate = """{CERTIFICATE}"""
'''


def written(folder: Path, text: str) -> str:
    path = folder / "providers.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def read(folder: Path, text: str) -> dict:
    return read_providers(written(folder, text))


def test_a_provider_neither_links_nor_creates_accounts_unless_told_to(tmp_path: Path) -> None:
    assert read_providers("") == {}
    (app,) = read(tmp_path, COMPLETE)["openid_connect"]["APPS"]
    assert app["settings"] == {
        "server_url": "https://id.example.org/realms/uni",
        "issuer": "https://id.example.org/realms/uni",
        "oauth_pkce_enabled": True,
        **NOTHING_MORE,
    }


def test_the_issuer_is_that_of_the_address_or_the_one_that_is_named(tmp_path: Path) -> None:
    whole = COMPLETE.replace("/realms/uni/", "/.well-known/openid-configuration")
    for text in (COMPLETE + 'issuer = "https://id.example.org/"', whole):
        (app,) = read(tmp_path, text)["openid_connect"]["APPS"]
        assert app["settings"]["issuer"] == "https://id.example.org"


def test_a_site_may_have_providers_of_both_kinds(tmp_path: Path) -> None:
    providers = read(tmp_path, COMPLETE + SAML + '[provider.attributes]\nuid = "subject-id"')
    assert [app["provider_id"] for app in providers["openid_connect"]["APPS"]] == ["uni"]
    assert providers["saml"]["APPS"][0]["settings"] == {
        "entity_id": "https://idp.example.org/idp",
        "sso_url": "https://idp.example.org/sso",
        "certificates": [CERTIFICATE],
        "sp_certificate": "",
        "sp_private_key": "",
        "attribute_mapping": {"uid": "subject-id"},
        **NOTHING_MORE,
    }


def test_saml_without_its_package_is_refused_with_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    assert read(tmp_path, COMPLETE)
    with pytest.raises(SettingsProblem, match=r"pip install -r requirements-all\.lock"):
        read(tmp_path, SAML)


def test_saml_is_loaded_for_a_provider_of_its_kind_only(tmp_path: Path) -> None:
    def loaded(text: str) -> str:
        program = (
            "import sys, django; django.setup(); from django.urls import get_resolver; get_resolver().url_patterns;"
            "print([name for name in ('onelogin', 'lxml', 'xmlsec') if name in sys.modules])"
        )
        variables = {"SIGN_IN_PROVIDERS": written(tmp_path, text), "DJANGO_SETTINGS_MODULE": "annotation.settings"}
        command = [sys.executable, "-c", program]
        return subprocess.run(
            command, env=os.environ | variables, check=True, capture_output=True, text=True
        ).stdout.strip()

    assert loaded(COMPLETE) == "[]"
    assert loaded(COMPLETE + SAML) == "['onelogin', 'lxml', 'xmlsec']"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[[provider]", "cannot read"),
        ("", "has no \\[\\[provider\\]\\]"),
        (COMPLETE.replace('client_secret = "secret"', ""), "provider uni: client_secret must be a text"),
        (COMPLETE.replace("https:", "http:"), "server_url must start with https://"),
        (COMPLETE.replace('"uni"', '"My Uni"'), "id takes lower-case letters"),
        (COMPLETE.replace('"uni"', '"saml"'), "provider saml: id must not be the name of a kind"),
        (SAML.replace('"campus"', '"saml"'), "provider saml: id must not be the name of a kind"),
        (SAML.replace('"campus"', '"openid_connect"'), "id must not be the name of a kind"),
        (COMPLETE + "link_by_mail = true", "unknown link_by_mail"),
        (COMPLETE + "issuer = 1", "issuer must be a text"),
        (COMPLETE + 'link_by_email = "no"', "link_by_email must be true or false"),
        (COMPLETE + 'roles_claim = "groups"', "belong together"),
        (COMPLETE + 'roles_claim = "groups"\n[provider.roles]\nstaff = "owner"', "the role of 'staff' must be admin"),
        (COMPLETE + 'kind = "ldap"', "kind must be openid_connect or saml"),
        (SAML.replace("https://idp.example.org/sso", "http://idp.example.org/sso"), "sso_url must start with https://"),
        (SAML + 'server_url = "https://id.example.org"', "unknown server_url"),
        (SAML.replace(CERTIFICATE, "none"), "certificate cannot be read"),
        (SAML + f'sp_private_key = """{KEY}"""', "sp_certificate and sp_private_key belong together"),
        (SAML + 'sp_private_key = "none"\nsp_certificate = "none"', "sp_certificate cannot be read.*sp_private_key"),
        (SAML + "link_by_email = true", "link_by_email needs the attribute email_verified"),
        (SAML + 'attributes = {mail = "mail"}', "unknown attributes mail"),
        (SAML + "attributes = {uid = 1}", "must be a table of texts"),
        (SAML * 2, "two providers have the same id"),
        (COMPLETE * 2, "two providers have the same id; two providers have the same client_id"),
    ],
)
def test_a_wrong_file_is_refused_with_the_reason(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(SettingsProblem, match=problem):
        read(tmp_path, text)
