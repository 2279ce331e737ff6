"""The identity providers (OpenID Connect) of the file that SIGN_IN_PROVIDERS names (docs/accounts.md)."""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from .environment import LOOPBACK, SettingsProblem

TEXTS = ("id", "name", "server_url", "client_id", "client_secret")
SWITCHES = ("link_by_email", "create_accounts")
KEYS = {*TEXTS, *SWITCHES, "roles_claim", "roles"}
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
    problems = [problem for number, table in enumerate(tables, 1) for problem in _problems(number, table)]
    for key in ("id", "client_id"):  # allauth finds a provider by either
        if len({str(table.get(key)) for table in tables}) < len(tables):
            problems.append(f"two providers have the same {key}")
    if problems:
        raise SettingsProblem(f"SIGN_IN_PROVIDERS: {'; '.join(problems)}")
    return {"openid_connect": {"APPS": [app_of(table) for table in tables]}}


def app_of(table: dict[str, Any]) -> App:
    """Return the provider of one table of the file."""
    return {
        "provider_id": table["id"],
        "name": table["name"],
        "client_id": table["client_id"],
        "secret": table["client_secret"],
        "settings": {
            "server_url": table["server_url"].rstrip("/"),
            "oauth_pkce_enabled": True,
            **{switch: table.get(switch, False) for switch in SWITCHES},
            "roles_claim": table.get("roles_claim", ""),
            "roles": {value: _as_list(role) for value, role in table.get("roles", {}).items()},
        },
    }


def _problems(number: int, table: dict[str, Any]) -> Iterable[str]:
    where = f"provider {table.get('id') or number}"
    if unknown := sorted(set(table) - KEYS):
        yield f"{where}: unknown {', '.join(unknown)}"
    if missing := [key for key in TEXTS if not isinstance(table.get(key), str) or not table[key]]:
        yield f"{where}: {', '.join(missing)} must be a text"
    elif not re.fullmatch(r"[a-z0-9-]+", table["id"]):
        yield f"{where}: id takes lower-case letters, digits and - (it is part of an address)"
    elif not _is_safe(table["server_url"]):
        yield f"{where}: server_url must start with https://"
    if wrong := [key for key in SWITCHES if not isinstance(table.get(key, False), bool)]:
        yield f"{where}: {', '.join(wrong)} must be true or false"
    yield from _role_problems(where, table)


def _is_safe(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)


def _role_problems(where: str, table: dict[str, Any]) -> Iterable[str]:
    claim, roles = table.get("roles_claim", ""), table.get("roles", {})
    if not isinstance(claim, str) or not isinstance(roles, dict) or bool(claim) != bool(roles):
        yield f"{where}: roles_claim and [provider.roles] belong together"
        return
    for value, role in roles.items():
        if not all(isinstance(name, str) and ROLE.fullmatch(name) for name in _as_list(role)) or not role:
            yield f"{where}: the role of {value!r} must be admin, lead:PROJECT or rater:PROJECT, or a list of these"


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
