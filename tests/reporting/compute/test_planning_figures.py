"""What a project's own ratings say to the planner."""

import pytest

from annotation.models import Item, Project, Rating, Sheet
from annotation.reporting.compute.planning_figures import DEFAULTS, Figure, planning_figures, summarize_ratings, unit_of
from annotation.reporting.data.project_size import read_project_size
from annotation.reporting.live import live_figures
from tests.cast import ACCURATE, CANNOT_ASSESS, study, which_is_better
from tests.reporting.project_rows import Row, documents_of_prompts, project_of, two_systems, worked_example

pytestmark = pytest.mark.django_db

MILD = {"accuracy": "inaccurate", "severity": "not_severe"}


def figures_of(project: Project, measure: str, system: str = "heron") -> dict[str, Figure]:
    rated = live_figures(project, summarize_ratings)
    return planning_figures(read_project_size(project), rated, measure, system)


def test_a_systems_own_figures():
    project = project_of(worked_example())
    Rating.objects.update(seconds=12)
    figures = figures_of(project, "accurate", "Birch")
    # 28 of 67 assessed of 78 ratings: 26 sentences in 12 responses, each by three raters
    assert figures["share"].value == pytest.approx(28 / 67, abs=5e-4)
    assert figures["left_out"].value == pytest.approx(11 / 78, abs=5e-4)
    assert figures["sentences"].value == pytest.approx(26 / 12, abs=5e-3)
    assert (figures["overlap"].value, figures["systems"].value, figures["seconds"].value) == (3, 2, 12)
    assert 0 <= figures["icc"].value <= figures["icc_sentence"].value < 1
    assert -1 <= figures["correlation"].value <= 1
    assert figures["raters"].value == 3  # who rated; nobody is a member
    assert [name for name, figure in figures.items() if figure.is_default] == ["icc_document"]


def test_without_ratings_the_data_set_and_default_values_speak():
    june = study(prompts=2, systems=("heron", "tern"), sentences=5).project
    figures = figures_of(june, "accurate")
    own = {name: figure.value for name, figure in figures.items() if not figure.is_default}
    assert own.pop("overlap") == june.overlap
    assert own == {
        "sentences": 5,
        "variation": 0,
        "systems": 2,
        "raters": 2,
        "prompts_per_document": own["prompts_per_document"],
        "document_variation": 0,
    }
    assert figures["icc"].value == DEFAULTS["icc"]


def test_lengths_and_prompts_per_document_vary():
    rows = [
        Row(f"q{n:02}", "heron", "ravi", ACCURATE if (n + i) % 3 else MILD, i)
        for n in range(30)
        for i in range(1 + 2 * (n % 2))
    ]
    documents = {f"q{n:02}": "large" if n < 12 else f"d{n // 2}" for n in range(30)}
    project = documents_of_prompts(project_of(rows), documents)
    figures = figures_of(project, "accurate")
    assert figures["variation"].value == 0.25  # half the responses have one rating, half three
    assert figures["prompts_per_document"].value == 3  # 30 prompts of 10 documents: 12 of one, 2 of each other
    assert figures["document_variation"].value == 1  # their variance is 9
    assert not figures["icc_document"].is_default
    assert unit_of(read_project_size(project), live_figures(project, summarize_ratings)) == "document"


def test_prompts_are_the_unit_of_few_documents():
    project = documents_of_prompts(project_of(two_systems(24)), {f"q{n:03}": f"d{n // 4}" for n in range(24)})
    figures = figures_of(project, "accurate")
    assert unit_of(read_project_size(project), live_figures(project, summarize_ratings)) == "prompt"
    assert figures["icc_document"].is_default and figures["prompts_per_document"].value == 4


def test_systems_on_the_same_prompts_correlate():
    same = [
        Row(f"q{n}", system, "ravi", ACCURATE if n % 3 else MILD) for n in range(12) for system in ("heron", "tern")
    ]
    assert figures_of(project_of(same), "accurate")["correlation"] == Figure(1.0, False)
    assert figures_of(project_of(same[::2], "alone"), "accurate")["correlation"] == Figure(0.0, True)


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
    assert (figures["share"].is_default, figures["left_out"].value) == (True, 0.99)


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
