"""Arguments of the commands of judges and generators, from the fields of the models that they fill."""

from argparse import ArgumentTypeError
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.db import models

from ..jobs import Refused
from ..model_calls.runs import RunLimits
from ..models.model_calls import ModelConfiguration, ModelRun


def amount(text: str) -> Decimal:
    """Return an amount in USD, rounded to the places that are stored."""
    try:
        return round(Decimal(text), 6)
    except InvalidOperation:
        raise ArgumentTypeError(f"{text!r} is not an amount in USD") from None


def add_settings(parser: CommandParser, model: type[models.Model], names: Iterable[str]) -> None:
    """Add an argument for each of these fields, under its public name."""
    public_names: Mapping[str, str] = getattr(model, "PUBLIC_NAMES", {})
    for name in names:
        field = model._meta.get_field(name)
        assert isinstance(field, models.Field)
        words = ". ".join(filter(None, [str(field.verbose_name), str(field.help_text)])).replace("%", "%%")
        flag, default = f"--{public_names.get(name, name).replace('_', '-')}", field.get_default()
        if isinstance(field, models.BooleanField):
            parser.add_argument(flag, dest=name, action="store_true", help=words)
            continue
        if default not in (None, ""):
            words = f"{words} ({default:g})" if isinstance(default, int | float) else f"{words} ({default})"
        options: dict[str, Any] = {"dest": name, "default": default, "help": words}
        if field.choices:
            options["choices"] = [value for value, _label in field.flatchoices if value]
        elif isinstance(field, models.IntegerField):
            options |= {"type": int, "metavar": "N"}
        elif isinstance(field, models.DecimalField):
            options |= {"type": amount, "metavar": "USD"}
        elif isinstance(field, models.FloatField):
            options |= {"type": float, "metavar": "X"}
        parser.add_argument(flag, **options)


def add_run_limits(parser: CommandParser, run: type[ModelRun]) -> None:
    """Add the arguments of `RunLimits`."""
    add_settings(parser, run, run.LIMITS)
    parser.add_argument("--retry-failed", action="store_true", help="repeat what failed")


def run_limits(options: Mapping[str, Any]) -> RunLimits:
    """Return the limits that the options name."""
    return RunLimits(**{name: options[name] for name in RunLimits.__dataclass_fields__})


def settings_in(options: Mapping[str, Any], model: type[ModelConfiguration]) -> dict[str, Any]:
    """Return the settings among the options, without the template, which is a file or the name of one."""
    return {name: options[name] for name in model.SETTINGS if name != "template"}


def read_text(path: Path) -> str:
    """Return the text of a file. Raises Refused."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Refused([f"{path}: cannot be read: {error}"]) from None
