"""Switches: which ratings a report is made of, what is left out and why, and the hash of what is left."""

from datetime import timedelta

import pytest

from annotation.models import Item, Project, Rating
from annotation.reporting import Choices, build
from annotation.reporting.choice_validation import unknown_names
from annotation.reporting.data.study import raters_below_gold
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, person
from tests.reporting.project_rows import MILD, NOON, Row, project_of, store_rating

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def project(module_rows) -> Project:
    """Create two systems, two prompts, two sentences each, rated by Ravi and Rosa: Rosa calls every problem severe."""
    return project_of(
        Row(prompt, system, rater, answer, item, metadata={"kind": kind})
        for prompt, kind in (("q1", "long"), ("q2", "short"))
        for system in ("heron", "plover")
        for item in (0, 1)
        for rater, answer in (("ravi", ACCURATE), ("rosa", SEVERE))
    )


def report(project: Project, **choices) -> dict:
    return build(project, Choices(resamples=100, **choices)).to_dict()


def counts(data: dict) -> tuple[int, int, dict]:
    """Return the numbers of ratings, of accurate ones and of excluded ones."""
    return data["data"]["ratings"], data["overall"]["options"]["accurate"], data["data"]["left_out"]


def test_a_filter_that_takes_nothing_changes_no_figure(project):
    plain, filtered = report(project), report(project, least_seconds=2.0, systems=("heron", "plover"))
    assert (plain["data"]["left_out"], plain["method"]["cluster"]) == ({}, "prompt")
    assert filtered.pop("filters") and plain.pop("filters") == {}
    assert filtered == plain


def test_only_the_wanted_systems_are_in_any_figure(project):
    reported = report(project, systems=("plover",))
    assert counts(reported) == (8, 4, {"filtered": 8})
    assert reported["filters"] == {"systems": ["plover"]}
    assert [cell["system"] for cell in reported["systems"]] == ["plover"]
    assert reported["comparisons"] == []
    assert [cell["ratings"] for cell in reported["by"]["rater"]] == [4, 4]
    assert reported["agreement"]["accuracy"]["items"] == 4
    assert (reported["data"]["prompts"], reported["data"]["responses"], reported["data"]["items"]) == (2, 2, 4)


def test_only_prompts_with_one_of_the_values_of_each_key(project):
    reported = report(project, metadata=(("kind", ("short", "other")),))
    assert counts(reported) == (8, 4, {"filtered": 8})
    assert reported["data"]["prompts"] == 1
    july = project_of([Row("q9", "heron", "ravi", ACCURATE, metadata={"kind": "long", "area": "x"})], "july")
    assert counts(report(july, metadata=(("kind", ("long",)), ("area", ("y",)))))[0] == 0


def test_a_rater_is_left_out_by_name_and_ratings_by_their_time_if_they_have_one(project):
    reported = report(project, without_raters=("rosa",))
    assert counts(reported) == (8, 8, {"without_rater": 8})
    assert [cell["value"] for cell in reported["by"]["rater"]] == ["ravi"]
    assert (reported["data"]["raters"], [row["rater"] for row in reported["raters"]]) == (1, ["ravi"])
    rows = [Row("q1", "heron", "ravi", ACCURATE, item, metadata={"kind": "long"}) for item in (0, 1)]
    reported = report(project, without_raters=("rosa",), systems=("heron",), metadata=(("kind", ("long",)),))
    assert reported["data"]["sha256"] == report(project_of(rows, "alone"))["data"]["sha256"], "of what is left"
    for rating, seconds in zip(Rating.objects.filter(project=project).order_by("pk"), (1.9, 2.1), strict=False):
        Rating.objects.filter(pk=rating.pk).update(seconds=seconds)
    assert counts(report(project, least_seconds=2.1)) == (15, 7, {"too_fast": 1})


def test_raters_below_gold_are_left_out_and_those_without_gold_stay(project):
    store_rating(project, "gold", "ines", ACCURATE)
    Rating.objects.create(
        project=project, item=Item.objects.get(response__key="q2.plover", position=1), rater=person("tom"),
        answers=SEVERE, choices=SEVERE, counted=True, rated_at=NOON,
    )  # fmt: skip
    assert raters_below_gold(project, 0.8) == ["rosa"]
    reported = report(project, least_gold=0.8)
    assert counts(reported) == (9, 8, {"below_gold": 8, "gold": 1})
    assert [cell["value"] for cell in reported["by"]["rater"]] == ["ravi", "tom"]


def test_the_newest_gold_counts_and_nobody_is_measured_with_their_own_word(project):
    store_rating(project, "gold", "ines", ACCURATE)
    store_rating(project, "gold", "lena", SEVERE, rated_at=NOON + timedelta(days=1))
    assert raters_below_gold(project, 0.5) == ["ravi"]
    store_rating(project, "gold", "ravi", MILD, rated_at=NOON + timedelta(days=2))
    assert raters_below_gold(project, 0.5) == [], "another severity is right"
    store_rating(project, "gold", "ines", CANNOT_ASSESS, prompt="q2")
    assert raters_below_gold(project, 0.5) == ["ravi"] and raters_below_gold(project, 0.51) == ["ravi", "rosa"]


def test_the_newest_adjudication_stands_for_the_ratings_of_its_item_finished_or_not(project):
    store_rating(project, "adjudicator", "lena", SEVERE)
    item = store_rating(project, "adjudicator", "ines", MILD, rated_at=NOON + timedelta(hours=1))
    raw, filtered = report(project), report(project, answers="adjudicated")
    assert counts(raw) == (16, 8, {"adjudicator": 2})
    assert counts(filtered) == (15, 7, {"adjudicated": 2, "adjudicator": 1})
    assert filtered["overall"]["questions"]["severity"] == {"severe": 7, "not_severe": 1}
    assert [cell["ratings"] for cell in filtered["by"]["rater"]] == [7, 7]
    assert filtered["data"]["sha256"] != raw["data"]["sha256"]
    assert filtered["filters"] == {"answers": "adjudicated"}
    assert [filtered[part] for part in ("agreement", "raters")] == [raw[part] for part in ("agreement", "raters")]
    Rating.objects.filter(item=item, role="rater").update(counted=False)
    assert counts(report(project, answers="adjudicated")) == (15, 7, {"adjudicator": 1, "unfinished": 2})


def test_a_rating_that_several_filters_leave_out_is_counted_once(project):
    Rating.objects.update(seconds=1.0)
    store_rating(project, "gold", "ines", ACCURATE)
    reported = report(project, systems=("heron",), without_raters=("rosa",), least_gold=0.9, least_seconds=2.0)
    assert counts(reported) == (0, 0, {"filtered": 8, "gold": 1, "too_fast": 4, "without_rater": 4})
    assert reported["overall"]["measures"]["accurate"]["value"] is None


def test_names_that_the_project_has_not_are_found(project):
    metadata = (("kind", ("odd",)), ("x", ("y",)))
    choices = Choices(systems=("heron", "crane"), without_raters=("otto",), metadata=metadata)
    assert unknown_names(project, choices) == {
        "systems": ["No system 'crane' with ratings. Choose one of: heron, plover."],
        "metadata": [
            "No kind of a prompt 'odd' with ratings. Choose one of: long, short.",
            "No metadata key 'x' with ratings. Choose one of: kind.",
        ],
        "without_raters": ["No rater 'otto' with ratings. Choose one of: ravi, rosa."],
    }
    assert unknown_names(project, Choices(systems=("heron",), without_raters=("ravi",))) == {}
