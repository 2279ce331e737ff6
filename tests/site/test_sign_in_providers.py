"""The file of SIGN_IN_PROVIDERS."""

from pathlib import Path

import pytest

from annotation.site.environment import SettingsProblem
from annotation.site.sign_in_providers import read_providers

COMPLETE = """
[[provider]]
id = "uni"
name = "University"
server_url = "https://id.example.org/realms/uni/"
client_id = "factuary"
client_secret = "secret"
"""


def read(folder: Path, text: str) -> dict:
    path = folder / "providers.toml"
    path.write_text(text, encoding="utf-8")
    return read_providers(str(path))


def test_no_file_means_no_providers() -> None:
    assert read_providers("") == {}


def test_a_provider_neither_links_nor_creates_accounts_unless_told_to(tmp_path: Path) -> None:
    (app,) = read(tmp_path, COMPLETE)["openid_connect"]["APPS"]
    assert app["settings"] == {
        "server_url": "https://id.example.org/realms/uni",
        "oauth_pkce_enabled": True,
        "link_by_email": False,
        "create_accounts": False,
        "roles_claim": "",
        "roles": {},
    }


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[[provider]", "cannot read"),
        ("", "has no \\[\\[provider\\]\\]"),
        (COMPLETE.replace('client_secret = "secret"', ""), "provider uni: client_secret must be a text"),
        (COMPLETE.replace("https:", "http:"), "server_url must start with https://"),
        (COMPLETE.replace('"uni"', '"My Uni"'), "id takes lower-case letters"),
        (COMPLETE + "link_by_mail = true", "unknown link_by_mail"),
        (COMPLETE + 'link_by_email = "no"', "link_by_email must be true or false"),
        (COMPLETE + 'roles_claim = "groups"', "belong together"),
        (COMPLETE + 'roles_claim = "groups"\n[provider.roles]\nstaff = "owner"', "the role of 'staff' must be admin"),
        (COMPLETE * 2, "two providers have the same id; two providers have the same client_id"),
    ],
)
def test_a_wrong_file_is_refused_with_the_reason(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(SettingsProblem, match=problem):
        read(tmp_path, text)
