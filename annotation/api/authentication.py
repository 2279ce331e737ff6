"""Programs authenticate with `Authorization: Token …`; the key's SHA-256 is looked up, the key itself is not stored."""

from typing import TYPE_CHECKING

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from ..accounts.tokens import note_use, token_of_key
from ..models import ApiToken, User
from ..site.log_settings import log_attempt

if TYPE_CHECKING:
    from drf_spectacular.openapi import AutoSchema


_REFUSALS = {
    ApiToken.State.REVOKED: "This token was revoked. Create another one under “API tokens”.",
    ApiToken.State.EXPIRED: "This token has expired. Create another one under “API tokens”.",
    ApiToken.State.ENDED: "This token ended when the password was changed. Create another one under “API tokens”.",
}


class TokenAuthentication(BaseAuthentication):
    """Token authentication. First of the two schemes, so that a request without token and session is answered 401."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return the token's user, or None when the request has no token."""
        scheme, _space, key = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != "token":
            return None
        token = token_of_key(key.strip())
        if token is None or not token.user.is_active:
            log_attempt("a request with a token that does not exist, or of a closed account")
            raise AuthenticationFailed("This token is not valid. Create another one under “API tokens”.")
        if token.state != ApiToken.State.VALID:
            log_attempt(f"a request with a token that is not valid: {token.prefix}, {token.state.value}")
            raise AuthenticationFailed(_REFUSALS[token.state])
        note_use(token)
        token.user.acts_as_lead = token.scope == ApiToken.Scope.LEAD
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Return the scheme for the WWW-Authenticate header of a 401."""
        return "Token"


def caller(request: Request) -> User:
    """Return the signed-in user: every view requires a login."""
    assert isinstance(request.user, User)
    return request.user


class TokenScheme(OpenApiAuthenticationExtension):
    """The description of the token scheme in the OpenAPI schema."""

    target_class = "annotation.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: "AutoSchema") -> dict[str, str]:
        """Describe an API key in the Authorization header."""
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Authorization: Token KEY`, with a key made under *API tokens* or by `manage.py "
            "create_token USER`. A token may be limited to reading, to rating, or to one project.",
        }
