"""What is checked of settings and limits before they are stored, and versions by their labels."""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Field, Model, QuerySet

from ..models.model_calls import ModelConfiguration
from .errors import ModelError

_LABEL = re.compile(r"([A-Za-z0-9][A-Za-z0-9._+-]{0,59})(?:@([0-9]{1,9}))?")
Versioned = TypeVar("Versioned", bound=Model)


def check_fields(row: Model, names: Iterable[str]) -> None:
    """Raise ModelError for a value that its field does not accept."""
    for name in names:
        field = _field(row, name)
        try:
            field.clean(getattr(row, field.attname), row)
        except ValidationError as error:
            raise ModelError(f"{name}: {' '.join(error.messages)}", name) from None


def _field(row: Model, name: str) -> "Field[Any, Any]":
    field = row._meta.get_field(name)
    assert isinstance(field, Field)
    return field


def check_endpoint(configuration: ModelConfiguration) -> None:
    """Raise ModelError for settings with which no request can be sent, or no cost computed."""
    if not configuration.base_url or not configuration.model:
        field = "model" if configuration.base_url else "base_url"
        raise ModelError("give the address of an endpoint and a model", field)
    check_fields(configuration, configuration.SETTINGS)
    if (configuration.input_price is None) != (configuration.output_price is None):
        missing = "input_price" if configuration.input_price is None else "output_price"
        raise ModelError("give both prices, of input and of output, or none", missing)


def settings_for_audit(configuration: ModelConfiguration) -> dict[str, object]:
    """Return what the audit records: the settings that are not the defaults, by their public names."""
    defaults = {name: _field(configuration, name).get_default() for name in configuration.SETTINGS}
    return {
        configuration.PUBLIC_NAMES.get(name, name): str(value) if isinstance(value, Decimal | Model) else value
        for name, value in configuration.setting_values().items()
        if value != defaults[name]
    }


def find_version(versions: QuerySet[Versioned], label: str) -> Versioned | None:
    """Return the version NAME@N, or of NAME the newest; None if there is none."""
    matched = _LABEL.fullmatch(label)
    if not matched:
        return None
    name, number = matched.groups()
    versions = versions.filter(name=name).order_by("version")
    return versions.last() if number is None else versions.filter(version=number).first()
