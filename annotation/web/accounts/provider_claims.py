"""What an identity provider says about a person (allauth's SocialLogin)."""

from typing import Any

from ...models import User
from ...projects.claimed_roles import apply_claimed_roles, claim_values


def claims_of(sign_in: Any) -> dict[str, Any]:
    """Return the claims of the ID token and the user info endpoint; the latter win."""
    data = sign_in.account.extra_data
    return {**(data.get("id_token") or {}), **(data.get("userinfo") or {})}


def apply_roles(user: User, sign_in: Any) -> None:
    """Give the person who signed in the roles of the claims, if the provider has roles."""
    options = sign_in.account.get_provider().app.settings
    if options["roles"]:
        apply_claimed_roles(user, options["roles"], claim_values(claims_of(sign_in), options["roles_claim"]))
