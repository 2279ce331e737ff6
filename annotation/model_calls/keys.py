"""The keys of endpoints: in the environment, or stored encrypted. None is in a request as it is stored."""

import os

from cryptography.fernet import InvalidToken

from ..models.model_calls import ModelConfiguration
from ..site.secret_key import cipher, secret_key
from .errors import ModelError

KEY_PURPOSE = "judge-key"
"""Of all keys of endpoints. The word is part of the cipher, so it stays as it was when judges alone had keys."""
KEY_PREFIXES = ("MODEL_", "JUDGE_")
"""Of environment variables that pages and the API accept: neither can send another secret of the server."""


def key_of(configuration: ModelConfiguration) -> str:
    """Return the key: that of the environment variable, or the stored one; "" for an endpoint without a key. Raises
    ModelError.
    """
    if configuration.key_env and (key := os.environ.get(configuration.key_env, "")):
        return key
    if configuration.encrypted_key:
        try:
            return cipher(KEY_PURPOSE).decrypt(configuration.encrypted_key.encode()).decode()
        except InvalidToken:
            raise ModelError(
                f"the stored key of {configuration.label} cannot be decrypted with this SECRET_KEY: store it again"
            ) from None
    if configuration.key_env:
        raise ModelError(
            f"the environment variable {configuration.key_env} with the key of {configuration.label} is not set"
        )
    return ""


def check_key_variable(name: str) -> None:
    """Raise ModelError unless the variable, if any, may be named in a page or by the API."""
    if name and not name.startswith(KEY_PREFIXES):
        prefixes = " or ".join(KEY_PREFIXES)
        raise ModelError(
            f"Name a variable that starts with {prefixes}: no other one may be sent to an endpoint.", "key_env"
        )


def encrypted(key: str) -> str:
    """Return the key as it is stored; "" for none. Raises ModelError without a SECRET_KEY."""
    if not key:
        return ""
    if not secret_key():
        raise ModelError("SECRET_KEY is not set: set it to the server's, with which the key is encrypted")
    return cipher(KEY_PURPOSE).encrypt(key.encode()).decode()
