"""The figures of a report as files: SVG, PNG for the screen and for print, PDF.

A live report's figures are drawn on request, so that the table does not wait for them: the page names its report by a
digest under which the numbers are cached for a while, and the drawing under the same.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

import msgspec
from django.core.cache import cache
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy, override

from ... import __version__
from ...i18n.english import ENGLISH
from ...models import Project
from ...models import Report as StoredReport
from ...reporting import live
from ...reporting.choices import Choices
from ...reporting.figures import SCHEMES, available, draw
from ...reporting.figures.files import IN_PRINT, ON_SCREEN, PDF, PNG, pdf, png
from ...reporting.frozen_reports import stored_report
from ...reporting.report import Report
from .breakdowns import HeatMap
from .sections import ReportView

SVG = "image/svg+xml"
KEPT = 3600  # seconds
FILES = (
    ("svg", "SVG"),
    ("png", gettext_lazy("PNG, twice the size")),
    (f"{IN_PRINT}.png", "PNG, 300 dpi"),
    ("pdf", "PDF"),
)
LIGHT, DARK = SCHEMES


@dataclass(frozen=True)
class Drawing:
    """A figure on a page: drawn already, or at an address from which the page fetches it."""

    name: str
    svg: SafeString | None
    address: str
    files: list[tuple[str, str]]


def remember(project: Project, report: Report) -> str:
    """Cache the numbers that a page shows, so that its figures show the same. Return their digest."""
    stored = _written(report)
    digest = hashlib.sha256(stored).hexdigest()[:32]
    cache.set(_key(project, digest), stored, KEPT)
    return digest


def remembered(project: Project, digest: str) -> Report | None:
    """Return the report that a page showed, None when its cache entry has expired."""
    stored = cache.get(_key(project, digest)) if digest.isalnum() and len(digest) == 32 else None
    return Report.from_json(stored) if stored else None


def _written(report: Report) -> bytes:
    """Return the report as JSON without line ends: writing these takes most of the time."""
    return msgspec.json.encode(report)


def _key(project: Project, digest: str) -> str:
    return f"report:{project.pk}:{digest}"


def live_drawings(project: Project, report: Report, choices: Choices, heat_map: HeatMap | None) -> dict[str, Drawing]:
    """Return the figures of a page with live numbers, by name."""
    query = urlencode([("v", remember(project, report)), *choices.as_query()])
    return {name: _live(project, name, f"{query}{heat_map_query(name, heat_map)}") for name in available(report)}


def _live(project: Project, name: str, query: str) -> Drawing:
    def address(ending: str) -> str:
        return f"{reverse('report_figure', args=[project.slug, f'{name}-{LIGHT}{ending}'])}?{query}"

    return Drawing(name, None, _for_the_page(address(".svg")), files_of(address))


def frozen_drawings(stored: StoredReport, report: Report, heat_map: HeatMap | None) -> dict[str, Drawing]:
    """Return the figures of a frozen report: those that were stored, others drawn from its numbers."""
    return {name: _frozen(stored, name, heat_map_query(name, heat_map)) for name in available(report)}


def _frozen(stored: StoredReport, name: str, query: str) -> Drawing:
    def address(ending: str) -> str:
        plain = reverse("report_file", args=[stored.public_id, f"{name}-{LIGHT}{ending}"])
        return f"{plain}?{query[1:]}" if query else plain

    drawing = stored.figures.get(f"{name}-{LIGHT}") if not query and _language() == ENGLISH else None
    # Drawn by this program from numbers alone; names in it were escaped as the text of an XML document.
    svg = mark_safe(drawing) if drawing else None  # noqa: S308 - Vega escapes its text
    return Drawing(name, svg, _for_the_page(address(".svg")), files_of(address))


def _for_the_page(address: str) -> str:
    """Add the page's language to the address of a figure; without it, a figure is English."""
    language = _language()
    return address if language == ENGLISH else f"{address}{'&' if '?' in address else '?'}language={language}"


def _language() -> str:
    return get_language() or ENGLISH


