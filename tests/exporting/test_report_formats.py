"""The report as CSV, Markdown, LaTeX and HTML, safe from what names may hold. `fixtures/0.7.1` has those of the worked
example, byte for byte.
"""

import re

import pytest
from msgspec.structs import replace

from annotation.exporting.report_formats import FORMATS, render, render_table, table_files
from annotation.importing import load_ratings
from annotation.models import Item, Rating
from annotation.reporting import Choices, build
from annotation.reporting.frozen_reports import stored_report
from annotation.reporting.parts import BoundedShare, Share
from annotation.reporting.report import Report
from annotation.reporting.tables import Column, Figure, Table
from annotation.reporting.tables import Row as TableRow
from annotation.reporting.tables.kinds import COUNT, LABEL, RUNNING_TEXT, SECONDS, SHARE
from annotation.reporting.tables.latex import tables_in_latex
from annotation.reporting.text.figure_format import interval
from tests.cast import ACCURATE, SEVERE
from tests.exporting.bundles import csv_rows
from tests.reporting.fact_projects import HERE, facts_project
from tests.reporting.project_rows import Row, documents_of_prompts, project_of, two_systems
from tests.seeds import seeded

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]


@pytest.fixture(scope="module")
def report(module_rows) -> Report:
    return stored_report(seeded("june").reports.get())


def report_of(rows: list[Row], slug: str = "own", **choices) -> Report:
    return build(project_of(rows, slug), Choices(**{"resamples": 100, **choices}))


def rows_of(report: Report) -> list[dict]:
    return csv_rows(render(report, "csv"))


def test_json_is_the_report_byte_for_byte_and_html_needs_no_other_file(report):
    text = render(report, "html")
    assert "<svg role=" in text and "87.1 % [" in text
    assert not re.search(r'(src|href)="(https?:)?/', text)
    assert render(report, "json").encode() == report.to_json()
    assert Report.from_json(render(report, "json")) == report


def test_an_option_is_a_share_of_those_who_were_asked_in_every_table(db):
    """What is asked about some kinds of items only: facts of the response, not those of the reference answer."""
    project = facts_project()
    load_ratings(HERE / "fact-ratings.jsonl", project)
    report = build(project, Choices(resamples=100))
    assert report.overall.shares["supported"].n < report.overall.ratings
    asked_ratings = Rating.objects.filter(project=project, choices__has_key="in_reference")
    by_table = {"overall": None, "question_type": "item__response__prompt__metadata__question_type"}
    for row in rows_of(report):
        if row["figure"] == "option" and row["table"] in by_table:
            tables = by_table[row["table"]]
            assert row["n"] == str(asked_ratings.filter(**({tables: row["value"]} if tables else {})).count())
            assert row["estimate"] == (str(int(row["k"]) / int(row["n"])) if row["n"] != "0" else "")


def test_crossed_models_of_majorities_are_named_in_every_format(report):
    severe = next(model for model in report.crossed_models if model.odds_ratios)
    changed = replace(report, crossed_models=[replace(severe, fitted_to="majorities", undecided=4)])
    models = [row for row in rows_of(changed) if row["table"] in ("odds_ratios", "crossed_models")]
    assert {row["method"] for row in models} == {"laplace of majorities"}
    assert [row["n"] for row in models if row["figure"] == "undecided"] == ["4"]
    for name in ("markdown", "latex", "html"):
        of_majorities = render(changed, name)
        assert "(majority of raters)" in of_majorities and "4 ties excluded" in of_majorities


