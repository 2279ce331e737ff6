"""The identity providers of the file that SIGN_IN_PROVIDERS names (docs/accounts.md): OpenID Connect, or SAML."""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from . import saml_providers
from .environment import LOOPBACK, SettingsProblem

OPENID, SAML = "openid_connect", "saml"
"""The kinds of providers, as allauth names them."""
TEXTS = {OPENID: ("server_url", "client_id", "client_secret"), SAML: ("entity_id", "sso_url", "certificate")}
ADDRESS = {OPENID: "server_url", SAML: "sso_url"}
OPTIONAL = {OPENID: {"issuer"}, SAML: saml_providers.OPTIONAL}
SWITCHES = ("link_by_email", "create_accounts")
KEYS = {"kind", "id", "name", *SWITCHES, "roles_claim", "roles"}
ROLE = re.compile(r"admin|(lead|rater):[-\w]+")

App = dict[str, Any]
"""One provider in the form of allauth's SOCIALACCOUNT_PROVIDERS."""


def read_providers(path: str) -> dict[str, Any]:
    """Return allauth's SOCIALACCOUNT_PROVIDERS, empty without a path. Raises SettingsProblem."""
    if not path:
        return {}
    try:
        tables = tomllib.loads(Path(path).read_text(encoding="utf-8")).get("provider")
    except (OSError, ValueError) as error:
        raise SettingsProblem(f"SIGN_IN_PROVIDERS: cannot read {path}: {error}") from None
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise SettingsProblem(f"SIGN_IN_PROVIDERS: {path} has no [[provider]]")
    problems = [problem for number, table in enumerate(tables, 1) for problem in problems_of(number, table)]
    for key in ("id", "client_id"):  # allauth finds a provider by either
        if len({str(table.get(key, table.get("id"))) for table in tables}) < len(tables):
            problems.append(f"two providers have the same {key}")
    if problems:
        raise SettingsProblem(f"SIGN_IN_PROVIDERS: {'; '.join(problems)}")
    return settings_of(tables)


def settings_of(tables: list[dict[str, Any]]) -> dict[str, Any]:
    """Return allauth's SOCIALACCOUNT_PROVIDERS for the tables of the file."""
    by_kind: dict[str, Any] = {}
    for table in tables:
        by_kind.setdefault(table.get("kind", OPENID), {"APPS": []})["APPS"].append(app_of(table))
    if SAML in by_kind:
        by_kind[SAML]["provider_class"] = saml_providers.PROVIDER_CLASS
    return by_kind


def app_of(table: dict[str, Any]) -> App:
    is_saml = table.get("kind", OPENID) == SAML
    if is_saml:
        settings = saml_providers.settings_of(table)
    else:
        url = table["server_url"].rstrip("/")
        issuer = table.get("issuer", url.partition("/.well-known/")[0]).rstrip("/")
        settings = {"server_url": url, "issuer": issuer, "oauth_pkce_enabled": True}
    return {
        "provider_id": table["id"],
        "name": table["name"],
        "client_id": table["id"] if is_saml else table["client_id"],
        "secret": "" if is_saml else table["client_secret"],
        "settings": {
            **settings,
            **{switch: table.get(switch, False) for switch in SWITCHES},
            "roles_claim": table.get("roles_claim", ""),
            "roles": {value: as_list(role) for value, role in table.get("roles", {}).items()},
        },
    }


def problems_of(number: int, table: dict[str, Any]) -> Iterable[str]:
    where, kind = f"provider {table.get('id') or number}", table.get("kind", OPENID)
    if kind not in (OPENID, SAML):
        yield f"{where}: kind must be {OPENID} or {SAML}"
        return
    texts = ("id", "name", *TEXTS[kind])
    address = urlsplit(str(table.get(ADDRESS[kind], "")))
    is_safe = address.scheme == "https" or (address.scheme == "http" and address.hostname in LOOPBACK)
    if unknown := sorted(set(table) - KEYS - set(texts) - OPTIONAL[kind]):
        yield f"{where}: unknown {', '.join(unknown)}"
    if missing := [key for key in texts if not isinstance(table.get(key), str) or not table[key]]:
        yield f"{where}: {', '.join(missing)} must be a text"
    elif table["id"] in TEXTS:  # allauth finds a provider by its id or its kind
        yield f"{where}: id must not be the name of a kind of providers"
    elif not re.fullmatch(r"[a-z0-9-]+", table["id"]):
        yield f"{where}: id takes lower-case letters, digits and - (it is part of an address)"
    elif not is_safe:
        yield f"{where}: {ADDRESS[kind]} must start with https://"
    elif not isinstance(table.get("issuer", ""), str):
        yield f"{where}: issuer must be a text"
    elif kind == SAML:
        yield from (f"{where}: {problem}" for problem in saml_providers.problems(table))
    if wrong := [key for key in SWITCHES if not isinstance(table.get(key, False), bool)]:
        yield f"{where}: {', '.join(wrong)} must be true or false"
    claim, roles = table.get("roles_claim", ""), table.get("roles", {})
    if not isinstance(claim, str) or not isinstance(roles, dict) or bool(claim) != bool(roles):
        yield f"{where}: roles_claim and [provider.roles] belong together"
        return
    for value, role in roles.items():
        if not all(isinstance(name, str) and ROLE.fullmatch(name) for name in as_list(role)) or not role:
            yield f"{where}: the role of {value!r} must be admin, lead:PROJECT or rater:PROJECT, or a list of these"


def as_list(value: Any) -> list[Any]:
    """Return a list as it is, and another value as a list of one."""
    return value if isinstance(value, list) else [value]
