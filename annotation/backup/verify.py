"""Compare a restored backup with its manifest, its tally with its ratings, and rebuild a frozen report."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from django.core.management import call_command

from .. import __version__
from ..jobs import Progress
from ..models import Report
from ..rating.tally_check import find_tally_differences
from ..reporting.frozen_reports import stored_report
from ..reporting.report_comparison import current_data_hash, rebuild
from .archive import Manifest
from .create import count_rows
from .restore import restore_contents

REPORTS_TRIED = 20
NOT_REBUILT = f"no report is rebuilt: none of the newest {REPORTS_TRIED} is of this version and of the current ratings"


class Outcome(StrEnum):
    EQUAL = "equal"
    DIFFERS = "differs"
    NOT_CHECKED = "not checked"


@dataclass(frozen=True)
class Comparison:
    """One comparison: its outcome, and what was compared or why it was not."""

    outcome: Outcome
    text: str


def compare_restored(
    path: Path, passphrase: str, manifest: Manifest, progress: Progress | None = None
) -> Iterator[Comparison]:
    """Restore a checked backup into the empty scratch database of the settings, and yield what was compared."""
    progress = progress or Progress()
    restore_contents(path, passphrase, manifest, progress)
    rows = count_rows()
    differing = sorted(name for name in manifest.rows.keys() | rows.keys() if manifest.rows.get(name) != rows.get(name))
    for name in differing:
        yield Comparison(
            Outcome.DIFFERS, f"table {name}: {manifest.rows.get(name)} rows in the manifest, {rows.get(name)} restored"
        )
    if not differing:
        yield Comparison(Outcome.EQUAL, f"{sum(rows.values()):,} rows of {len(rows)} tables")
    call_command("migrate", interactive=False, verbosity=0)
    mismatches = find_tally_differences()
    yield from (Comparison(Outcome.DIFFERS, f"tally: {line}") for line in mismatches)
    if not mismatches:
        yield Comparison(Outcome.EQUAL, "the tally equals a recount of the ratings")
    yield _rebuilt_report(progress)


def _rebuilt_report(progress: Progress) -> Comparison:
    """Rebuild the newest report that this version froze and whose data has not changed since."""
    reports = Report.objects.select_related("project__protocol").order_by("-frozen_at")
    for report in reports[:REPORTS_TRIED]:
        if stored_report(report).software.factuary != __version__ or current_data_hash(report) != report.data_sha256:
            continue
        name = f"the report of project {report.project.slug}, frozen {report.frozen_at:%Y-%m-%d %H:%M}"
        rebuilt = rebuild(report, progress)
        if rebuilt.identical:
            return Comparison(Outcome.EQUAL, f"{name}, rebuilt to the same bytes")
        if rebuilt.data_changed:
            continue
        return Comparison(Outcome.DIFFERS, f"{name}, has other bytes when it is rebuilt")
    return Comparison(Outcome.NOT_CHECKED, NOT_REBUILT)
