"""The OpenAPI schemas of a report, its provenance record and the comparison of a judge, from their classes.

They are sent as their own bytes, not through a serializer.
"""

from typing import Any

import msgspec
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from rest_framework import serializers

from ..reporting.parts import Part
from ..reporting.provenance_record import Provenance
from ..reporting.report import Report
from ..reporting.sections.fact_qa.figures import FactQAReport
from ..reporting.sections.judge.figures import JudgeComparison
from ..reporting.sections.metrics.figures import MetricReport


class ReportSerializer(serializers.Serializer[object]):
    """A placeholder for `reporting.report.Report` in the declarations of views."""


class FactQAFiguresSerializer(serializers.Serializer[object]):
    """A placeholder for `reporting.report.FactQAReport`."""


class MetricFiguresSerializer(serializers.Serializer[object]):
    """A placeholder for `reporting.sections.metrics.figures.MetricReport`."""


class ProvenanceSerializer(serializers.Serializer[object]):
    """A placeholder for `reporting.provenance_record.Provenance`."""


class JudgeComparisonSerializer(serializers.Serializer[object]):
    """A placeholder for `reporting.sections.judge.figures.JudgeComparison`."""


class PartSchema(OpenApiSerializerExtension):
    """Registers the classes of `part` as components of the schema; a subclass names a placeholder as `target_class`."""

    part: type[Part]

    def map_serializer(self, auto_schema: AutoSchema, direction: str) -> dict[str, Any]:
        return _schema_of(self.part, auto_schema)


class ReportSchema(PartSchema):
    """The classes of a report."""

    target_class = "annotation.api.report_serializers.ReportSerializer"
    part = Report


class FactQAFiguresSchema(PartSchema):
    """The classes of Fact-QA figures."""

    target_class = "annotation.api.report_serializers.FactQAFiguresSerializer"
    part = FactQAReport


class MetricFiguresSchema(OpenApiSerializerExtension):
    """Register the classes of the figures of metrics as components of the schema."""

    target_class = "annotation.api.report_serializers.MetricFiguresSerializer"

    def map_serializer(self, auto_schema: AutoSchema, direction: str) -> dict[str, Any]:
        return _schema_of(MetricReport, auto_schema)


class ProvenanceSchema(PartSchema):
    """The classes of a provenance record."""

    target_class = "annotation.api.report_serializers.ProvenanceSerializer"
    part = Provenance


class JudgeComparisonSchema(PartSchema):
    """The classes of a comparison."""

    target_class = "annotation.api.report_serializers.JudgeComparisonSerializer"
    part = JudgeComparison


def _schema_of(part: type[Part], auto_schema: AutoSchema) -> dict[str, Any]:
    """Return the schema of a class; those of the classes in it are registered."""
    _, components = msgspec.json.schema_components([part], ref_template="#/components/schemas/{name}")
    root: dict[str, Any] = _openapi(components.pop(part.__name__))
    for name, schema in components.items():
        component = ResolvedComponent(name, ResolvedComponent.SCHEMA, _openapi(schema), object=name)
        auto_schema.registry.register_on_missing(component)
    return root


def _openapi(schema: Any) -> Any:
    """Convert JSON Schema 2020-12 to the dialect of OpenAPI 3.0, which has neither `null` nor tuples."""
    if isinstance(schema, list):
        return [_openapi(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    keys = [key for key in ("type", "description", *schema) if key in schema and key not in ("title", "default")]
    values = {key: _openapi(schema[key]) for key in keys if schema[key] != []}
    if values.get("type") == "number":
        values["format"] = "double"
    if isinstance(items := values.pop("prefixItems", None), list):
        values["items"] = items[0]
    if isinstance(options := values.pop("anyOf", None), list):
        options = [option for option in options if option != {"type": "null"}]
        [option] = options
        is_absent = "default" in schema  # a field that is null in the class is absent in the JSON
        reference = {"allOf": [option]} if isinstance(option, dict) and "$ref" in option else option
        values |= option if is_absent else {**reference, "nullable": True}
    return values
