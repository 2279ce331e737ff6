"""What an identity provider says about a person (allauth's SocialLogin)."""

from typing import Any

from ...models import User
from ...projects.claimed_roles import apply_claimed_roles, claim_values
from ...site.sign_in_providers import SAML


def claims_of(sign_in: Any) -> dict[str, Any]:
    """Return the claims of the ID token and the user info endpoint, of which the latter win; or SAML's attributes."""
    data: dict[str, Any] = sign_in.account.extra_data
    if _app(sign_in).provider == SAML:
        return data
    return {**(data.get("id_token") or {}), **(data.get("userinfo") or {})}


def is_address_verified(sign_in: Any) -> bool:
    """Return whether the provider says that it has verified the address: `true`, or SAML's text "true"."""
    app, claims = _app(sign_in), claims_of(sign_in)
    if app.provider == SAML:
        return claims.get(app.settings["attribute_mapping"].get("email_verified")) == ["true"]
    return claims.get("email_verified") is True


def apply_roles(user: User, sign_in: Any) -> None:
    """Give the person who signed in the roles of the claims, if the provider has roles."""
    options = _app(sign_in).settings
    if options["roles"]:
        apply_claimed_roles(user, options["roles"], claim_values(claims_of(sign_in), options["roles_claim"]))


def _app(sign_in: Any) -> Any:
    return sign_in.account.get_provider().app
