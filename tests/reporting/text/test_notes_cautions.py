"""Cautions: answers given without reading, one large document, intervals narrower by document than by prompt."""

from itertools import product

import pytest
from msgspec.structs import replace

from annotation.exporting.report_formats import render
from annotation.models import Rating
from annotation.reporting import Choices, build
from annotation.reporting.parts import Bounds, ScoreEstimate
from annotation.reporting.report import Report
from annotation.reporting.text.names import Names
from annotation.reporting.text.notes import cautions, concentration_note, narrower_note, unread_warning
from tests.cast import ACCURATE, SEVERE
from tests.reporting.project_rows import Row, project_of
from tests.reporting.report_builders import cell, comparison, measure, report

NAMES = Names(None)


def bounded(low: float, high: float, *by_prompt: float):
    bounds = Bounds(*by_prompt, "korn-graubard")
    return replace(measure(0.5, "korn-graubard", 500, 1000, 1.0), low=low, high=high, by_prompt=bounds)


def by_document(narrow: bool, cluster: str = "document") -> Report:
    heron, tern = bounded(0.45, 0.55, *(0.44, 0.56) if narrow else (0.46, 0.54)), bounded(0.4, 0.6, 0.45, 0.55)
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
    assert text.startswith(
        "One document has more than a quarter of the ratings of each of these systems: heron (41.4 %), tern (26.0 %)."
    )


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
