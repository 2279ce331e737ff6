"""The serializer of errors."""

from typing import Any

from rest_framework import serializers


class ErrorSerializer(serializers.Serializer[object]):
    """An error."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields. They cannot be class attributes because `errors` is an attribute of every serializer."""
        lines = serializers.ListField(child=serializers.CharField())
        return {"detail": serializers.CharField(), "errors": serializers.DictField(child=lines)}
