"""Names of an erased person in frozen reports and analysis plans.

The numbers of a report stay as they are: only the name is replaced, and lists in the order of names are sorted again.
Drawings that name the person, as those of the sensitivity analyses did before 0.8.0, are deleted: pages draw them anew.
The hash of the data covers the names too, so whoever has the ratings could find the name by trying candidates: it is
replaced by the hash of the same data under the pseudonym, or, where the data has changed since, by a keyed hash.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from django.db.models import Q

from ..exporting.rater_names import rename_raters, rename_raters_of_record
from ..jobs import Refused
from ..models import AnalysisPlanVersion, Report, User
from ..protocols.analysis_plan import plan_sha256
from ..pseudonyms import Pseudonyms
from ..reporting.frozen_reports import stored_provenance, stored_report
from ..reporting.report_comparison import current_data_hash
from ..site.database_transactions import ignored_triggers


@dataclass(frozen=True)
class Rename:
    """The names of a person, of which the first is the user name in reports, and the pseudonym."""

    names: Sequence[str]
    pseudonym: str

    def __call__(self, username: str) -> str:
        """Return the new name of a user."""
        return self.pseudonym if username in self.names else username


@dataclass(frozen=True)
class NamedReport:
    """A frozen report about the person's ratings. `is_current`: the data is the same as when it was frozen."""

    report: Report
    is_current: bool


def reports_of(user: User, names: Sequence[str]) -> list[NamedReport]:
    """Return the frozen reports that cover the person's ratings, or name the person. Call it before the rename."""
    reports = Report.objects.select_related("project__protocol").order_by("pk")
    named = Q(*(("document__contains", json.dumps(name, ensure_ascii=False)) for name in names), _connector=Q.OR)
    concerned = reports.filter(Q(project__in=user.ratings.values("project")) | named)
    return [NamedReport(report, _hash_now(report) == report.data_sha256) for report in concerned]


def rename_in_reports(reports: Sequence[NamedReport], rename: Rename, plan_hashes: dict[str, str]) -> int:
    """Replace names and hashes of the data; `plan_hashes` are new hashes of plans by old ones. Return how many."""
    with ignored_triggers("annotation.Report:report_is_immutable"):
        for named in reports:
            report, old_hash = named.report, named.report.data_sha256
            report.figures = _figures_without(report, rename)
            report.document = _renamed_document(report, rename)
            new_hash = _hash_now(report) if named.is_current else None
            report.data_sha256 = new_hash or Pseudonyms(report.project).of_hash(old_hash)
            report.document = report.document.replace(f'"{old_hash}"', f'"{report.data_sha256}"')
            if record := stored_provenance(report):
                text = json.dumps(rename_raters_of_record(record, rename).to_dict())
                for old, new in plan_hashes.items():
                    text = text.replace(old, new)
                report.provenance = json.loads(text)
            report.save(update_fields=["document", "figures", "data_sha256", "provenance"])
    return len(reports)


def _figures_without(report: Report, rename: Rename) -> dict[str, str]:
    """Return the stored drawings without those of sensitivity analyses, if one excludes the person: a label may be
    broken into lines or shortened, so that the name is not found in them.
    """
    excluded = {name for row in stored_report(report).sensitivity or () for name in row.without or ()}
    if excluded.isdisjoint(rename.names):
        return report.figures
    return {name: svg for name, svg in report.figures.items() if not name.startswith("sensitivity")}


def _renamed_document(report: Report, rename: Rename) -> str:
    """Return the JSON with the pseudonym. A report of an older version, whose JSON the current classes would write
    differently, keeps its bytes: only the texts that are the name are replaced.
    """
    content = stored_report(report)
    if content.to_json().decode() == report.document:
        return rename_raters(content, rename).to_json().decode()
    document = report.document
    for name in rename.names:
        document = document.replace(json.dumps(name, ensure_ascii=False), json.dumps(rename.pseudonym))
    return document


def _hash_now(report: Report) -> str | None:
    """Return the hash of the current data, or None if the report's choices are no longer valid."""
    with suppress(Refused):
        return current_data_hash(report)
    return None


def rename_in_plans(rename: Rename) -> dict[str, str]:
    """Replace the names in analysis plans that exclude the person. Return the new hashes of the plans by old ones."""
    hashes = {}
    with ignored_triggers("annotation.AnalysisPlanVersion:analysis_plan_is_immutable"):
        for plan in AnalysisPlanVersion.objects.filter(source__contains="without_raters"):
            source = plan.source
            for name in rename.names:
                for quote in "\"'":
                    source = source.replace(f"{quote}{name}{quote}", f"{quote}{rename.pseudonym}{quote}")
            if source != plan.source:
                hashes[plan.sha256] = plan_sha256(source)
                plan.source, plan.sha256 = source, hashes[plan.sha256]
                plan.save(update_fields=["source", "sha256"])
    return hashes
