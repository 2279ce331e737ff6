"""The bundle: a frozen report with all data that it was computed from, in one zip to publish with a paper.

All files are read in one snapshot. If ratings have changed since the report was frozen, the current ratings are not
those of the report and no bundle is made. Raters have pseudonyms unless names are requested. The same report gives the
same bytes each time, in one version of this program. `rebuilding` builds the report again from the files.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib import resources
from itertools import chain

import msgspec
from django.db.models.functions import Collate

from ..jobs import Refused
from ..judging.judges import find_judge
from ..models import Prompt, Report, Tally
from ..pseudonyms import Pseudonyms
from ..reporting.data.groups import name_of
from ..reporting.data.response_scores import read_fact_scores
from ..reporting.data.responses import values_of
from ..reporting.data.sample import read_sample_frame
from ..reporting.data.study import Study, raters_below_gold, read_study
from ..reporting.drawings import figures
from ..reporting.drawings.files import IN_PRINT, pdf, png
from ..reporting.frozen_reports import stored_provenance, stored_report
from ..reporting.parts import Filters
from ..reporting.report_comparison import choices_of
from ..reporting.sections.judge.comparison import compare_judge, summarize
from ..reporting.sections.judge.figures import JudgeComparison
from ..reporting.sections.raters.figures import RaterQuality, raters_of
from ..site.database_transactions import one_snapshot
from .codebook import METADATA_COLUMNS, METADATA_FILE, codebook_csv, codebook_markdown, protocol_tables
from .fact_scores import BUNDLE_COLUMNS as FACT_QA_COLUMNS
from .fact_scores import FACT_QA_FILE, fact_score_rows
from .item_files import (
    HYBRID_FILE,
    JUDGE_FILE,
    SAMPLE_COLUMNS,
    SAMPLE_FILE,
    hybrid_columns,
    hybrid_rows,
    judge_columns,
    judge_rows,
    read_hybrid_items,
    sample_rows,
)
from .judge_card import judge_card
from .metric_scores import COLUMNS as METRIC_COLUMNS
from .protocol_markdown import guidelines
from .rater_names import pseudonymous, pseudonymous_provenance
from .rating_columns import ANSWERS, BUNDLE_COLUMNS, VERDICT_COLUMNS, Column, Row, flat, flat_columns, named_rows
from .rating_columns import columns as columns_of_lines
from .ratings import InclusionReader, OnWritten, RowCounter, iter_rows
from .readme import Provenance, readme
from .report_formats import EXTENSIONS, TABLE_FORMATS, render, table_files
from .study_files import METRICS_FILE, STUDY_LINES, columns_of, study_files
from .writers import SUMS, Archive, write_csv, write_json_lines

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


class Bundle:
    """Iterate once for the bytes of the zip. `on_written` is called with the number of ratings written so far, in two
    files. Raises Refused, before the first byte, if the ratings differ from the report's.
    """

    content_type = "application/zip"

    def __init__(self, report: Report, *, with_names: bool = False, on_written: OnWritten | None = None):
        self.report, self.with_names = report, with_names
        self.project = report.project
        self._names = None if with_names else Pseudonyms(self.project)
        self._on_written = on_written
        stored, record = stored_report(report), stored_provenance(report)
        self._choices = replace(choices_of(stored), cluster=stored.method.cluster)
        if self._names:
            stored = pseudonymous(stored, self._names)
            record = record and pseudonymous_provenance(record, self._names)
        self.bundled_report, self._record = stored, record
        self._protocol = self.project.protocol.definition
        self._folder = f"{self.project.slug}-{stored.data.sha256[:8]}{'-with-names' * with_names}"
        self.filename = f"{self._folder}.zip"

    def __iter__(self) -> Iterator[bytes]:
        with one_snapshot():
            comparison = self._check_unchanged()
            about = Provenance(
                title=self.project.title,
                report=str(self.report.public_id),
                frozen_at=self.report.frozen_at.isoformat(timespec="seconds"),
                raters="names" if self.with_names else "pseudonyms",
                data_sha256=self.bundled_report.data.sha256,
                protocol=self.bundled_report.protocol,
                software=self.bundled_report.software,
                method=self.bundled_report.method,
                filters=self.bundled_report.filters or Filters(),
                record=self._record,
            )
            files: dict[str, Iterable[bytes]] = {"provenance.json": [about.to_json()], **dict(self._files(comparison))}
            names = {"README.md", *files, "tables", "figures", *PROGRAMS, SUMS}
            page = readme(self.bundled_report, self._protocol, about, names)
            programs = ((name, [(SCRIPTS / name).read_bytes()]) for name in PROGRAMS)
            archive = Archive(self._folder)
            yield from archive.add("README.md", [page.encode()])
            for name, pieces in chain(files.items(), self._tables(), self._figures(), programs):
                yield from archive.add(name, pieces, program=name in PROGRAMS)
            yield from archive.end()

    def _check_unchanged(self) -> JudgeComparison | None:
        """Raise Refused if the ratings, the sample, the judge's answers or the scores are not those of the report.
        Return the judge of the report against people; None without a judge that has rated.
        """
        report, project, choices = self.bundled_report, self.project, self._choices
        study, comparison = check_data_unchanged(self.report), None
        if reported := report.judge_against_people:
            comparison = compare_judge(project, find_judge(choices.judge), choices)
            # Other versions of the judge may rate later. Reports frozen by earlier releases have fewer figures.
            parts = (summarize(comparison), reported)
            now, before = (msgspec.json.decode(msgspec.json.encode(part)) for part in parts)
            versions = now.pop("versions", ())
            is_same = all(version in versions for version in before.pop("versions", ()))
            if not is_same or any(now.get(key) != value for key, value in before.items()):
                raise Refused([VERDICTS_CHANGED])
        weighted, hybrid = report.weighted_estimates, report.hybrid
        sample = read_sample_frame(project, choices, choices.cluster) if weighted and weighted.overall else None
        if weighted and sample and sample.sha256({}) != weighted.sha256:
            raise Refused([VERDICTS_CHANGED])
        if hybrid and hybrid.overall:
            frame, answers = read_hybrid_items(project, choices)
            if frame.sha256({row.item_id: row for row in answers.rows}) != hybrid.sha256:
                raise Refused([VERDICTS_CHANGED])
        for part in report.fact_qa or ():
            if read_fact_scores(project, find_judge(part.judge), choices).sha256 != part.sha256:
                raise Refused([SCORES_CHANGED])
        if report.metrics and study.metric_scores.sha256 != report.metrics.sha256:
            raise Refused([SCORES_CHANGED])
        return comparison

    def _files(self, comparison: JudgeComparison | None) -> Iterator[tuple[str, Iterable[bytes]]]:
        report, project, protocol, choices = self.bundled_report, self.project, self._protocol, self._choices
        study = dict(study_files(project, report, self._names))
        least = choices.least_gold
        inclusion = InclusionReader(project, choices, [] if least is None else raters_below_gold(project, least))
        rated = Tally.objects.filter(project=project, n__gt=0)  # not from the ratings: they may be a million
        prompts = Prompt.objects.filter(pk__in=rated.values("response__prompt")).order_by(Collate("key", "C"))
        metadata = (
            (prompt, name_of(key), value)
            for prompt, of_prompt in prompts.values_list("key", "metadata")
            for key in sorted(of_prompt)
            for value in values_of(of_prompt[key])
        )
        counter = RowCounter(self._on_written)
        ratings = counter.counted(iter_rows(project, VERDICT_COLUMNS, names=self._names, inclusion=inclusion))
        tables: dict[str, tuple[Sequence[Column], Iterable[Row]]] = {
            "ratings.csv": ((*flat_columns(protocol), *BUNDLE_COLUMNS), map(flat, ratings)),
            **protocol_tables(protocol),
            METADATA_FILE: (METADATA_COLUMNS, named_rows(METADATA_COLUMNS, metadata)),
        }
        if report.weighted_estimates and report.weighted_estimates.overall:
            items = read_sample_frame(project, choices, choices.cluster).items
            tables[SAMPLE_FILE] = SAMPLE_COLUMNS, sample_rows(items, choices)
        if report.hybrid and report.hybrid.overall:
            tables[HYBRID_FILE] = hybrid_columns(protocol), hybrid_rows(project, choices)
        if comparison:
            tables[JUDGE_FILE] = judge_columns(protocol), judge_rows(project, choices)
        if report.fact_qa:
            scores = (
                fact_score_rows(project, find_judge(part.judge), choices, part.method.cluster)
                for part in report.fact_qa
            )
            tables[FACT_QA_FILE] = FACT_QA_COLUMNS, chain.from_iterable(scores)
        described: dict[str, Iterable[Column]] = {name: columns for name, (columns, _) in tables.items()}
        described["ratings.jsonl"] = [column for column in columns_of_lines() if column.name == ANSWERS]
        described |= {line.file: columns_of(line) for line in STUDY_LINES if line.file in study}
        if METRICS_FILE in study:
            described[METRICS_FILE] = METRIC_COLUMNS
        described = {name: list(columns) for name, columns in described.items()}
        yield "protocol.toml", [project.protocol.source.encode()]
        yield "guidelines.md", [guidelines(protocol, project.guidelines.all()).encode()]
        yield "codebook.md", [codebook_markdown(protocol, described).encode()]
        yield "codebook.csv", [codebook_csv(protocol, described).encode()]
        for name, (columns, rows) in tables.items():
            yield name, write_csv(rows, columns)
        ratings = counter.counted(iter_rows(project, VERDICT_COLUMNS, names=self._names))
        yield "ratings.jsonl", write_json_lines(ratings)
        if comparison:
            yield "judge_card.json", [comparison.to_json()]
            yield "judge_card.md", [judge_card(comparison, protocol).encode()]
        yield from study.items()
        # The stored bytes, or the same report with pseudonyms
        yield "report.json", [report.to_json() if self._names else self.report.document.encode()]
        yield "methods.bib", [render(report, "bibtex", self._record).encode()]

    def _tables(self) -> Iterator[tuple[str, Iterable[bytes]]]:
        for format in TABLE_FORMATS:
            if format != "json":
                text = render(self.bundled_report, format, self._record)
                yield f"tables/report.{EXTENSIONS[format]}", [text.encode()]
        for name, text in table_files(self.bundled_report):
            yield f"tables/{name}", [text.encode()]

    def _figures(self) -> Iterator[tuple[str, Iterable[bytes]]]:
        """Yield figures as SVG for light and dark pages, and the light one also as PNG and PDF."""
        stored = self.report.figures if self._names is None else {}
        drawn = figures(self.bundled_report, self._protocol) | stored  # an erasure may have deleted stored ones
        for name, svg in sorted(drawn.items()):
            yield f"figures/{name}.svg", [svg.encode()]
            if name.endswith("-light"):
                plain = name.removesuffix("-light")
                yield f"figures/{plain}.png", [png(svg, IN_PRINT)]
                yield f"figures/{plain}.pdf", [pdf(svg)]


def check_data_unchanged(report: Report) -> Study:
    """Return the project's ratings under the choices of the report. Raise Refused if they are not those that it was
    computed from.
    """
    stored = stored_report(report)
    study = read_study(report.project, choices_of(stored))
    if study.sha256 != report.data_sha256:
        raise Refused([DATA_CHANGED])
    now = raters_of(study)
    if stored.raters is not None and list(map(_ratings_of, now)) != list(map(_ratings_of, stored.raters)):
        raise Refused([DATA_CHANGED])
    return study


def _ratings_of(row: RaterQuality) -> list[object]:
    """Return what the hash of the data does not cover of a rater: gold answers, adjudications and times."""
    counts = [share and (share.k, share.n) for share in (row.gold, row.adjudicated, row.quick)]
    return [row.rater, *counts, row.seconds, *((week.week, week.ratings) for week in row.weeks)]
