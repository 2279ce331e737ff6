"""What a project's own ratings say to the planner."""

import pytest

from annotation.models import Item, Project, Rating, Sheet
from annotation.reporting.data.project_items import read_project_size
from annotation.reporting.live import live_figures
from annotation.reporting.planning.figures import DEFAULTS, own_figures, summarize_ratings, unit_of
from tests.cast import ACCURATE, CANNOT_ASSESS, study, which_is_better
from tests.reporting.project_rows import MILD, Row, documents_of_prompts, project_of, two_systems, worked_example

pytestmark = pytest.mark.django_db


def figures_of(project: Project, measure: str = "accurate", system: str = "heron") -> dict[str, float]:
    rated = live_figures(project, summarize_ratings)
    return own_figures(read_project_size(project), rated, measure, system)


def unit(project: Project) -> str:
    return unit_of(read_project_size(project), live_figures(project, summarize_ratings))


def two_of_three(items: int = 1, raters: tuple[str, ...] = ("ravi",), systems: tuple[str, ...] = ("heron",)):
    """Return ratings on twelve prompts, of which all raters find the same two of three sentences accurate."""
    return [
        Row(f"q{n}", system, rater, ACCURATE if (n + i) % 3 else MILD, i)
        for n in range(12)
        for i in range(items)
        for rater in raters
        for system in systems
    ]


def test_a_systems_own_figures():
    """Birch: 28 of 67 assessed of 78 ratings: 26 sentences in 12 responses, each by three raters."""
    project = project_of(worked_example())
    Rating.objects.update(seconds=12)
    figures = figures_of(project, "accurate", "Birch")
    known = {"share": 28 / 67, "left_out": 11 / 78, "sentences": 26 / 12, "overlap": 3, "systems": 2, "seconds": 12}
    assert {name: figures[name] for name in known} == pytest.approx(known, rel=5e-3)
    assert 0 <= figures["icc"] <= figures["icc_sentence"] < 1 and -1 <= figures["correlation"] <= 1
    assert figures["raters"] == 3  # who rated; nobody is a member
    assert [name for name in DEFAULTS if name not in figures] == ["icc_document"]


def test_without_ratings_the_data_set_and_default_values_speak():
    june = study(prompts=2, systems=("heron", "tern"), sentences=5).project
    own = figures_of(june)
    assert own.pop("prompts_per_document") and own == {
        "overlap": june.overlap, "sentences": 5, "variation": 0, "systems": 2, "raters": 2, "document_variation": 0
    }  # fmt: skip


def test_lengths_and_prompts_per_document_vary_and_few_documents_are_not_the_unit():
    rows = [
        Row(f"q{n:02}", "heron", "ravi", ACCURATE if (n + i) % 3 else MILD, i)
        for n in range(30)
        for i in range(1 + 2 * (n % 2))
    ]
    documents = {f"q{n:02}": "large" if n < 12 else f"d{n // 2}" for n in range(30)}
    project = documents_of_prompts(project_of(rows), documents)
    figures = figures_of(project)
    assert figures["variation"] == 0.25  # half the responses have one rating, half three
    assert figures["prompts_per_document"] == 3  # 30 prompts of 10 documents: 12 of one, 2 of each other
    assert figures["document_variation"] == 1  # their variance is 9
    assert "icc_document" in figures and unit(project) == "document"
    few = documents_of_prompts(project_of(two_systems(24), "few"), {f"q{n:03}": f"d{n // 4}" for n in range(24)})
    assert unit(few) == "prompt" and "icc_document" not in figures_of(few)
    assert figures_of(few)["prompts_per_document"] == 4


def test_systems_on_the_same_prompts_correlate_and_raters_who_agree_make_a_sentence_wholly_alike():
    for systems, correlation in ((("heron", "tern"), 1.0), (("heron",), None)):
        assert figures_of(project_of(two_of_three(systems=systems), systems[-1])).get("correlation") == correlation
    figures = figures_of(project_of(two_of_three(items=3, raters=("ravi", "rosa"))))
    assert figures["icc_sentence"] == 1
    assert figures["icc"] == 0  # each prompt has one of three: less alike than chance


def test_of_pairs_each_is_counted_once_however_many_sheets_its_first_response_is_on():
    june = study(prompts=1, systems=("heron", "tern", "gull"))
    first, *others = june.responses
    Project.objects.update(protocol=which_is_better())
    Sheet.objects.all().delete()
    for rank, other in enumerate(others):
        Sheet.objects.create(project=june.project, response=first, against=other, rank=rank)
    for one, other in ((first, others[0]), (first, others[1]), others):
        Item.objects.create(response=one, against=other, unit="pair", position=0, text="A and B")
    figures = figures_of(Project.objects.get(), "first")
    assert (figures["sentences"], figures["systems"]) == (1, 3)


def test_one_answer_only_says_nothing_of_how_alike_ratings_are_and_none_nothing_of_the_share():
    rows = [Row(f"q{n}", "heron", rater, ACCURATE) for n in range(12) for rater in ("ravi", "rosa")]
    figures = figures_of(project_of(rows))
    assert not {"icc", "icc_sentence"} & set(figures)
    assert figures["share"] == 0.98  # it will hardly stay at all of them
    figures = figures_of(project_of([Row("q1", "heron", "ravi", CANNOT_ASSESS)], "unassessed"))
    assert (figures.get("share"), figures["left_out"]) == (None, 0.99)
