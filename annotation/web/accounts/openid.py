"""Sign-in by OpenID Connect, with checks that allauth leaves out (OpenID Connect Core, 3.1.3.7 and 5.3.2).

The ID token is signed with a listed algorithm by a key of the provider, whose metadata names the configured issuer. The
token belongs to a sign-in of this session, and the user info to the token's person.
"""

import io
import secrets
import ssl
from typing import Any

import httpx2
import jwt
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialApp, SocialLogin
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.http import HttpRequest
from requests import PreparedRequest, Response
from requests.adapters import BaseAdapter
from requests.exceptions import ConnectionError, Timeout
from requests.structures import CaseInsensitiveDict
from requests.utils import DEFAULT_CA_BUNDLE_PATH, get_encoding_from_headers, select_proxy

from ...site.bounded_replies import ReplyTooLarge, fetch
from .reauthentication import ASKED, BEGUN, confirmation_state

ALGORITHMS = [
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA"),
]
"""What signs with a private key of the provider: neither `none` nor a secret that is shared."""
CLAIMS = ["iss", "sub", "aud", "exp", "iat"]
ASK_AGAIN = {"prompt": "login", "max_age": "0"}
"""Parameters: the provider asks for its password although the person is signed in there, and says when it asked."""
NONCE = "nonce"  # in the state of a sign-in, which the session has until the person comes back


class CheckedProvider(OpenIDConnectProvider):
    """allauth's provider with a nonce for each sign-in. An address adds no parameters to the request."""

    def get_redirect_from_request_kwargs(self, request: HttpRequest) -> dict[str, Any]:
        """Return what a sign-in is begun with: parameters for the provider, and what its state keeps."""
        state = {NONCE: secrets.token_urlsafe(16), **confirmation_state(request)}
        parameters = {NONCE: state[NONCE], **(ASK_AGAIN if BEGUN in state else {})}
        return {**super().get_redirect_from_request_kwargs(request), **state, "auth_params": parameters}


class CheckedAdapter(OpenIDConnectOAuth2Adapter):
    """allauth's client of OpenID Connect. Raises OAuth2Error for an invalid response."""

    state: dict[str, Any]
    """What the session has kept of the sign-in from which the person comes back."""

    def get_provider(self) -> CheckedProvider:
        """Return the provider. Raises SocialApp.DoesNotExist."""
        return CheckedProvider(self.request, app=super().get_provider().app)

    @property
    def openid_config(self) -> dict[str, Any]:
        """Return the provider's metadata, if it is the configured issuer's."""
        config: dict[str, Any] = super().openid_config
        issuer = self.get_provider().app.settings["issuer"]
        if str(config.get("issuer")).rstrip("/") != issuer:
            raise OAuth2Error(f"the provider's metadata is of {config.get('issuer')!r} and not of {issuer!r}")
        return config

    def complete_login(self, request: HttpRequest, app: SocialApp, token: Any, **options: Any) -> SocialLogin:
        """Return who signs in."""
        if not options["response"].get("id_token"):
            raise OAuth2Error("the provider sent no ID token")
        sign_in: SocialLogin = super().complete_login(request, app, token, **options)
        claims = sign_in.account.extra_data
        if claims["userinfo"].get("sub") != claims["id_token"]["sub"]:
            raise OAuth2Error("user info and ID token are of different people")
        self.state[ASKED] = claims["id_token"].get("auth_time")
        return sign_in

    def _decode_id_token(self, app: SocialApp, id_token: str) -> dict[str, Any]:
        config = self.openid_config
        with get_adapter().get_requests_session() as session:
            answer = session.get(config["jwks_uri"])
            answer.raise_for_status()
        try:
            name = jwt.get_unverified_header(id_token).get("kid")
            named = [
                key
                for key in jwt.PyJWKSet.from_dict(answer.json()).keys
                if key.public_key_use in ("sig", None) and name in (None, key.key_id)
            ]
            if len(named) != 1:
                raise jwt.InvalidKeyError(f"the provider has {len(named)} keys of the name {name!r}")
            key = named[0]
            claims: dict[str, Any] = jwt.decode(
                id_token,
                key,
                algorithms=ALGORITHMS,
                audience=app.client_id,
                issuer=config["issuer"],
                options={"require": CLAIMS},
            )
        except jwt.PyJWTError as error:
            raise OAuth2Error(f"the ID token is not valid: {error}") from error
        nonce = self.state.get(NONCE, "")
        if not nonce or not secrets.compare_digest(str(claims.get("nonce")), nonce):
            raise OAuth2Error("the ID token belongs to another sign-in")
        if not isinstance(claims.get("auth_time", 0), int | float):
            raise OAuth2Error("auth_time of the ID token is not a number")
        return claims


class CallbackView(OAuth2CallbackView):
    """allauth's view of who comes back. The adapter gets the state of the sign-in, which the session has no longer."""

    def _get_state(self, request: HttpRequest, provider: CheckedProvider) -> Any:
        state, answer = super()._get_state(request, provider)
        self.adapter.state = state
        return state, answer


MAX_SIZE = 1_000_000
"""Bytes of a reply, decompressed."""
SECONDS = 5.0
"""For all of a reply: metadata, keys, tokens and user info are a few kB each."""


class BoundedAdapter(BaseAdapter):
    """Sends the requests of a session of `requests`, which allauth uses."""

    def send(
        self,
        request: PreparedRequest,
        stream: bool = False,
        timeout: Any = None,
        verify: bool | str = True,
        cert: Any = None,
        proxies: Any = None,
    ) -> Response:
        """Return the whole reply. Raises RequestException."""
        url = request.url or ""
        headers: Any = {**request.headers, "Accept-Encoding": "gzip, deflate"}
        body: Any = request.body
        try:
            context = ssl.create_default_context(cafile=verify if isinstance(verify, str) else DEFAULT_CA_BUNDLE_PATH)
            reply = fetch(
                httpx2.Request(request.method or "", url, headers=headers, content=body),
                max_size=MAX_SIZE,
                seconds=SECONDS,
                verify=context,
                proxy=select_proxy(url, proxies),
            )
        except TimeoutError as error:
            raise Timeout(f"{url}: {error}", request=request) from None
        except (ReplyTooLarge, httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError) as error:
            raise ConnectionError(f"{url}: {type(error).__name__}: {error}", request=request) from None
        response = Response()
        response.status_code, response.url, response.request = reply.status_code, url, request
        response.headers = CaseInsensitiveDict(reply.headers)
        response.encoding = get_encoding_from_headers(response.headers)
        response.raw = io.BytesIO(reply.content)
        return response

    def close(self) -> None:
        """Do nothing: no connection outlives its reply."""