def heat_map_query(name: str, heat_map: HeatMap | None) -> str:
    """Return the query of a heat map, "" for the default one."""
    if name != "heat" or heat_map is None:
        return ""
    if (heat_map.by, heat_map.measure) == (heat_map.keys[0][0], heat_map.measures[0][0]):
        return ""
    return "&" + urlencode({"by": heat_map.by, "measure": heat_map.measure})


def files_of(address: Callable[[str], str]) -> list[tuple[str, str]]:
    """Return the labels and addresses of the files of a figure; `address` takes the end of a name."""
    return [(str(label), address(ending if ending.startswith("-") else f".{ending}")) for ending, label in FILES]


def drawn(project: Project, report: Report, stem: str, view: ReportView) -> str | None:
    """Return one figure of a report as SVG, such as `heat-light`, cached or newly drawn; None without it."""
    name, _, scheme = stem.rpartition("-")
    if name not in available(report) or scheme not in SCHEMES:
        return None
    digest = hashlib.sha256(_written(report)).hexdigest()
    drawing = hashlib.sha256(f"{stem}\n{view.by}\n{view.measure}\n{view.language}".encode()).hexdigest()
    svg: str | None = cache.get_or_set(
        f"figure:{__version__}:{digest}:{drawing}", lambda: _draw(project, report, name, scheme, view), KEPT
    )
    return svg


def _draw(project: Project, report: Report, name: str, scheme: str, view: ReportView) -> str | None:
    key = view.by.removeprefix("system × ")
    with override(view.language):
        return draw(report, project.protocol.worded, name, scheme, key=key, measure=view.measure)


def figure_named(name: str) -> tuple[str, str, str] | None:
    """Split `heat-light-300dpi.png` into stem `heat-light`, ending `-300dpi` and format; None for another name."""
    whole, _, format = name.rpartition(".")
    ending = IN_PRINT if whole.endswith(IN_PRINT) and format == "png" else ON_SCREEN
    return (whole.removesuffix(ending), ending, format) if format in ("svg", "png", "pdf") else None


def figure_file(svg: str, ending: str, format: str, filename: str) -> HttpResponse:
    """Return a figure as a download. PNG and PDF files take long to create, so they are cached."""
    formats: dict[str, tuple[str, Callable[[], bytes]]] = {
        "svg": (SVG, svg.encode),
        "png": (PNG, lambda: png(svg, ending)),
        "pdf": (PDF, lambda: pdf(svg)),
    }
    content_type, make = formats[format]
    digest = hashlib.sha256(svg.encode()).hexdigest()
    content = make() if format == "svg" else cache.get_or_set(f"figure-file:{digest}:{ending}:{format}", make, KEPT)
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response


def _current_report(project: Project, choices: Choices) -> Report:
    """Return a live report that applies all choices, computed in the request if necessary."""
    current = live.live_report(project, choices)
    is_filtered = current.is_complete or not choices.needs_ratings
    return current.report if is_filtered else live.complete_report(project, choices)


def live_figure(project: Project, name: str, digest: str, choices: Choices, view: ReportView) -> HttpResponse:
    """Return a file of a figure of the live report, with the numbers that the page showed while they are cached."""
    parts = figure_named(name)
    if parts is None:
        raise Http404(f"There is no figure {name!r}.")
    stem, ending, format = parts
    report = remembered(project, digest) or _current_report(project, choices)
    svg = drawn(project, report, stem, view)
    if svg is None:
        raise Http404(f"This report has no figure {stem!r}.")
    response = figure_file(svg, ending, format, f"{project.slug}-{name}")
    response["Cache-Control"] = f"private, max-age={KEPT}"
    return response


def frozen_figure(stored: StoredReport, name: str, view: ReportView) -> HttpResponse:
    """Return a file of a figure of a frozen report, from the stored SVG or drawn from its numbers."""
    parts = figure_named(name)
    if parts is None:
        raise Http404(f"This report has no file {name!r}.")
    stem, ending, format = parts
    svg = stored.figures.get(stem) if view == ReportView() else None
    svg = svg or drawn(stored.project, stored_report(stored), stem, view)
    if svg is None:
        raise Http404(f"This report has no figure {stem!r}.")
    filename = f"{stored.project.slug}-{stored.data_sha256[:8]}-{name}"
    return figure_file(svg, ending, format, filename)
