"""Signatures of webhooks, against the vector that the libraries of Standard Webhooks publish in their tests."""

import base64
import re
import time
from pathlib import Path

from annotation.webhooks.sending import new_secret, signed_headers


def test_the_published_example_has_its_signature():
    body = b'{"test": 2432232314}'
    headers = signed_headers("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body)
    assert headers == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


def test_secrets_are_random_and_as_long_as_the_specification_asks():
    secrets = {new_secret() for _ in range(20)}
    assert len(secrets) == 20
    for secret in secrets:
        assert secret.startswith("whsec_")
        assert 24 <= len(base64.b64decode(secret[6:], validate=True)) <= 64


def test_the_documented_function_accepts_what_is_sent_and_nothing_else():
    text = (Path(__file__).parents[2] / "docs/webhooks.md").read_text(encoding="utf-8")
    [code] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names: dict = {}
    exec(code, names)
    secret, body, now = new_secret(), b'{"type": "webhook.test"}', int(time.time())
    headers, old = (signed_headers(secret, "d1", seconds, body) for seconds in (now, now - 600))
    another_version = headers["webhook-signature"].replace("v1,", "v2,")
    assert names["is_genuine"](secret, headers, body)
    for what, changed in {
        "body": (secret, headers, body + b" "),
        "secret": (new_secret(), headers, body),
        "old": (secret, old, body),
        "id": (secret, headers | {"webhook-id": "d2"}, body),
        "time": (secret, headers | {"webhook-timestamp": str(now + 1)}, body),
        "version": (secret, headers | {"webhook-signature": another_version}, body),
    }.items():
        assert not names["is_genuine"](*changed), what
