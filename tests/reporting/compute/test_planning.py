"""What a project's own ratings say to the planner, and its intervals against a target."""

import pytest

from annotation.models import Item, Project, Rating, Sheet
from annotation.reporting import build
from annotation.reporting.compute.planning import DEFAULTS, Figure, half_widths, planning_figures, summarize_ratings
from annotation.reporting.data.project_size import read_project_size
from annotation.reporting.live import live_figures
from tests.cast import ACCURATE, CANNOT_ASSESS, study, which_is_better
from tests.reporting.project_rows import Row, project_of, worked_example

pytestmark = pytest.mark.django_db

MILD = {"accuracy": "inaccurate", "severity": "not_severe"}


def figures_of(project: Project, measure: str) -> dict[str, Figure]:
    rated = live_figures(project, summarize_ratings, measure)
    return planning_figures(read_project_size(project), measure, build(project), rated)


def test_intervals_stand_against_the_target_system_by_system():
    report = build(project_of(worked_example()))
    alder = report.systems[0].measures["accurate"]
    half = (alder.high - alder.low) / 2
    widths = {(width.system, width.measure): width for width in half_widths(report, half)}
    assert len(widths) == 6
    reached = widths["Alder", "accurate"]
    assert (reached.met, reached.prompts, reached.half_width) == (True, 12, half)
    twice = half_widths(report, half / 2)[0]
    assert (twice.met, twice.prompts) == (False, 48)  # half the width: four times the prompts


def test_without_a_target_or_an_interval_nothing_is_said_of_reaching_it():
    report = build(project_of(worked_example()))
    assert {width.met for width in half_widths(report, None)} == {None}
    few = build(project_of([Row("q1", "heron", "ravi", ACCURATE)], "few"))
    [first, *_] = half_widths(few, 0.1)
    assert (first.value, first.half_width, first.met, first.prompts) == (1, None, None, None)


def test_the_projects_own_figures():
    project = project_of(worked_example())
    Rating.objects.update(seconds=12)
    figures = figures_of(project, "accurate")
    assert figures["share"].value == pytest.approx(89 / 137)
    assert figures["left_out"].value == pytest.approx(16 / 153)
    assert figures["sentences"].value == pytest.approx(51 / 24)
    assert (figures["systems"].value, figures["seconds"].value) == (2, 12)
    assert 0 <= figures["icc"].value < figures["icc_sentence"].value < 1
    assert figures["raters"].value == 3  # who rated; nobody is a member
    assert not any(figure.is_default for figure in figures.values())


def test_without_ratings_the_data_set_and_usual_values_speak():
    june = study(prompts=2, systems=("heron", "tern"), sentences=5).project
    figures = figures_of(june, "accurate")
    own = {name: figure.value for name, figure in figures.items() if not figure.is_default}
    assert own == {"sentences": 5, "systems": 2, "raters": 2}
    assert figures["icc"].value == DEFAULTS["icc"]


def test_of_pairs_each_is_counted_once_however_many_sheets_its_first_response_is_on():
    june = study(prompts=1, systems=("heron", "tern", "gull"))
    first, *others = june.responses
    Project.objects.update(protocol=which_is_better())
    Sheet.objects.all().delete()
    for rank, other in enumerate(others):
        Sheet.objects.create(project=june.project, response=first, against=other, rank=rank)
        Item.objects.create(response=first, against=other, unit="pair", position=0, text="A and B")
    Item.objects.create(response=others[0], against=others[1], unit="pair", position=0, text="A and B")
    project = Project.objects.get()
    figures = figures_of(project, "first")
    assert (figures["sentences"].value, figures["sentences"].is_default) == (1, False)
    assert figures["systems"].value == 3


def test_one_answer_only_says_nothing_of_how_alike_ratings_are():
    rows = [Row(f"q{n}", "heron", rater, ACCURATE) for n in range(12) for rater in ("ravi", "rosa")]
    figures = figures_of(project_of(rows), "accurate")
    assert figures["icc"].is_default and figures["icc_sentence"].is_default
    assert figures["share"].value == 0.98  # it will hardly stay at all of them


def test_nothing_to_assess_leaves_the_usual_share():
    project = project_of([Row("q1", "heron", "ravi", CANNOT_ASSESS)])
    figures = figures_of(project, "accurate")
    assert (figures["share"].is_default, figures["left_out"].value) == (True, 1)


def test_identical_raters_make_a_sentence_wholly_alike():
    rows = [
        Row(f"q{n}", "heron", rater, ACCURATE if (n + i) % 3 else MILD, i)
        for n in range(12)
        for i in range(3)
        for rater in ("ravi", "rosa")
    ]
    figures = figures_of(project_of(rows), "accurate")
    assert figures["icc_sentence"].value == 1
    assert figures["icc"].value == 0  # each prompt has one of three: less alike than chance
