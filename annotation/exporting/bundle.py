"""The bundle: a frozen report with all data that it was computed from, in one zip to publish with a paper.

All files are read in one snapshot. If ratings have changed since the report was frozen, the current ratings are not
those of the report and no bundle is made. Raters have pseudonyms unless names are requested. The same report gives the
same bytes each time, in one version of this program. `rebuilding` builds the report again from the files.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib import resources

import msgspec
from django.db.models.functions import Collate
from msgspec import to_builtins

from ..csv_guarding import csv_text
from ..jobs import Refused
from ..judging.judges import find_judge
from ..models import Prompt, Report, Tally
from ..pseudonyms import Pseudonyms
from ..reporting.data.groups import cells_of, name_of
from ..reporting.data.report_input import ReportInput, raters_below_gold, read_report_input
from ..reporting.data.response_scores import read_fact_scores, read_scores_of_rated
from ..reporting.data.responses import values_of
from ..reporting.drawings import figures
from ..reporting.drawings.files import IN_PRINT, pdf, png
from ..reporting.frozen_reports import stored_provenance, stored_report
from ..reporting.parts import Filters
from ..reporting.provenance_record import Provenance as Record
from ..reporting.report_comparison import choices_of
from ..reporting.sections.judge.comparison import compare_judge, summarize
from ..reporting.sections.judge.figures import JudgeComparison
from ..reporting.sections.raters.figures import RaterQuality, raters_of
from ..reporting.tables.tidy import guarded
from ..site.database_snapshot import one_snapshot
from .codebook import (
    MEAN_COLUMNS,
    MEANS_FILE,
    MEASURE_COLUMNS,
    MEASURES_FILE,
    METADATA_COLUMNS,
    METADATA_FILE,
    SCORE_COLUMNS,
    SCORES_FILE,
    codebook_csv,
    codebook_markdown,
    mean_rows,
    score_rows,
)
from .codebook import measure_rows as rows_of_measures
from .fact_scores import BUNDLE_COLUMNS as FACT_QA_COLUMNS
from .fact_scores import FACT_QA_FILE, fact_score_rows
from .hybrid_items import (
    HYBRID_FILE,
    SAMPLE_COLUMNS,
    SAMPLE_FILE,
    hybrid_columns,
    hybrid_item_rows,
    read_hybrid_items,
    read_sample,
    sample_item_rows,
)
from .judge_card import judge_card
from .judge_items import JUDGE_FILE, judge_columns, judge_item_rows
from .protocol_markdown import guidelines
from .pseudonyms import pseudonymous, pseudonymous_provenance
from .rating_columns import BUNDLE_COLUMNS, Row
from .rating_inclusion import InclusionReader
from .rating_rows import iter_rows
from .ratings import RATINGS_PER_CALL, OnWritten
from .readme import Provenance, readme
from .report_formats import EXTENSIONS, TABLE_FORMATS, render, table_files
from .study_files import study_files, study_files_of
from .writers import write_csv, write_csv_columns, write_jsonl
from .zip_stream import Archive

DATA_CHANGED = "The ratings have changed since this report was frozen. Freeze a new report and download its bundle."
VERDICTS_CHANGED = (
    "The verdicts of the judge or the sample have changed since this report was frozen. Freeze a new report and "
    "download its bundle."
)
SCORES_CHANGED = (
    "The scores of Fact-QA or of metrics have changed since this report was frozen. Freeze a new report and download "
    "its bundle."
)
SCRIPTS = resources.files(__package__).joinpath("scripts")
PROGRAMS = ("recompute.py", "recompute.R")
CONTENT_TYPE = "application/zip"


class Bundle:
    """Iterate once for the bytes of the zip. `on_written` is called with the number of ratings written so far, in two
    files. Raises Refused, before the first byte, if the ratings differ from the report's.
    """

    content_type = CONTENT_TYPE

    def __init__(self, report: Report, *, with_names: bool = False, on_written: OnWritten | None = None):
        self.report, self.with_names = report, with_names
        self.project = report.project
        self._names = None if with_names else Pseudonyms(self.project)
        self._on_written = on_written or (lambda written: None)
        self._ratings_written = 0
        self._comparison: JudgeComparison | None = None
        stored = stored_report(report)
        self.bundled_report = stored if self._names is None else pseudonymous(stored, self._names)
        self._choices = replace(choices_of(stored), cluster=stored.method.cluster)
        self._protocol = self.project.protocol.definition
        self.filename = f"{self._folder}.zip"

    @property
    def _folder(self) -> str:
        return f"{self.project.slug}-{self.bundled_report.data.sha256[:8]}{'-with-names' * self.with_names}"

    def __iter__(self) -> Iterator[bytes]:
        self._ratings_written = 0
        with one_snapshot():
            data = check_data_unchanged(self.report)
            self._comparison = self._compare_judge()
            self._check_judge_unchanged()
            self._check_scores_unchanged(data)
            archive = Archive(self._folder)
            for name, pieces in self._files():
                yield from archive.add(name, pieces, program=name in PROGRAMS)
            yield from archive.end()

    def _compare_judge(self) -> JudgeComparison | None:
        """Return the judge of the report against people as they are now; None without a judge that has rated."""
        if self.bundled_report.judge_against_people is None:
            return None
        return compare_judge(self.project, find_judge(self._choices.judge), self._choices)

    def _check_judge_unchanged(self) -> None:
        """Raise Refused if the sample or the judge's answers are not those of the report."""
        reported = self.bundled_report.judge_against_people
        if self._comparison and reported:
            # Other versions of the judge may rate later. Reports frozen by earlier releases have fewer figures.
            parts = (summarize(self._comparison), reported)
            now, before = (msgspec.json.decode(msgspec.json.encode(part)) for part in parts)
            versions = now.pop("versions", ())
            is_same = all(version in versions for version in before.pop("versions", ()))
            if not is_same or any(now.get(key) != value for key, value in before.items()):
                raise Refused([VERDICTS_CHANGED])
        weighted = self.bundled_report.weighted_estimates
        if weighted and weighted.overall and read_sample(self.project, self._choices).sha256({}) != weighted.sha256:
            raise Refused([VERDICTS_CHANGED])
        hybrid = self.bundled_report.hybrid
        if hybrid is None or hybrid.overall is None:
            return
        frame, answers = read_hybrid_items(self.project, self._choices)
        if frame.sha256({row.item_id: row for row in answers.rows}) != hybrid.sha256:
            raise Refused([VERDICTS_CHANGED])

    def _check_scores_unchanged(self, data: ReportInput) -> None:
        """Raise Refused if the scores of Fact-QA and metrics are not those of the report."""
        for part in self.bundled_report.fact_qa or ():
            scores = read_fact_scores(self.project, find_judge(part.judge), self._choices)
            if scores.sha256 != part.sha256:
                raise Refused([SCORES_CHANGED])
        if metrics := self.bundled_report.metrics:
            scores_now = read_scores_of_rated(self.project, data.table.responses.rated)
            if scores_now.sha256 != metrics.sha256:
                raise Refused([SCORES_CHANGED])

    def _files(self) -> Iterator[tuple[str, Iterable[bytes]]]:
        protocol = self._protocol
        yield "README.md", [readme(self.bundled_report, protocol, self._provenance(), self._record()).encode()]
        yield "provenance.json", [_json(self._provenance())]
        yield "protocol.toml", [self.project.protocol.source.encode()]
        yield "guidelines.md", [guidelines(protocol, self.project.guidelines.all()).encode()]
        files = study_files_of(self.bundled_report)
        yield "codebook.md", [codebook_markdown(protocol, files).encode()]
        yield "codebook.csv", [codebook_csv(protocol, files).encode()]
        yield "ratings.csv", write_csv(self._rows(with_inclusion=True), protocol, BUNDLE_COLUMNS)
        yield "ratings.jsonl", write_jsonl(self._rows(with_inclusion=False), protocol)
        yield MEASURES_FILE, [_table([c.name for c in MEASURE_COLUMNS], rows_of_measures(protocol))]
        if protocol.means:
            yield MEANS_FILE, [_table([c.name for c in MEAN_COLUMNS], mean_rows(protocol))]
        if protocol.scores:
            yield SCORES_FILE, [_table([c.name for c in SCORE_COLUMNS], score_rows(protocol))]
        yield METADATA_FILE, [_table([c.name for c in METADATA_COLUMNS], self._metadata())]
        yield from self._judge_files()
        if self.bundled_report.fact_qa:
            yield FACT_QA_FILE, write_csv_columns(self._fact_scores(), FACT_QA_COLUMNS)
        yield from study_files(self.project, self.bundled_report, self._names)
        yield "report.json", [self._document()]
        yield "methods.bib", [render(self.bundled_report, "bibtex", self._record()).encode()]
        yield from self._tables()
        yield from self._figures()
        yield from ((script, [(SCRIPTS / script).read_bytes()]) for script in PROGRAMS)

    def _judge_files(self) -> Iterator[tuple[str, Iterable[bytes]]]:
        """Yield the sample, also with the judge's answers, where there are estimates, and the card of the judge."""
        hybrid, protocol, weighted = self.bundled_report.hybrid, self._protocol, self.bundled_report.weighted_estimates
        if weighted is not None and weighted.overall is not None:
            head = [column.name for column in SAMPLE_COLUMNS]
            yield SAMPLE_FILE, [_table(head, sample_item_rows(self.project, self._choices))]
        if hybrid is not None and hybrid.overall is not None:
            head = [column.name for column in hybrid_columns(protocol)]
            yield HYBRID_FILE, [_table(head, hybrid_item_rows(self.project, self._choices))]
        if self._comparison:
            head = [column.name for column in judge_columns(protocol)]
            yield JUDGE_FILE, [_table(head, judge_item_rows(self.project, self._choices))]
            yield "judge_card.json", [self._comparison.to_json()]
            yield "judge_card.md", [judge_card(self._comparison, protocol).encode()]

    def _fact_scores(self) -> Iterator[Row]:
        """Yield the Fact-QA scores of each judge of the report."""
        for part in self.bundled_report.fact_qa or ():
            judge = find_judge(part.judge)
            yield from fact_score_rows(self.project, judge, self._choices, part.method.cluster)

    def _rows(self, *, with_inclusion: bool) -> Iterator[Row]:
        inclusion = InclusionReader(self.project, self._choices, self._below_gold()) if with_inclusion else None
        for row in iter_rows(self.project, names=self._names, inclusion=inclusion, with_verdicts=True):
            if self._ratings_written % RATINGS_PER_CALL == 0:
                self._on_written(self._ratings_written)
            self._ratings_written += 1
            yield row

    def _below_gold(self) -> list[str]:
        least = self._choices.least_gold
        return [] if least is None else raters_below_gold(self.project, least)

    def _document(self) -> bytes:
        """Return the stored bytes, or the same report with pseudonyms."""
        return self.report.document.encode() if self._names is None else self.bundled_report.to_json()

    def _tables(self) -> Iterator[tuple[str, list[bytes]]]:
        for format in TABLE_FORMATS:
            if format != "json":
                yield (
                    f"tables/report.{EXTENSIONS[format]}",
                    [render(self.bundled_report, format, self._record()).encode()],
                )
        for name, text in table_files(self.bundled_report):
            yield f"tables/{name}", [text.encode()]

    def _figures(self) -> Iterator[tuple[str, list[bytes]]]:
        """Yield figures as SVG for light and dark pages, and the light one also as PNG and PDF."""
        stored = self.report.figures if self._names is None else {}
        drawn = figures(self.bundled_report, self._protocol) | stored  # an erasure may have deleted stored ones
        for name, svg in sorted(drawn.items()):
            yield f"figures/{name}.svg", [svg.encode()]
            if name.endswith("-light"):
                plain = name.removesuffix("-light")
                yield f"figures/{plain}.png", [png(svg, IN_PRINT)]
                yield f"figures/{plain}.pdf", [pdf(svg)]

    def _metadata(self) -> Iterator[tuple[str, str, str]]:
        """Yield the metadata of each rated prompt, under the names of the report."""
        rated = Tally.objects.filter(project=self.project, n__gt=0)  # not from the ratings: they may be a million
        prompts = Prompt.objects.filter(pk__in=rated.values("response__prompt"))
        for prompt, metadata in prompts.order_by(Collate("key", "C")).values_list("key", "metadata"):
            for key in sorted(metadata):
                yield from ((prompt, name_of(key), value) for value in values_of(metadata[key]))

    def _provenance(self) -> Provenance:
        report, bundled = self.report, self.bundled_report
        return Provenance(
            title=self.project.title,
            report=str(report.public_id),
            frozen_at=report.frozen_at.isoformat(timespec="seconds"),
            raters="names" if self.with_names else "pseudonyms",
            data_sha256=bundled.data.sha256,
            protocol=bundled.protocol,
            software=bundled.software,
            method=bundled.method,
            filters=bundled.filters or Filters(),
            record=self._record(),
        )

    def _record(self) -> Record | None:
        """Return the record that was frozen with the report, with pseudonyms like the report."""
        record = stored_provenance(self.report)
        return record if record is None or self._names is None else pseudonymous_provenance(record, self._names)


