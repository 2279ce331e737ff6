"""The README of a bundle: its files, the main results, how to verify and to cite it."""

from collections.abc import Collection

from ..protocols import Protocol
from ..reporting.methods.paragraphs import methods_of
from ..reporting.parts import Filters, JsonDocument, ReportMethod, ReportProtocol, ReportSoftware
from ..reporting.provenance_record import Provenance as Record
from ..reporting.report import Report
from ..reporting.sections.all_tables import shown_tables
from ..reporting.tables.markdown import escaped, table_in_markdown
from ..reporting.text.names import Names
from ..reporting.text.notes import unread_warning
from .codebook import MEANS_FILE, SCORES_FILE
from .fact_scores import FACT_QA_FILE
from .item_files import HYBRID_FILE, JUDGE_FILE, SAMPLE_FILE
from .study_files import METRICS_FILE, ItemLine, JudgeLine, PromptLine, ResponseLine, VerdictLine

FILES = (
    ("README.md", "this page"),
    (
        "provenance.json",
        "which report this is, of which data, protocol and versions, made how; in `record` its dates, raters, "
        "training, accuracy on gold, response lengths and analysis plan",
    ),
    ("protocol.toml", "the protocol, byte for byte as it was loaded"),
    ("guidelines.md", "the protocol as raters read it, and what was counted"),
    ("codebook.md, codebook.csv", "every column, answer and measure with its meaning"),
    ("ratings.csv", "one rating a row; `in_report` says which ratings the report was computed from"),
    ("ratings.jsonl", "the same ratings, one JSON object a line"),
    ("measures.csv", "what each proportion counts, and among which ratings"),
    (MEANS_FILE, "what a response's value is"),
    (SCORES_FILE, "what each answer weighs in a score"),
    ("metadata.csv", "metadata of the prompts"),
    (SAMPLE_FILE, "every item of the sample with its probability"),
    (HYBRID_FILE, "every item of the sample with its probability and the judge's answers"),
    (FACT_QA_FILE, "the Fact-QA score of every response, by each judge"),
    (JUDGE_FILE, "every item that the judge answered, with its answers, confidence and probability"),
    ("judge_card.json, judge_card.md", "what the judge is, and how it compares with people"),
    (PromptLine.file, "the prompts with their metadata"),
    (ResponseLine.file, "the responses of all systems"),
    (ItemLine.file, "the items of the responses, rated or not, as they were stored one after the other"),
    (JudgeLine.file, "the judges of the report, without their prompts and addresses"),
    (VerdictLine.file, "their verdicts, whose answers are in ratings.jsonl"),
    (METRICS_FILE, "the scores of automatic metrics of each response or pair"),
    ("report.json", "the report with all its digits"),
    ("methods.bib", "the publications that the Methods cite, as BibTeX"),
    ("tables", "the report as CSV, Markdown, LaTeX (booktabs) and HTML, whole and one file a table"),
    ("figures", "the figures as SVG for light and dark pages, and as PNG and PDF"),
    ("recompute.py, recompute.R", "two programs that compute the main figures again from the ratings, and compare"),
    ("SHA256SUMS", "a checksum of every file"),
)


class Provenance(JsonDocument, frozen=True):
    """The origin of a bundle, as in `provenance.json`; `raters` is `names` or `pseudonyms`. `record`: frozen with the
    report; absent for older reports.
    """

    title: str
    report: str
    frozen_at: str
    raters: str
    data_sha256: str
    protocol: ReportProtocol
    software: ReportSoftware
    method: ReportMethod
    filters: Filters
    record: Record | None = None


def readme(report: Report, protocol: Protocol, about: Provenance, files: Collection[str]) -> str:
    """Return the README as Markdown; `about` is the content of provenance.json, `files` the names of the other files
    and folders of the bundle.
    """
    names, pinned = Names(protocol), report.protocol
    first, warning = next(shown_tables(report, names), None), unread_warning(report, names)
    contents = ["| file | what |", "|---|---|"]
    for listed, description in FILES:
        present = [f"`{file}`" for file in listed.split(", ") if file in files]
        contents += [f"| {', '.join(present)} | {description} |"] if present else []
    parts = [
        f"# {escaped(about.title)}",
        f"A report of ratings of {report.data.responses:,} responses, frozen {about.frozen_at[:10]}, with "
        "everything that it was computed from.",
        *([f"> **Warning.** {escaped(warning)}"] if warning else []),
        *(f"**{each.title}.** {escaped(each.text)}" for each in methods_of(report, names, about.record).paragraphs),
        *([table_in_markdown(first)] if first else []),
        "## Contents",
        "\n".join(contents),
        "## Check it",
        COMMANDS,
        CHECKED,
        "## Raters",
        NAMED if about.raters == "names" else PSEUDONYMOUS,
        "## Name it",
        f"{escaped(about.title)}: ratings and report, {about.frozen_at[:10]}. Report `{about.report}`, "
        f"data `{about.data_sha256}`, protocol {pinned.slug} {pinned.version} (`{pinned.sha256}`), "
        f"Factuary {report.software.factuary}. The publisher adds authors, address and license.",
    ]
    return "\n\n".join(parts) + "\n"


COMMANDS = """```
sha256sum --check SHA256SUMS     every file as it was made
python3 recompute.py             Python 3.11 or newer with NumPy and SciPy
Rscript recompute.R              R 3.6 or newer; with lme4 also the crossed models
manage.py rebuild_bundle PATH    in an installation of Factuary; PATH is this folder, or the zip
```"""
CHECKED = (
    "The two programs share no code with Factuary. `recompute.py` computes counts, proportions, differences of systems "
    "with their tests, agreement, and estimates with a judge or from a weighted sample, with intervals: resamples and "
    "random swaps from the report's seed, all else in closed form. `recompute.R` computes counts, proportions, means "
    "over responses, design effects and closed-form intervals, and fits the crossed models by lme4. Everything else is "
    "verified by building the report again: `rebuild_bundle` imports these files into a scratch database and compares "
    "the report byte for byte, except for `software` and, where raters have pseudonyms, `data.sha256`; it takes the "
    "number of ratings that are not in the files from the report. Each ends with an error where a figure differs. "
    "The files, and so the hash of the zip, depend on the version of Factuary that writes the bundle; the report does "
    "not."
)
NAMED = "Raters are listed by user name."
PSEUDONYMOUS = (
    "Raters have pseudonyms, the same in every file of this project. Comments are unchanged. "
    "`data.sha256` in the report is a keyed hash, so that names cannot be recovered by trying."
)
