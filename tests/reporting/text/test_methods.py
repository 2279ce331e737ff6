"""The Methods paragraph says who judged what with the right words and numbers, whatever was judged and by whom."""

import pytest

from annotation.models import Item, Project, Rating, Response
from annotation.reporting import Choices, build
from annotation.reporting.text.methods import methods_paragraph
from annotation.reporting.text.names import Names
from tests.cast import ACCURATE, SEVERE, person, which_is_better
from tests.reporting.data.test_filters import NOON, store_rating
from tests.reporting.project_rows import Row, project_of

pytestmark = pytest.mark.django_db

FIRST, SECOND = {"better": "first"}, {"better": "second"}


def paragraph(project: Project, **choices) -> str:
    report = build(project, Choices(resamples=100, **choices))
    return methods_paragraph(report, Names(project.protocol.definition))


def asked_about(unit: str, *systems: str, prompts: int = 2) -> Project:
    """Create a project whose raters are asked about whole responses or pairs of them; nobody has answered yet."""
    rows = [Row(f"q{n}", system, "ravi", ACCURATE) for n in range(prompts) for system in systems]
    project = project_of(rows)
    Rating.objects.all().delete()
    project.protocol = which_is_better(unit)
    project.save()
    return project


def answer(project: Project, name: str, answers: dict, response_key: str, against: str | None = None) -> None:
    response, other = (Response.objects.get(key=key) if key else None for key in (response_key, against))
    unit = project.protocol.definition.unit
    item, _ = Item.objects.get_or_create(response=response, against=other, unit=unit, defaults={"position": 0})
    Rating.objects.create(
        project=project, item=item, rater=person(name), answers=answers, choices=answers, counted=True, rated_at=NOON
    )


def test_pairs_of_responses_are_by_pairs_of_systems():
    project = asked_about("pair", "heron", "tern")
    for name in ("ravi", "rosa"):
        for n in range(2):
            answer(project, name, FIRST, f"q{n}.heron", f"q{n}.tern")
    text = paragraph(project)
    assert text.startswith(
        "2 raters judged 2 pairs of responses by 1 pair of systems to 2 prompts: 4 ratings, 2 for each pair."
    )
    assert "with responses weighted equally" not in text


def test_a_pair_of_systems_in_both_orders_is_one():
    project = asked_about("pair", "heron", "tern", "wren")
    answer(project, "ravi", FIRST, "q0.heron", "q0.tern")
    answer(project, "ravi", SECOND, "q1.tern", "q1.heron")
    answer(project, "ravi", SECOND, "q1.tern", "q1.wren")
    assert "3 pairs of responses by 2 pairs of systems to 2 prompts: 3 ratings, 1 for each pair." in paragraph(project)


def test_whole_responses_are_not_said_to_be_of_responses():
    project = asked_about("response", "heron")
    answer(project, "ravi", FIRST, "q0.heron")
    answer(project, "rosa", FIRST, "q0.heron")
    answer(project, "rosa", FIRST, "q1.heron")
    assert paragraph(project).startswith(
        "2 raters judged 2 responses by 1 system to 2 prompts: 3 ratings, on average 1.5 for each response."
    )


def two_sentences() -> Project:
    """Create two sentences of Heron, each rated by Ravi and Rosa."""
    return project_of(
        Row("q1", "heron", rater, answers, item)
        for item in (0, 1)
        for rater, answers in (("ravi", ACCURATE), ("rosa", SEVERE))
    )


def test_adjudications_are_not_said_to_be_the_raters():
    project = two_sentences()
    store_rating(project, "adjudicator", "lena", ACCURATE)
    assert paragraph(project, answers="adjudicated").startswith(
        "2 sentences of 1 response by 1 system to 1 prompt were judged: 1 by 2 raters (2 ratings, 2 for each sentence) "
        "and 1 by adjudication (1 rating)."
    )
    assert paragraph(project).startswith("2 raters judged 2 sentences of 1 response by 1 system to 1 prompt: 4 ratings")


def test_where_all_is_adjudicated_no_rater_is_said_to_have_judged():
    project = two_sentences()
    store_rating(project, "adjudicator", "lena", ACCURATE)
    second = Item.objects.get(response__key="q1.heron", position=1)
    Rating.objects.create(
        project=project, item=second, rater=person("lena"), role="adjudicator", answers=SEVERE, choices=SEVERE,
        rated_at=NOON,
    )  # fmt: skip
    assert paragraph(project, answers="adjudicated").startswith(
        "2 sentences of 1 response by 1 system to 1 prompt were judged: 2 by adjudication (1 rating each)."
    )


def test_without_an_adjudication_the_choice_changes_nothing():
    assert paragraph(two_sentences(), answers="adjudicated").startswith("2 raters judged 2 sentences of 1 response")


def on_prompts(prompts: int, *systems: str) -> Project:
    """Let Ravi and Rosa rate one sentence of each system on each prompt; they differ on every third one."""
    rows = [
        Row(f"q{n:02}", system, rater, SEVERE if rater == "rosa" and (n + index) % 3 == 0 else ACCURATE)
        for n in range(prompts)
        for index, system in enumerate(systems)
        for rater in ("ravi", "rosa")
    ]
    return project_of(rows, f"study-{prompts}-{len(systems)}")


def test_what_was_resampled_is_said_with_number_and_seed_whatever_the_intervals_are():
    text = paragraph(on_prompts(12, "heron", "tern"), seed=7)
    assert "BCa" not in text
    assert text.endswith("The resampled intervals (of ranks) come from 100 resamples of prompts, seed 7.")
    assert "percentile intervals of the systems’ ranks over the resamples" in text
    many = paragraph(on_prompts(20, "heron", "tern"), seed=7)
    assert "100 random swaps" in many and many.endswith("resamples of prompts, seed 7 as for the swaps.")


def test_where_nothing_was_resampled_no_seed_is_said():
    assert "seed" not in paragraph(on_prompts(3, "heron"))


def test_raters_are_said_to_be_fixed_where_there_are_intervals():
    assert "Raters are treated as fixed" in paragraph(on_prompts(12, "heron"))
    assert "as fixed" not in paragraph(on_prompts(3, "heron"))


def test_intervals_of_differences_are_said_to_be_for_one_pair_where_there_are_several():
    assert "each is for one pair alone, not adjusted" in paragraph(on_prompts(12, "heron", "tern", "wren"))
    assert "each is for one pair alone" not in paragraph(on_prompts(12, "heron", "tern"))


def test_agreement_is_said_in_the_words_of_the_protocol():
    text = paragraph(on_prompts(12, "heron"))
    assert "on the answers Accurate, Disputed, Unsupported or Inaccurate, raters agreed in 66.7 % of pairs" in text
    assert "on severity as a scale (accurate, an issue that is not severe, a severe issue)" in text
    assert text.count("Krippendorff’s ordinal alpha") == 1


def test_where_no_p_can_be_small_it_is_said():
    assert "On 3 prompts no p below .250 is possible" in paragraph(on_prompts(3, "heron", "tern"))
