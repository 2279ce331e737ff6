"""The configuration of a model at an endpoint, before it is stored, and what is checked of it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator

from .errors import ModelError

MAX_CONCURRENCY = 256
Bounds = tuple[Any, float, float]
"""A value, the least and the greatest that it may have."""
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_is_url = URLValidator(schemes=["http", "https"])


@dataclass(frozen=True, kw_only=True)
class EndpointConfiguration:
    """Address, model, parameters, limits and prices (USD per million tokens), without the key."""

    base_url: str = ""
    model: str = ""
    temperature: float = 0.0
    max_tokens: int = 1_000
    timeout: float = 120.0
    concurrency: int = 8
    requests_per_minute: int | None = None
    input_price: Decimal | None = None
    output_price: Decimal | None = None
    key_env: str = ""


def check_endpoint(configuration: EndpointConfiguration) -> None:
    """Raise ModelError for an address, model or name of a variable that cannot be used."""
    if not configuration.base_url or not configuration.model:
        field = "model" if configuration.base_url else "base_url"
        raise ModelError("give the address of an endpoint and a model", field)
    try:
        _is_url(configuration.base_url)
    except ValidationError:
        raise ModelError(f"{configuration.base_url!r} is not an address (http or https)", "base_url") from None
    if "@" in configuration.base_url.partition("://")[2].partition("/")[0]:
        message = "the address has a user name or password: name an environment variable with the key"
        raise ModelError(message, "base_url")
    if configuration.key_env and not _VARIABLE.fullmatch(configuration.key_env):
        raise ModelError(f"{configuration.key_env!r} is not the name of an environment variable", "key_env")


def check_limits(configuration: EndpointConfiguration, further: Mapping[str, Bounds] | None = None) -> None:
    """Raise ModelError for a number outside its bounds, also of `further` ones by name, or for one price alone."""
    bounds: dict[str, Bounds] = {
        "temperature": (configuration.temperature, 0, 2),
        "concurrency": (configuration.concurrency, 1, MAX_CONCURRENCY),
        "max_tokens": (configuration.max_tokens, 1, 1_000_000),
        "timeout": (configuration.timeout, 0.1, 3_600),
        "requests_per_minute": (configuration.requests_per_minute or 1, 1, 1_000_000),
        "input_price": (configuration.input_price or 0, 0, 100_000),
        "output_price": (configuration.output_price or 0, 0, 100_000),
        **(further or {}),
    }
    for name, (value, least, most) in bounds.items():
        if not least <= value <= most:
            raise ModelError(f"{name} must be between {least} and {most}", name)
    if (configuration.input_price is None) != (configuration.output_price is None):
        missing = "input_price" if configuration.input_price is None else "output_price"
        raise ModelError("give both prices, of input and of output, or none", missing)
