"""The files of a frozen report: its stored JSON, its provenance record, and the formats that are made from it."""

from dataclasses import dataclass

from ..models import Report
from ..reporting.frozen_reports import stored_provenance, stored_report
from . import report_formats

PROVENANCE = "provenance.json"


@dataclass(frozen=True)
class ReportFile:
    """A file as text."""

    text: str
    content_type: str


def file_of(stored: Report, name: str) -> ReportFile | None:
    """Return a file of the report; None if it has none of this name. `report.json` is the stored text."""
    record = stored_provenance(stored)
    if name == PROVENANCE:
        return ReportFile(record.to_json().decode(), report_formats.CONTENT_TYPES["json"]) if record else None
    formats = {f"report.{report_formats.EXTENSIONS[format]}": format for format in report_formats.FORMATS}
    if name not in formats:
        return None
    format = formats[name]
    text = stored.document if format == "json" else report_formats.render(stored_report(stored), format, record)
    return ReportFile(text, report_formats.CONTENT_TYPES[format])