def test_metadata_called_like_a_table_of_the_report_has_a_table_of_its_own():
    odd = {"systems": "S", "overall": "y", "by overall": "z", "width × height": "2 × 3", "system": "own"}
    built = report_of([Row("q1", "heron", "ravi", ACCURATE, metadata=odd)])
    values = {row["table"]: row["value"] for row in rows_of(built) if row["figure"] == "measure"}
    assert (values["systems"], values["overall"], values["by systems"], values["by overall"]) == ("", "", "S", "y")
    assert values["by by overall"] == "z"
    files = [name.split("-", 1)[1] for name, _ in table_files(built) if name.startswith("csv/")]
    assert len(files) == len(set(files)) and {"systems.csv", "by-systems.csv"} <= set(files)
    markdown = render(built, "markdown")
    assert "| Width × height | Accurate" in markdown and "| 2 × 3 | 100.0 % (1/1)" in markdown
    assert "| System | Width × height | Accurate" in markdown and "| heron | 2 × 3 | 100.0 % (1/1)" in markdown
    assert "| Systems | Accurate" in markdown and "| S | 100.0 % (1/1)" in markdown


@pytest.mark.parametrize(
    "keys", [("systems", "by overall", "by_systems"), ("тип", "種類", "--"), ("a.b", "a b", "a b 2")]
)
def test_no_two_tables_have_one_label_in_latex(keys):
    built = report_of([Row("q1", "alder", "ravi", ACCURATE, metadata=dict.fromkeys(keys, "x"))])
    labels = re.findall(r"\\label{(.*)}", render(built, "latex"))
    assert len(labels) > 6 and len(labels) == len(set(labels)) and "tab:" not in labels
    files = [text for name, text in table_files(built) if name.startswith("latex/")]
    assert [label for label in re.findall(r"\\label{(.*)}", "".join(files)) if label != "tab:ranks"] == labels


def test_all_that_is_known_of_a_rater_is_in_the_csv(report):
    ravi = replace(
        next(rater for rater in report.raters if rater.rater == "ravi"),
        adjudicated=BoundedShare(0.75, 3, 4, 0.3, 0.95),
        quick=Share(0.1, 5, 50),
        flags=["below gold", "much faster"],
    )
    rows = [row for row in rows_of(replace(report, raters=[ravi])) if row["value"] == "ravi"]
    figures = {row["key"]: row for row in rows if row["table"] == "raters"}
    assert [figures["adjudicated"][name] for name in ("k", "n", "estimate", "low")] == ["3", "4", "0.75", "0.3"]
    assert [figures["quick"][name] for name in ("k", "n", "estimate", "low")] == ["5", "50", "0.1", ""]
    assert [row["key"] for row in rows if row["figure"] == "flag"] == ["below gold", "much faster"]
    [week] = ravi.weeks
    rows_by_rater = {row["key"]: row for row in rows if row["table"] == "rater_weeks"}
    assert {row["figure"] for row in rows_by_rater.values()} == {week.week}
    assert {int(row["n"]) for row in rows_by_rater.values()} == {week.ratings}
    assert float(rows_by_rater["accurate"]["estimate"]) == week.accurate


def test_what_raters_disagree_on_most_is_in_every_format_and_a_hostile_text_is_text():
    rows = [Row("q1", "alder", name, answers) for name, answers in (("ravi", ACCURATE), ("rosa", SEVERE))]
    project = project_of(rows, "own")
    Item.objects.filter(response__dataset=project.dataset).update(text=HOSTILE)
    built = build(project, Choices(resamples=100))
    markdown, latex, html = (render(built, format) for format in ("markdown", "latex", "html"))
    for text in (markdown, latex, html):
        assert "Largest disagreements" in text and "q1.alder, sentence 1" in text
    assert "Accurate × 1, Inaccurate × 1; Severity: Severe × 1" in html
    assert r"=cmd\|'/c calc'!A1 & 50 % \_x\_ \<script>alert(1)\</script> \[y\](http://z)" in markdown
    assert "&lt;script&gt;alert(1)" in html and "<script" not in html
    assert r"\textbackslash{}input\{/etc/passwd\}" in latex and r"\& 50\,\% \_x\_" in latex
    rows = [row for row in rows_of(built) if row["table"] == "disagreements"]
    assert {row["value"] for row in rows} == {"q1.alder, sentence 0"}
    assert [(row["n"], row["estimate"]) for row in rows if row["figure"] == "disagreement"] == [("2", "5.0")]
    assert {row["key"]: row["k"] for row in rows if row["figure"] == "severity"} == {"severe": "1", "not_severe": "0"}


