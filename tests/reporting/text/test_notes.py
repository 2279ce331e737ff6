"""Notes below tables and figures: intervals, documents, rows, and cautions."""

from itertools import product

import pytest
from msgspec.structs import replace

from annotation.exporting.report_formats import render
from annotation.models import Rating
from annotation.protocols.loading import builtin
from annotation.reporting import Choices, build
from annotation.reporting.parts import Bounds, ScoreEstimate
from annotation.reporting.report import Report
from annotation.reporting.text.names import Names
from annotation.reporting.text.notes import (
    SEVERAL_VALUES,
    breakdown_note,
    cautions,
    concentration_note,
    documents_note,
    interval_note,
    narrower_note,
    pairs_note,
    rare_note,
    unread_warning,
)
from tests.cast import ACCURATE, SEVERE
from tests.reporting import project_rows
from tests.reporting.project_rows import Row, project_of, store_rating
from tests.reporting.report_builders import cell, comparison, measure, report

NAMES = Names(None)


def test_the_note_on_intervals_names_what_was_drawn():
    figures = {method: measure(method=method) for method in ("bca", "none", "korn-graubard")}
    note = "95 % intervals: BCa bootstrap over documents; † Korn-Graubard with the effective number of ratings. "
    none = "No interval where fewer than 10 documents have an assessed rating."
    assert interval_note([figures], "document") == note + none
    assert interval_note([{"other": figures["none"]}], "document") == none


@pytest.mark.parametrize(
    ("a", "b", "where"),
    [
        ((450, 40.0), (300, 9.0), None),
        ((90, 8.0), (60, 7.0), "Accurate (b)"),
        ((810, 15.0), (840, 7.0), "Accurate (a, b)"),
        ((0, None), (450, 1.0), "Accurate (a)"),
    ],
)
def test_where_the_rarer_answer_comes_from_few_prompts_the_note_says_so(a, b, where):
    cells = [
        cell({"accurate": measure(k / 900, "bca", k, 900, deff)}, system)
        for (k, deff), system in ((a, "a"), (b, "b"), ((450, 2.0), None))
    ]
    of_two = report(systems=cells[:2], overall=cells[2])
    why = "the rarer answer comes from few prompts, in effect from fewer than 10."
    assert rare_note(of_two, NAMES) == (f"Intervals may be too narrow for {where}: {why}" if where else "")


def test_the_row_of_all_pairs_is_said_to_compare_no_two_systems():
    names, pairs = Names(builtin()["pairwise-preference"]), [cell(system="a vs b"), cell(system="a vs c")]
    several = pairs_note(report(systems=pairs), names)
    assert several.endswith(" The row of all pairs combines different pairs, so it does not compare two systems.")
    assert several.startswith(pairs_note(report(systems=pairs[:1]), names))
    assert pairs_note(report(systems=pairs), Names(builtin()["article-accuracy"])) == ""


def note_on_documents(cluster: str = "prompt", method: str = "korn-graubard", **data: int) -> str:
    both = cell({"accurate": measure(method=method)})
    return documents_note(report(overall=both, systems=[both], cluster=cluster, prompts=24, **data))


def test_where_prompts_share_documents_the_sampling_unit_and_its_limit_are_stated():
    assert "24 prompts are about 12 documents, but" in note_on_documents(documents=12)
    assert "documents are the sampling unit" in note_on_documents("document", documents=12)
    assert "fewer than 10 documents" in note_on_documents(documents=9)
    enough = note_on_documents(documents=9, without_document=1)
    assert "fewer than 10 documents" not in enough
    assert enough.endswith("1 prompt without a document counts as its own document (10 in total).")
    assert note_on_documents() == note_on_documents("prompt", "none", documents=12) == ""


@pytest.mark.django_db
def test_a_key_that_is_called_like_a_part_of_the_report_is_told_apart():
    metadata = dict.fromkeys(("rater", "week", "prompt's week", "system × kind", "kind", "n", "system"), "x")
    assert list(project_rows.report_of(project_of([Row("q1", "heron", "ravi", ACCURATE, metadata=metadata)])).by) == [
        "kind", "n", "prompt's prompt's week", "prompt's rater", "system", "prompt's system × kind",
        "prompt's week", "rater",
        "system × kind", "system × n", "system × prompt's prompt's week", "system × prompt's rater",
        "system × system", "system × prompt's system × kind", "system × prompt's week",
    ]  # fmt: skip


