"""The serializers of errors: problem details (RFC 9457) with `errors` by field."""

from typing import Any

from rest_framework import serializers


class ErrorSerializer(serializers.Serializer[object]):
    """An error. `type` is `about:blank` where the status says all; docs/api.md lists the others."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields, with those of a class that has more. `errors`, an attribute of every serializer, cannot be
        declared as a field.
        """
        lines = serializers.ListField(child=serializers.CharField())
        return {
            "type": serializers.CharField(),
            "title": serializers.CharField(help_text="The name of the status."),
            "status": serializers.IntegerField(),
            "detail": serializers.CharField(),
            "errors": serializers.DictField(child=lines, help_text="Messages by field."),
            **super().get_fields(),
        }
