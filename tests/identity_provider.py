"""A small OpenID provider on loopback for the tests: it signs in whoever `person` says, and signs its tokens."""

import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from django.test import Client
from jwt.algorithms import RSAAlgorithm

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
CLIENT, SECRET = "factuary", "the client's secret"


class IdentityProvider:
    """The provider; `person` holds the claims of who signs in next, `asked` the last request for that.

    `forged` are claims of the ID token alone; `key` and `algorithm` sign it.
    `written`: path -> what writes the whole reply to a request for it.
    `says_when`: the token has `auth_time` if the request has `max_age`.
    """

    def __init__(self) -> None:
        self.person: dict[str, Any] = {}
        self.answers_with_error = self.moved_to = ""
        self.asked: dict[str, str] = {}
        self.forged: dict[str, Any] = {}
        self.key: Any = KEY
        self.algorithm = "RS256"
        self.written: dict[str, Callable[[Any], None]] = {}
        self.says_when = True
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.url = self.issuer = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=[0.02], daemon=True).start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def table(self, **options: Any) -> dict[str, Any]:
        """Return the provider's table in the file of SIGN_IN_PROVIDERS."""
        return {
            "id": "uni",
            "name": "University",
            "server_url": self.url,
            "client_id": CLIENT,
            "client_secret": SECRET,
            **options,
        }

    def sign_in(self, browser: Client, address: str = "/accounts/oidc/uni/login/", **claims: Any) -> Any:
        """Sign in without a real browser; `claims` are of the ID token. Return the response to the callback."""
        self.forged = claims
        page = browser.post(address)
        self.asked = dict(parse_qsl(urlsplit(page.context["address"]).query))
        return browser.get(f"/accounts/oidc/uni/login/callback/?code=a-code&state={self.asked['state']}")

    def configuration(self) -> dict[str, Any]:
        pages = {name: f"{self.url}/{name.partition('_')[0]}" for name in ("token_endpoint", "userinfo_endpoint")}
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.url}/authorize",
            "jwks_uri": f"{self.url}/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
            **pages,
        }

    def authorize(self, query: dict[str, str]) -> str:
        self.asked = query
        assert query["client_id"] == CLIENT and query["code_challenge_method"] == "S256"
        answer = {"error": self.answers_with_error} if self.answers_with_error else {"code": "a-code"}
        return f"{query['redirect_uri']}?{urlencode({**answer, 'state': query['state']})}"

    def tokens(self, form: dict[str, str]) -> dict[str, Any]:
        assert form["client_secret"] == SECRET and form["code"] == "a-code" and form["code_verifier"]
        now = int(time.time())
        asked = {
            "nonce": self.asked["nonce"],
            **({"auth_time": now} if "max_age" in self.asked and self.says_when else {}),
        }
        claims = {"iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 60, **asked, **self.person, **self.forged}
        id_token = jwt.encode(claims, self.key, self.algorithm, headers={"kid": "1"})
        return {"access_token": "an-access-token", "token_type": "Bearer", "expires_in": 60, "id_token": id_token}


def _handler(provider: IdentityProvider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if write := provider.written.get(parts.path):
                write(self.wfile)
            elif provider.moved_to:
                self.send_response(302)
                self.send_header("Location", provider.moved_to)
                self.end_headers()
            elif parts.path == "/authorize":
                self.send_response(302)
                query = {name: values[0] for name, values in parse_qs(parts.query).items()}
                self.send_header("Location", provider.authorize(query))
                self.end_headers()
            elif parts.path == "/keys":
                public = json.loads(RSAAlgorithm.to_jwk(KEY.public_key()))
                self.answer({"keys": [public | {"kid": "1", "use": "sig", "alg": "RS256"}]})
            elif parts.path == "/userinfo":
                self.answer(provider.person)
            else:
                self.answer(provider.configuration())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            if write := provider.written.get(self.path):
                write(self.wfile)
            else:
                self.answer(provider.tokens({name: values[0] for name, values in parse_qs(body).items()}))

        def answer(self, data: dict[str, Any]) -> None:
            content = json.dumps(data).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_args: Any) -> None:
            pass

    return Handler