@pytest.mark.django_db
def test_keys_with_several_values_are_named_and_ratings_of_prompts_without_a_value_are_counted():
    several = {"kind": ["a", "b"], "area": ["x"], "rater": ["1", "2"]}
    prompts = {"q1": several, "q2": several | {"kind": []}, "q3": {"area": "x", "rater": "1"}}
    rows = [
        Row(key, "heron", "ravi", ACCURATE, n, metadata=metadata) for key, metadata in prompts.items() for n in (0, 1)
    ]
    report = project_rows.report_of(project_of(rows))
    assert report.multi_valued == ["kind", "prompt's rater"]
    assert report.without_value == {"kind": 4}
    none = "4 ratings of prompts without a value are in no row."
    assert breakdown_note(report, "kind").endswith(f"{SEVERAL_VALUES} {none}")
    assert "in no row" not in breakdown_note(report, "area")
    assert "in no row" not in breakdown_note(replace(report, without_value={}), "kind")


@pytest.mark.django_db
def test_an_adjudication_is_in_no_rater_s_row():
    project = project_of([Row("q1", "heron", "ravi", ACCURATE, item) for item in (0, 1)])
    store_rating(project, "adjudicator", "lena", ACCURATE)
    report = project_rows.report_of(project, answers="adjudicated")
    assert breakdown_note(report, "rater").endswith(" 1 adjudication is in no row.")


def by_document(narrow: bool, cluster: str = "document") -> Report:
    tern = replace(measure(0.5, "korn-graubard", 500, 1000, 1.0), low=0.4, high=0.6, by_prompt=Bounds(0.45, 0.55, "t"))
    heron = replace(tern, low=0.45, high=0.55, by_prompt=Bounds(*(0.44, 0.56) if narrow else (0.46, 0.54), "t"))
    bounds = Bounds(-0.12 if narrow else -0.09, 0.1, "t")
    systems = [cell({"accurate": heron}, "heron"), cell({"accurate": tern}, "tern")]
    rows = [comparison(a="heron", b="tern", low=-0.1, high=0.1, by_prompt=bounds)]
    return report(systems=systems, overall=cell({"accurate": tern}), comparisons=rows, cluster=cluster)


def test_intervals_narrower_by_document_are_named_for_measures_and_scores():
    narrow = by_document(narrow=True)
    text = narrower_note(narrow, NAMES)
    named = "Accurate (heron), difference in Accurate (heron − tern). Where prompts"
    assert text.startswith(f"These intervals are narrower by document than by prompt: {named}")
    assert "quote the wider interval, by prompt" in text and cautions(narrow, NAMES) == [text]
    score = ScoreEstimate(value=2, points=4, n=200, low=1, high=3, method="t", by_prompt=Bounds(0.5, 3.5, "t"))
    heron = replace(narrow.systems[0], scores={"errors": score})
    rows = [comparison(a="heron", b="tern", measure="errors", low=-1, high=1, by_prompt=Bounds(-2, 2, "t"))]
    scored = replace(narrow, systems=[heron], overall=heron, comparisons=[], score_comparisons=rows)
    named = "Accurate (heron), Errors (heron), difference in Errors (heron − tern). Where"
    assert f"by prompt: {named}" in narrower_note(scored, NAMES)
    for other in (by_document(narrow=False), by_document(narrow=True, cluster="prompt")):
        assert narrower_note(other, NAMES) == ""


def test_systems_of_which_one_document_has_much_are_named():
    assert concentration_note(report()) == ""
    text = concentration_note(replace(report(), concentration={"heron": 0.414, "tern": 0.26}))
    assert "more than a quarter of the ratings of each of these systems: heron (41.4 %), tern (26.0 %). Prop" in text


@pytest.mark.django_db
def test_answers_given_without_reading_are_warned_of_above_all_figures_of_every_format():
    answers = list(product([ACCURATE, SEVERE], repeat=3)) * 10  # every combination as often: chance
    project = project_of(
        Row(f"q{n:02}", "heron", name, answer)
        for n, of_item in enumerate(answers)
        for name, answer in zip(("ravi", "rosa", "tom"), of_item, strict=True)
    )
    names = Names(project.protocol.definition)

    def warning() -> str:
        return unread_warning(build(project, Choices(resamples=100)), names)

    by_chance = warning()
    assert by_chance.startswith("The raters agree little more than by chance: Krippendorff’s alpha ")
    assert by_chance.endswith(" over 80 sentences. Check some of these answers before you use the figures.")
    Rating.objects.exclude(rater__username="tom").update(seconds=0.1)
    too_fast = "The median time per answer of 2 of 3 raters is below 1.0 s, too short to read (shortest: 0.1 s). "
    assert warning() == too_fast + by_chance
    built = build(project, Choices(resamples=100))
    for format, first_heading in {"markdown": "## Methods", "latex": r"\paragraph{Design", "html": "<h2>"}.items():
        text = render(built, format)
        assert text.index("is below 1.0 s, too short to read") < text.index(first_heading), format
    Rating.objects.update(answers=ACCURATE, choices=ACCURATE, seconds=30)
    assert warning() == ""