def test_a_table_longer_than_a_page_goes_on_in_latex_under_the_same_number():
    rows = [TableRow([f"item {n}", "Accurate × 2, Inaccurate × 1"]) for n in range(100)]
    columns = [Column("Item", LABEL), Column("Answers", LABEL)]
    text = tables_in_latex([Table("rater_pairs", "Pairs", columns, rows, "What they are.")])["rater_pairs"]
    parts = text.split(r"\end{table}")[:-1]
    assert len(parts) == text.count(r"\begin{table}") == 3
    assert [part.count("item") for part in parts] == [34, 34, 32]
    assert parts[0].count(r"\label{tab:rater-pairs}") == text.count(r"\label") == 1
    assert [part.count(r"\addtocounter{table}{-1}\caption{Pairs (continued)}") for part in parts] == [0, 1, 1]
    assert [part.count("What they are.") for part in parts] == [0, 0, 1]


def test_running_text_of_a_latex_table_takes_the_lines_it_needs_and_intervals_stand_below_their_share():
    rows = [TableRow([f"item {n} " + "and more words " * 8, 1]) for n in range(20)]
    columns = [Column("Item", RUNNING_TEXT), Column("Ratings", COUNT)]
    text = tables_in_latex([Table("disagreements", "Items", columns, rows)])["disagreements"]
    assert text.count(r"\begin{table}") == 2 and text.count(r"\raggedright") == 20
    figures = {
        "no": Figure(0.712, 0.683, 0.737, 5, 7, "bca"),
        "yes": Figure(0.74, 0.704, 0.774, 3, 4, "korn-graubard"),
        "few": Figure(0.01, k=1, n=9, method="none"),
    }
    columns = [Column("Read", LABEL), Column("Accurate", SHARE)]
    text = tables_in_latex([Table("read", "Read", columns, [TableRow(list(row)) for row in figures.items()])])["read"]
    assert r"71.2\,\% (5/7)\\{}[68.3 -- 73.7]\end" in text
    assert r"74.0\,\% (3/4)\\{}[70.4 -- 77.4]$\dagger$\end" in text and r"few & 1.0\,\% (1/9) \\" in text


def test_times_in_a_table_have_one_decimal_each():
    assert [SECONDS.show(value).text for value in (18, 18.44, 1963.4, None)] == ["18.0", "18.4", "1,963.4", "–"]


HOSTILE = "=cmd|'/c calc'!A1 & 50 % _x_ <script>alert(1)</script> [y](http://z) \\input{/etc/passwd} \"q\""


def test_a_hostile_or_turned_name_of_a_system_and_of_metadata_is_text_in_every_format():
    metadata = {"kind": "@sum(a)", "<b>*k*": "v"}
    systems = (HOSTILE, "alder\u202egpt", "a_2_b")
    rows = [Row("q1", system, "ravi", ACCURATE, metadata=metadata) for system in systems]
    report = report_of(rows)
    found = rows_of(report)
    assert "'" + HOSTILE in {row["system"] for row in found if row["table"] == "systems"}
    assert next(row for row in found if row["table"] == "kind")["value"] == "'@sum(a)"
    markdown, latex, html = (render(report, format) for format in ("markdown", "latex", "html"))
    assert r"\input" not in latex and r"\textbackslash{}input\{" in latex and r"50\,\%" in latex
    line = next(line for line in markdown.splitlines() if "script" in line)
    assert r"\<script>" in line and r"\[y\]" in line and r"cmd\|" in line
    assert "<script" not in html
    assert "## Proportions by \\<b>\\*k\\*" in markdown
    for text in (markdown, latex, html):
        assert "alder(U+202E)gpt" in text.partition("<svg")[0] + text.rpartition("</svg>")[2]
    assert "\u202e" not in markdown + latex
    assert "a\\_2\\_b only" in render(report_of(rows, "one", systems=("a_2_b",)), "markdown")


