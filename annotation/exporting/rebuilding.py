"""Build the report of a bundle again from the bundle's own files, and compare."""

import hashlib
import io
import runpy
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import structs

from .. import __version__
from ..jobs import Progress, Refused
from ..models import Project
from ..reporting.build import build
from ..reporting.data.filters import BELOW_GOLD, FILTERED, REPLACED, TOO_FAST, WITHOUT_RATER
from ..reporting.report import Report
from ..reporting.report_comparison import ABSENT, choices_of, differing_paths
from .bundle_import import BundleFiles, import_bundle
from .study_files import newest_of_a_moment
from .writers import SUMS

CLOSE = 1e-9
COUNTS_OF_OTHERS = ("excluded", "shown_in_translation", "sample")
"""Parts of `data` that count what a bundle does not contain, beside `left_out`."""
OF_FILTERS = (FILTERED, WITHOUT_RATER, BELOW_GOLD, TOO_FAST, REPLACED)
"""Reasons in `left_out` why ratings are not in a report that are in a bundle."""
FROM_FILES = ("hybrid", "fact_qa", "judge_against_people", "weighted_estimates", "metrics")
"""Parts of a report that older bundles have not enough files for."""
OF_NEWEST = ("raters", "sensitivity")
"""Parts that depend on which of several gold answers, or adjudications, of one moment is the newest."""


class Change(NamedTuple):
    """A change of a method: its name, the reports that are from before it, and the figures that it changes."""

    name: str
    is_after: Callable[[Report], bool]
    figures: tuple[str, ...]


CHANGES = (
    Change(
        "since 0.8.0 a swap test divides each difference by its standard error",
        lambda report: not report.is_studentized,
        ("p", "p_holm", "swaps"),
    ),
    Change(
        "since 0.8.0 intervals over very unequal clusters have the degrees of freedom of their effective number, and "
        "differences that do not vary have bounds from those of the two shares",
        lambda report: not report.has_effective_degrees,
        ("low", "high", "method", "degrees_of_freedom", "intervals"),
    ),
)


class Rebuilt(NamedTuple):
    """The result: whether the bytes are the same, what differs without a reason, which changes of methods explain
    other differences, and which parts of the report the files do not determine.
    """

    has_same_bytes: bool
    differences: list[str]
    explained: list[str]
    not_determined: list[str]


def wrong_checksums(files: BundleFiles) -> Iterator[str]:
    for line in files.read(SUMS).decode(errors="replace").splitlines():
        digest, _, name = line.partition("  ")
        computed = hashlib.sha256()
        for chunk in files.reader(name).raw_chunks() if name in files else ():
            computed.update(chunk)
        if computed.hexdigest() != digest:
            yield f"{name} differs from its checksum in {SUMS}"


def rebuild(files: BundleFiles, progress: Progress | None = None) -> Rebuilt:
    """Import the bundle into the database, which has no project, and build its report with the choices that it has.

    Set aside are `software` and, of a bundle with pseudonyms, the hash of the data. Raises Refused.
    """
    document = files.read("report.json")
    try:
        report = Report.from_json(document)
    except msgspec.MsgspecError as error:
        raise Refused([f"report.json: {error}; download or unpack the bundle again"]) from None
    project, choices = import_bundle(files, report), choices_of(report)
    if report.inference is None:  # the report does not say who chose the sampling unit, only which it was
        choices = replace(choices, cluster=report.method.cluster)
    if not files.is_whole:
        choices = replace(choices, judge="")
    built = build(project, choices, agreement_intervals=True, progress=progress)
    expected, not_determined = _with_what_files_lack(project, built, report, files)
    if expected.to_json() == document:
        return Rebuilt(True, [], [], not_determined)
    is_older = not files.is_whole or report.inference is None or report.software.factuary != __version__
    differences, explained = [], Counter[str]()
    for path, reported, now in differing_paths(msgspec.json.decode(document), expected.to_dict()):
        if is_older and (reason := _reason(report, path, reported, now)):
            explained[reason] += 1
        else:
            differences.append(f"{' / '.join(path)} is {reported} in the report, {now} built again")
    if not differences and not explained:
        differences = ["report.json has the same figures, but not the bytes that were written"]
    lines = [f"{number} figures: {reason}" for reason, number in explained.items()]
    return Rebuilt(False, differences, lines, not_determined)


def _with_what_files_lack(
    project: Project, built: Report, report: Report, files: BundleFiles
) -> tuple[Report, list[str]]:
    """Return the report that was built with what the files do not determine as in `report`, and the names of that."""
    left_out = dict(built.data.left_out)
    for reason, n in report.data.left_out.items():
        if reason not in OF_FILTERS and n > left_out.get(reason, 0):
            left_out[reason] = n
    left_out = dict(sorted(left_out.items()))
    missing = [f"data / left_out / {reason}" for reason, n in left_out.items() if n != built.data.left_out.get(reason)]
    of_others = {name: getattr(report.data, name) for name in COUNTS_OF_OTHERS}
    missing += [f"data / {name}" for name, value in of_others.items() if value != getattr(built.data, name)]
    data = structs.replace(built.data, left_out=left_out, **of_others)
    has_pseudonyms = b'"raters": "pseudonyms"' in files.read("provenance.json")
    if has_pseudonyms or not files.is_whole:
        data = structs.replace(data, sha256=report.data.sha256)
    parts = () if files.is_whole else FROM_FILES
    if not files.is_whole and newest_of_a_moment(project, None):
        parts = (*parts, *OF_NEWEST)
    lacking = {name: getattr(report, name) for name in parts}
    missing += [name for name, part in lacking.items() if part is not None]
    return structs.replace(built, software=report.software, data=data, **lacking), missing


def _reason(report: Report, path: tuple[str, ...], reported: object, now: object) -> str:
    """Return why a figure differs from that of an older report; empty if nothing explains it."""
    if reported == ABSENT:
        return "reports of that version do not have them"
    if isinstance(reported, float) and isinstance(now, float) and abs(reported - now) <= CLOSE * max(1, abs(now)):
        return "last digits, as this version adds in another order"
    changes = (change for change in CHANGES if change.is_after(report) and not {*change.figures}.isdisjoint(path[-3:]))
    return next((change.name for change in changes), "")


def recompute(files: BundleFiles) -> list[str]:
    """Return what recompute.py of this version prints of the files, if it finds differences: it follows the methods of
    the version that froze the report.
    """
    script, printed = resources.files(__package__).joinpath("scripts", "recompute.py"), io.StringIO()
    with tempfile.TemporaryDirectory(prefix="factuary-") as folder:
        for name in files:
            if "/" not in name:
                (Path(folder) / name).write_bytes(files.read(name))
        with redirect_stdout(printed):
            differs = runpy.run_path(str(script))["main"](Path(folder))
    return printed.getvalue().splitlines()[3:] if differs else []
