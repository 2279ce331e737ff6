"""Signatures of webhooks, against the vector that the libraries of Standard Webhooks publish in their tests."""

import base64
import re
import time
from pathlib import Path

import pytest

from annotation.webhooks.signing import new_secret, signed_headers


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


@pytest.mark.parametrize("change", ["nothing", "body", "id", "time", "secret", "version", "old"])
def test_the_documented_function_accepts_what_is_sent_and_nothing_else(change):
    text = (Path(__file__).parents[2] / "docs/webhooks.md").read_text(encoding="utf-8")
    [code] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names: dict = {}
    exec(code, names)
    secret, body, now = new_secret(), b'{"type": "webhook.test"}', int(time.time())
    headers = signed_headers(secret, "d1", now - 600 if change == "old" else now, body)
    if change == "id":
        headers["webhook-id"] = "d2"
    if change == "time":
        headers["webhook-timestamp"] = str(now + 1)
    if change == "version":
        headers["webhook-signature"] = headers["webhook-signature"].replace("v1,", "v2,")
    is_genuine = names["is_genuine"](
        new_secret() if change == "secret" else secret, headers, body + b" " if change == "body" else body
    )
    assert is_genuine is (change == "nothing")
