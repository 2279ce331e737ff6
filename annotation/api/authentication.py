"""Programs authenticate with `Authorization: Token …`; the key's SHA-256 is looked up, the key itself is not stored."""

from typing import TYPE_CHECKING

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from ..accounts.tokens import token_digest
from ..models import ApiToken, User

if TYPE_CHECKING:
    from drf_spectacular.openapi import AutoSchema


class TokenAuthentication(BaseAuthentication):
    """Token authentication. First of the two schemes, so that a request without token and session is answered 401."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return the token's user, or None when the request has no token."""
        scheme, _, key = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != "token":
            return None
        tokens = ApiToken.objects.select_related("user")
        token = tokens.filter(digest=token_digest(key.strip())).first()
        if token is None or not token.user.is_active:
            raise AuthenticationFailed("This token is not valid. Ask an admin for a new one (create_token).")
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
            "description": "`Authorization: Token KEY`, with a key made by `manage.py create_token USER`.",
        }