def test_a_report_without_ratings_says_so_in_every_format_and_others_are_refused():
    empty = build(seeded("other"), Choices(resamples=100))
    with pytest.raises(ValueError, match="'docx': choose one of json, csv, markdown, latex, html"):
        render(empty, "docx")
    for format in FORMATS:
        text = render(empty, format)
        assert text.endswith("\n")
        assert format in ("json", "csv", "bibtex") or "No ratings count yet" in text


def test_every_table_says_what_was_drawn_and_which_rows_overlap():
    rows = [
        Row(f"q{n}", "alder", "ravi", ACCURATE, metadata={"topic": ["a", "b"] if n % 2 else "a"}) for n in range(12)
    ]
    text = render(report_of(rows, cluster="document"), "markdown")
    assert "over prompts" not in text and "within prompts" not in text
    of_topic = text.partition("## Proportions by topic")[2].partition("\n## ")[0]
    assert "A prompt with several values counts once in each value" in of_topic


def test_every_table_says_of_which_choice_of_the_ratings_it_is(report):
    rows = [Row(f"q{n}", "alder", rater, ACCURATE) for n in range(12) for rater in ("ravi", "ro\nsa", "tom")]
    filtered = report_of(rows, cluster="document", without_raters=("ro\nsa",))
    sentence = "Computed with options: without the ratings of ro sa; documents as the sampling unit."
    for table in render(filtered, "markdown").split("\n## ")[2:]:  # the first section is the Methods
        assert sentence in table
    latex = render(filtered, "latex")
    assert latex.count(sentence) == latex.count(r"\begin{table}") + 1
    assert f"\n% {sentence}\n" in latex and "100 resamples of documents." in latex
    assert render(filtered, "html").count(sentence.replace(" sa;", "\nsa;")) == latex.count(r"\begin{table}")
    assert "Computed with options" not in render(report, "markdown")


def test_ranks_for_reading_count_from_the_best(report):
    lines = [line.split(" | ") for line in render_table(report, "ranks", "markdown").splitlines()]
    listed_ranks = {tuple(cells[:2]): cells[2] for cells in lines if cells[1:2] in (["Alder"], ["Birch"])}
    ranks = {(row.measure, row.system): row.rank for row in report.ranks}
    assert ranks["inaccurate", "Alder"] == 2 and listed_ranks["| Inaccurate", "Alder"] == "1"
    assert ranks["accurate", "Alder"] == 1 and listed_ranks["| Accurate", "Alder"] == "1"


def test_tables_with_prompts_as_units_have_the_bounds_by_prompt_also_as_tidy_rows():
    """The report of 60 prompts about 12 documents, which are its units."""
    project = documents_of_prompts(project_of(two_systems(60), "own"), {f"q{n:03}": f"d{n // 5:02}" for n in range(60)})
    report = build(project, Choices(resamples=100))
    text = render(report, "markdown")
    table = text.partition("## Proportions by system, prompts as units")[2].partition("\n## ")[0]
    bounds = report.systems[0].measures["accurate"].by_prompt
    assert f"66.7 % [{interval(bounds.low, bounds.high)}]" in table
    assert "further prompts about these documents" in table
    assert "## Differences between systems, prompts as units" in text
    rows = rows_of(report)
    (row,) = [r for r in rows if (r["table"], r["system"], r["key"]) == ("systems_by_prompt", "heron", "accurate")]
    assert float(row["low"]) == bounds.low
    assert {r["system"] for r in rows if r["table"] == "comparisons_by_prompt"} == {"heron"}
    assert "prompts as units" not in render(build(project, Choices(resamples=100, cluster="prompt")), "markdown")
