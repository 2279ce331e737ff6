"""compare_judge: its lines, its JSON, the judge card, and problems in one line."""

import json

import pytest

from annotation.judging.judges import find_judge, repeat_judge
from annotation.models import Item, Project, Rating, SampledItem
from annotation.reporting.sections.judge.text import FEW_UNITS
from tests.cast import ACCURATE, SEVERE, study
from tests.management.command_runs import run
from tests.reporting.project_rows import Row, judge_items, project_of

pytestmark = pytest.mark.django_db
FEW = "The data are too few to say what this judge is good for"


@pytest.fixture(scope="module")
def project(module_rows):
    rows = [
        Row(f"q{n:02}", "heron", rater, ACCURATE if n % 3 else SEVERE) for n in range(12) for rater in ("ravi", "rosa")
    ]
    project = project_of(rows)
    judge_items(project, {(f"q{n:02}.heron", 0): ACCURATE if n % 2 else SEVERE for n in range(12)})
    return project


def test_the_lines_name_the_ceiling_and_the_bias(capsys, project):
    code, out, err = run(capsys, "compare_judge", "j", "--project", "june")
    assert (code, err) == (0, "")
    assert "judge j@1: 12 of 12 verdicts compared\n" in out and f"\nuse: {FEW}" in out
    assert "Against people: Judge, against the majority of people Accuracy 50.0 % [" in out
    assert "Against people: People, against the majority of the other raters Accuracy 100.0 % [" in out
    assert "Detection: Inaccurate Precision 33.3 %, Recall 50.0 %, F1 40.0 % [" in out
    assert "in percentage points: System All, Items 12, Accuracy 50.0 %, Accurate −16.7 [" in out
    assert "Cost: USD 0.250000 per item, 3.0000 in total\n" in out


def test_json_has_the_keys_that_programs_use(capsys, project):
    figures = json.loads(run(capsys, "compare_judge", "j", "--project", "june", "--json")[1])
    assert {"items", "accuracy", "kappa", "macro_f1", "detection", "human_ceiling"} < set(figures)
    assert (figures["items"], figures["accuracy"], figures["kappa"]) == (12, 0.5, pytest.approx(0))
    assert [sentence[: len(FEW)] for sentence in figures["use"]] == [FEW]


def test_the_card_says_what_the_judge_is_and_is_written_to_a_file(capsys, project, tmp_path):
    path = tmp_path / "card.md"
    assert run(capsys, "compare_judge", "j", "--project", "june", "--card", "--output", path) == (0, "", "")
    card = path.read_text()
    assert card.startswith("# Judge card: j@1\n\n- Model: vendor/heron-2; sees: article; a request rates: sentence\n")
    assert "- Samples: 3; temperature: 1.0\n- Prompt, SHA-256: " in card
    assert f"\n## Use\n\n- {FEW}" in card
    assert "| Judge, against the majority of people | 50.0 % [" in card
    assert "| heron | 12 | 50.0 % | " in card
    assert "- q00.heron, sentence 1: judge" not in card
    assert "- q02.heron, sentence 1: judge Inaccurate; people Accurate × 2: q02.heron 0\n" in card


def test_a_problem_is_one_line(capsys, project):
    run(capsys, "create_judge", "idle", "--rule", "numbers")
    for options, message in (
        ("nobody", "there is no judge 'nobody'; there are: idle@1, j@1"),
        ("idle", "judge idle@1 has rated nothing in project 'june': start run_judge first"),
        ("j --card --json", "--card is Markdown and --json is JSON: choose one"),
    ):
        assert run(capsys, "compare_judge", *options.split(), "--project", "june") == (1, "", f"{message}\n")


def test_without_ratings_of_people_all_verdicts_are_counted_as_not_rated(capsys):
    study("july")
    run(capsys, "create_judge", "rule", "--rule", "numbers")
    run(capsys, "run_judge", "rule", "--project", "july")
    code, out, _ = run(capsys, "compare_judge", "rule", "--project", "july", "--json")
    assert (code, json.loads(out)["left_out"]) == (0, {"not_rated": 3})


def test_a_sample_with_unequal_probabilities_gives_weighted_figures_and_a_note_in_each_form(capsys, project):
    def output(*options):
        return run(capsys, "compare_judge", "j", "--project", "june", *options)[1]

    assert json.loads(output("--json"))["notes"] == [FEW_UNITS] and "weighted" not in output() + output("--card")
    Project.objects.update(sampling_design="uncertain", sample_size=12, sampling_judge=find_judge("j"))
    SampledItem.objects.bulk_create(
        SampledItem(project=project, item=item, probability=1 / (1 + n % 2), is_drawn=True)
        for n, item in enumerate(Item.objects.order_by("response__key"))
    )
    figures = json.loads(output("--json"))
    note, few = figures["notes"]
    assert few == FEW_UNITS
    assert note.startswith(
        "Items were drawn more often where a judge was unsure. All figures are weighted by the inverse"
    )
    assert figures["accuracy"] == pytest.approx(10 / 18)  # 12 ratings, weight 2 for the odd ones
    worth = "Weights are 1 to 2: 12 sentences are worth 11 of equal weight."
    assert f"\n{note}\n{few}\n{worth}\n" in output()
    assert f"\n- {note}\n- {few}\n- {worth}\n" in output("--card")


def test_what_is_excluded_is_counted_in_each_form(capsys, project):
    saw = Rating.objects.filter(role="rater", rater__username="rosa")[:3]
    Rating.objects.filter(pk__in=list(saw.values_list("pk", flat=True))).update(verdict_shown=True)
    for options, mark in (([], ""), (["--card"], "- ")):
        out = run(capsys, "compare_judge", "j", "--project", "june", *options)[1]
        assert f"{mark}Excluded, ratings given or changed after a verdict was shown: 3\n" in out


def test_another_version_is_compared_with_its_changes_and_a_repetition_is_named(capsys, project):
    repeat_judge("j")
    items = {(f"q{n:02}.heron", 0): ACCURATE for n in range(12)}
    judge_items(project, items, judge=find_judge("j@2"))
    out = run(capsys, "compare_judge", "j", "--project", "june")[1]
    assert "Other version j@1 (same configuration), Items 12, Same answer 50.0 % [" in out
    assert "Its answer Inaccurate, Answer of this version Accurate, Items 6" in out
    assert "Accuracy 66.7 %, Accuracy of the other version 50.0 %, Difference +16.7 [" in out