def check_data_unchanged(report: Report) -> ReportInput:
    """Return the project's ratings under the choices of the report. Raise Refused if they are not those that it was
    computed from.
    """
    stored, protocol = stored_report(report), report.project.protocol.definition
    choices = choices_of(stored)
    data = read_report_input(report.project, choices)
    if data.sha256 != report.data_sha256:
        raise Refused([DATA_CHANGED])
    now = raters_of(data, cells_of(protocol, data.table, choices))
    if stored.raters is not None and list(map(_ratings_of, now)) != list(map(_ratings_of, stored.raters)):
        raise Refused([DATA_CHANGED])
    return data


def _ratings_of(row: RaterQuality) -> list[object]:
    """Return what the hash of the data does not cover of a rater: gold answers, adjudications and times."""
    counts = [share and (share.k, share.n) for share in (row.gold, row.adjudicated, row.quick)]
    return [row.rater, *counts, row.seconds, *((week.week, week.ratings) for week in row.weeks)]


def _json(about: Provenance) -> bytes:
    return (json.dumps(to_builtins(about), ensure_ascii=False, indent=1) + "\n").encode()


def _table(head: list[str], lines: Iterable[Iterable[str]]) -> bytes:
    return csv_text([head, *([guarded(cell) for cell in line] for line in lines)]).encode()
