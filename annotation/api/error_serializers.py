"""An error, as the contract names what is in it."""

from typing import Any

from rest_framework import serializers


class ErrorSerializer(serializers.Serializer[object]):
    """Every other error."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields. They are no class attributes, as every serializer has another `errors`."""
        lines = serializers.ListField(child=serializers.CharField())
        return {"detail": serializers.CharField(), "errors": serializers.DictField(child=lines)}
