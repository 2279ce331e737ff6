"""What judges and generators have in common: the settings of an endpoint, and the limits of a run.

Types, bounds, defaults and help of settings and limits are those of the model's fields.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, ClassVar

from django.db import models
from rest_framework import serializers

from ..models import JudgeRun


class AmountField(serializers.DecimalField):
    """An amount in USD, rounded to the places that are stored."""

    def validate_precision(self, value: Decimal) -> Decimal:
        assert self.max_digits is not None and self.decimal_places is not None
        is_small = abs(value) < 10**self.max_digits  # others are refused, and cannot all be rounded
        return super().validate_precision(round(value, self.decimal_places) if is_small else value)


class SettingsSerializer(serializers.ModelSerializer[Any]):
    """Fields of a model under their public names; what is not sent has its default, but for `required_settings`."""

    required_settings: ClassVar[tuple[str, ...]] = ()

    def build_standard_field(
        self, field_name: str, model_field: "models.Field[Any, Any]"
    ) -> tuple[type, dict[str, Any]]:
        field_class, options = super().build_standard_field(field_name, model_field)
        if field_class is serializers.DecimalField:
            field_class = AmountField
        if isinstance(model_field, models.TextField):
            options["trim_whitespace"] = False
        if field_name in self.required_settings:
            options["allow_blank"] = False
            options["required"] = True
        elif options.pop("required", True) is False:
            options["default"] = model_field.get_default()
        return field_class, options

    def get_fields(self) -> dict[str, "serializers.Field[Any, Any, Any, Any]"]:
        """Return the fields by their public names."""
        names: Mapping[str, str] = getattr(self.Meta.model, "PUBLIC_NAMES", {})
        fields = super().get_fields()
        for name in names.keys() & fields.keys():
            fields[name].source = name
        return {names.get(name, name): field for name, field in fields.items()}


class RunLimitsSerializer(SettingsSerializer):
    """How much a run may do, and for how much."""

    retry_failed = serializers.BooleanField(required=False, default=False, help_text="Repeat what failed.")

    class Meta:
        model = JudgeRun
        fields: ClassVar[tuple[str, ...]] = (*JudgeRun.LIMITS, "retry_failed")
