"""The examples of the API's schema are valid requests."""

import importlib
import pkgutil
from collections.abc import Iterator

import pytest
from drf_spectacular.utils import OpenApiExample
from rest_framework.serializers import Serializer

from annotation import api


def serializers() -> Iterator[type[Serializer]]:
    """Return the serializers of the API."""
    for module in pkgutil.iter_modules(api.__path__):
        for value in vars(importlib.import_module(f"annotation.api.{module.name}")).values():
            if isinstance(value, type) and issubclass(value, Serializer):
                yield value


def examples_of(serializer: type[Serializer]) -> list[OpenApiExample]:
    return vars(serializer).get("_spectacular_annotation", {}).get("examples", [])


EXAMPLES = [(serializer, example) for serializer in set(serializers()) for example in examples_of(serializer)]


@pytest.mark.django_db
def test_each_example_is_a_valid_request(june):
    for serializer, example in EXAMPLES:
        checked = serializer(data=example.value)
        assert checked.is_valid(), (serializer, example.name, checked.errors)


def test_the_main_requests_have_examples():
    names = {serializer.__name__ for serializer, _example in EXAMPLES}
    assert names >= {
        "SubmissionSerializer",
        "NewProjectSerializer",
        "ProjectSettingsSerializer",
        "NewExportSerializer",
        "ResponsesChangeSerializer",
        "AdjudicationSerializer",
    }
