"""The parts of a report beside proportions: clusters, weeks, ranks, other ways to sum up, names of breakdowns."""

from datetime import UTC, datetime

import pytest
from django.utils import timezone
from msgspec.structs import replace

from annotation.models import Document, Item, Project, Prompt, Rating, Response, System
from annotation.reporting import Choices, build
from annotation.reporting.compute.significance import comparisons_shown
from annotation.reporting.data.available_choices import Unrated, offers_documents, unrated_parts
from annotation.reporting.data.report_input import read_report_input
from annotation.reporting.report import Rank, Report
from annotation.reporting.text import notes
from annotation.stats.comparisons import compare_pairs
from annotation.stats.interval_choice import headline
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE
from tests.reporting.data.test_filters import say
from tests.reporting.project_rows import Row, project_of, worked_example

pytestmark = pytest.mark.django_db

MILD = {"accuracy": "inaccurate", "severity": "not_severe"}
DISPUTED = {"accuracy": "disputed", "severity": "severe"}


def report(project: Project, *, slow: bool = False, **chosen) -> Report:
    return build(project, Choices(**{"resamples": 200, **chosen}), agreement_intervals=slow)


def about(project: Project, documents: dict[str, str]) -> Project:
    """Prompts by id are about these documents."""
    for prompt, key in documents.items():
        document, _ = Document.objects.get_or_create(dataset=project.dataset, key=key)
        Prompt.objects.filter(dataset=project.dataset, key=prompt).update(document=document)
    return project


def many(prompts: int = 120) -> list[Row]:
    """Two systems; Heron is accurate on two of three prompts, Plover on every second."""
    return [
        Row(f"q{n:03}", system, rater, ACCURATE if n % every else MILD)
        for n in range(prompts)
        for system, every in (("heron", 3), ("plover", 2))
        for rater in ("ravi", "rosa")
    ]


class TestClusters:
    def test_documents_and_prompts_without_one_are_clusters_in_the_order_of_their_ids(self):
        project = about(project_of([Row(f"q{n}", "heron", "ravi", ACCURATE) for n in range(5)]),
                        {"q0": "z", "q1": "a", "q3": "z"})  # fmt: skip
        responses = read_report_input(project, Choices(cluster="document")).table.responses
        assert (responses.cluster_of.tolist(), responses.clusters) == ([1, 0, 2, 1, 3], 4)
        assert read_report_input(project).table.responses.cluster_of.tolist() == [0, 1, 2, 3, 4]

    def test_intervals_come_from_counts_by_document(self):
        rows = many()
        project = about(project_of(rows), {row.prompt: f"d{int(row.prompt[1:]) // 5:02}" for row in rows})
        found = report(project, cluster="document")
        heron = found.systems[0].measures["accurate"]
        k = [sum(2 for n in range(5 * d, 5 * d + 5) if n % 3) for d in range(24)]
        expected = headline(k, [10] * 24)
        assert found.method.cluster == "document"
        assert (heron.method, heron.low, heron.high) == ("korn-graubard", expected.low, expected.high)
        assert (heron.deff, heron.icc) == (expected.deff, expected.icc)

    def test_systems_are_compared_on_common_prompts_and_swapped_by_document(self):
        rows = [row for row in many(40) if row.system == "heron" or row.prompt < "q030"]
        project = about(project_of(rows), {f"q{n:03}": f"d{n // 3:02}" for n in range(40)})
        [pair] = [row for row in report(project, cluster="document").comparisons if row.measure == "accurate"]
        heron, plover, size = [0] * 14, [0] * 14, [0] * 14
        for n in range(30):
            heron[n // 3] += 2 * bool(n % 3)
            plover[n // 3] += 2 * bool(n % 2)
            size[n // 3] += 2
        [expected] = compare_pairs([heron, plover], [size, size])
        assert (pair.prompts, pair.difference, pair.p) == (30, expected.difference, expected.p)
        assert (pair.low, pair.high, pair.method) == (expected.low, expected.high, "t")

    def test_documents_are_offered_where_they_are_fewer_than_four_fifths_of_the_prompts(self):
        project = project_of([Row(f"q{n}", "heron", "ravi", ACCURATE) for n in range(5)])
        assert not offers_documents(project)
        about(project, {"q0": "a", "q1": "a"})
        assert not offers_documents(project)
        about(project, {"q2": "a"})
        assert offers_documents(project)


def test_with_fifty_prompts_differences_and_ranks_come_from_the_resamples():
    found = report(project_of(many()))
    assert {(row.measure, row.method) for row in found.comparisons} == {
        ("accurate", "bca"), ("inaccurate", "bca"), ("severely_inaccurate", "t"),
    }  # fmt: skip
    accurate = next(row for row in found.comparisons if row.measure == "accurate")
    assert accurate.difference == pytest.approx(80 / 120 - 60 / 120)
    assert accurate.low < accurate.difference < accurate.high
    ranks = {(row.measure, row.system): row.rank for row in found.ranks}
    assert (ranks["accurate", "heron"], ranks["accurate", "plover"]) == (1, 2)
    assert (ranks["inaccurate", "heron"], ranks["inaccurate", "plover"]) == (2, 1)
    for row in found.ranks:
        assert 1 <= row.low <= row.rank <= row.high <= 2


@pytest.mark.parametrize(("prompts", "shown"), [(9, "none"), (10, "t")])
def test_with_fewer_than_ten_prompts_in_common_a_difference_is_shown_without_an_interval(prompts, shown):
    rows = [row for row in many(12) if row.system == "heron" or int(row.prompt[1:]) < prompts]
    found = report(project_of(rows))
    for row, seen in zip(found.comparisons, comparisons_shown(found), strict=True):
        assert (row.prompts, row.clusters, row.method) == (prompts, prompts, "t")
        assert row.low <= row.difference <= row.high and row.p is not None
        has_interval = shown == "t" and row.low < row.high
        assert seen == (row if has_interval else replace(row, low=None, high=None, method="none"))
    assert any(seen.method == shown for seen in comparisons_shown(found))


def test_two_systems_that_are_always_right_differ_by_nothing_without_an_interval_that_would_say_so_for_certain():
    found = report(project_of([Row(f"q{n}", name, "ravi", ACCURATE) for n in range(12) for name in ("heron", "wren")]))
    [row] = [row for row in comparisons_shown(found) if row.measure == "accurate"]
    assert (row.difference, row.low, row.high) == (0.0, None, None)


def test_a_single_system_and_few_prompts_have_a_rank_without_bounds():
    found = report(project_of([Row("q1", "heron", "ravi", ACCURATE)]))
    assert found.ranks[0] == Rank("accurate", "heron", 1, None, None)


class TestWeeks:
    def rated(self, project: Project, *times: datetime) -> Project:
        for rating, time in zip(Rating.objects.filter(project=project).order_by("pk"), times, strict=True):
            Rating.objects.filter(pk=rating.pk).update(rated_at=time)
        return project

    def rows(self) -> list[Row]:
        return [Row("q1", "heron", "ravi", answers, item) for item, answers in enumerate((ACCURATE, MILD, ACCURATE))]

    def test_weeks_are_those_of_iso_8601_in_utc(self):
        project = self.rated(
            project_of(self.rows()),
            datetime.fromisoformat("2027-01-03T23:30:00-01:00"),  # Monday in UTC
            datetime(2027, 1, 3, 23, 59, 59, 999_999, tzinfo=UTC),
            datetime(2026, 12, 28, tzinfo=UTC),
        )
        cells = report(project).by["week"]
        assert [(cell.value, cell.ratings, cell.options["accurate"]) for cell in cells] == [
            ("2026-W53", 2, 1),
            ("2027-W01", 1, 1),
        ]

    def test_one_week_is_no_breakdown(self):
        moment = datetime(2026, 11, 18, tzinfo=UTC)
        assert "week" not in report(self.rated(project_of(self.rows()), *[moment] * 3)).by


class TestNames:
    def names(self, *keys: str) -> list[str]:
        return list(report(project_of([Row("q1", "heron", "ravi", ACCURATE, metadata=dict.fromkeys(keys, "x"))])).by)

    def test_a_key_that_is_called_like_a_part_of_the_report_is_told_apart(self):
        assert self.names("rater", "week", "prompt's week", "system × kind", "kind", "n", "system") == [
            "kind", "n", "prompt's prompt's week", "prompt's rater", "system", "prompt's system × kind",
            "prompt's week", "rater",
            "system × kind", "system × n", "system × prompt's prompt's week", "system × prompt's rater",
            "system × system", "system × prompt's system × kind", "system × prompt's week",
        ]  # fmt: skip

    def test_keys_with_several_values_are_named(self):
        metadata = {"kind": ["a", "b"], "area": ["x"], "rater": ["1", "2"]}
        found = report(project_of([Row("q1", "heron", "ravi", ACCURATE, metadata=metadata)]))
        assert found.multi_valued == ["kind", "prompt's rater"]

    def test_ratings_of_prompts_without_a_value_are_counted(self):
        of = {"q1": {"kind": ["a", "b"], "area": "x"}, "q2": {"kind": [], "area": "x"}, "q3": {"area": "x"}}
        rows = [Row(prompt, "heron", "ravi", ACCURATE, item, metadata=of[prompt]) for prompt in of for item in (0, 1)]
        found = report(project_of(rows))
        assert found.without_value == {"kind": 4}
        none = "4 ratings of prompts without a value are in no row."
        assert notes.breakdown_note(found, "kind").endswith(f"{notes.SEVERAL_VALUES} {none}")
        assert "in no row" not in notes.breakdown_note(found, "area")
        assert "in no row" not in notes.breakdown_note(replace(found, without_value={}), "kind")

    def test_an_adjudication_is_in_no_rater_s_row(self):
        project = project_of([Row("q1", "heron", "ravi", ACCURATE, item) for item in (0, 1)])
        say(project, "adjudicator", "lena", ACCURATE)
        found = report(project, answers="adjudicated")
        assert notes.breakdown_note(found, "rater").endswith(" 1 adjudication is in no row.")


class TestAggregations:
    def found(self, rows: list[Row], system: str | None = None, measure: str = "accurate", slow: bool = False) -> dict:
        project = project_of(rows, f"study-{Project.objects.count()}")
        found = report(project, slow=slow).to_dict()["aggregations"]
        return next(row for row in found if row["system"] == system)["measures"][measure]

    def votes(self, *items: list[dict], response: str = "q1") -> list[Row]:
        return [
            Row(response, "heron", f"r{rater}", answers, item)
            for item, given in enumerate(items)
            for rater, answers in enumerate(given)
        ]

    def test_a_tie_is_undecided_and_cannot_assess_is_no_vote(self):
        rows = self.votes(
            [ACCURATE, ACCURATE, MILD], [ACCURATE, MILD], [MILD, CANNOT_ASSESS, CANNOT_ASSESS], [CANNOT_ASSESS]
        )
        assert self.found(rows)["majority"] == {"value": 0.5, "k": 1, "n": 2, "undecided": 1}

    def test_most_votes_win_though_they_are_fewer_than_half(self):
        rows = self.votes([ACCURATE, ACCURATE, MILD, DISPUTED, DISPUTED], [ACCURATE, ACCURATE, MILD, DISPUTED])
        assert self.found(rows)["majority"] == {"value": 1.0, "k": 1, "n": 1, "undecided": 1}

    def test_whether_an_inaccuracy_is_severe_is_up_to_those_who_found_it(self):
        rows = self.votes([SEVERE, SEVERE, MILD, ACCURATE], [SEVERE, MILD, ACCURATE], [SEVERE, ACCURATE, ACCURATE])
        severe = self.found(rows, measure="severely_inaccurate")["majority"]
        assert severe == {"value": 0.5, "k": 1, "n": 2, "undecided": 1}
        inaccurate = self.found(rows, measure="inaccurate")["majority"]
        assert inaccurate == {"value": 2 / 3, "k": 2, "n": 3, "undecided": 0}

    def test_averages_give_each_item_response_and_prompt_the_same_weight(self):
        rows = [
            *self.votes([ACCURATE, ACCURATE, MILD], [MILD]),
            Row("q1", "plover", "r0", ACCURATE),
            Row("q2", "heron", "r0", ACCURATE),
            Row("q3", "heron", "r0", CANNOT_ASSESS),
        ]
        every, heron = self.found(rows), self.found(rows, "heron")
        assert every["pooled"] == 4 / 6
        assert every["macro_item"] == pytest.approx((2 / 3 + 0 + 1 + 1) / 4)
        assert every["macro_response"] == pytest.approx((2 / 4 + 1 + 1) / 3)
        assert every["macro_prompt"] == pytest.approx((3 / 5 + 1) / 2)
        assert heron["macro_prompt"] == heron["macro_response"] == pytest.approx((2 / 4 + 1) / 2)

    def test_responses_with_any_count_those_with_an_assessed_rating(self):
        rows = [
            Row("q1", "heron", "ravi", SEVERE), Row("q1", "heron", "ravi", ACCURATE, 1),
            Row("q2", "heron", "ravi", MILD), Row("q3", "heron", "ravi", CANNOT_ASSESS),
        ]  # fmt: skip
        assert self.found(rows, measure="inaccurate")["responses_with_any"] == {"value": 1.0, "k": 2, "n": 2}
        severe = self.found(rows, measure="severely_inaccurate")["responses_with_any"]
        assert severe == {"value": 0.5, "k": 1, "n": 2}

    def test_dawid_and_skene_is_for_frozen_reports_with_enough_ratings(self):
        """The third rater calls every fifth accurate sentence inaccurate, against the two others."""
        rows = self.votes(*[[ACCURATE, ACCURATE, ACCURATE if n % 5 else MILD] for n in range(30)], *[[MILD] * 3] * 20)
        assert self.found(rows)["dawid_skene"] is None
        assert self.found(rows, slow=True)["dawid_skene"] == {
            "value": pytest.approx(0.6, abs=1e-4),
            "items": 50,
            "raters": 3,
        }

    @pytest.mark.parametrize("items", [[[ACCURATE] * 3] * 49, [[ACCURATE] * 2] * 60, [[ACCURATE]] * 80])
    def test_too_few_items_or_raters_give_no_estimate(self, items):
        assert self.found(self.votes(*items), slow=True)["dawid_skene"] is None

    def test_nothing_to_assess_is_null_everywhere(self):
        found = self.found([Row("q1", "heron", "ravi", CANNOT_ASSESS)], slow=True)
        assert found["majority"] == {"value": None, "k": 0, "n": 0, "undecided": 0}
        assert found["responses_with_any"] == {"value": None, "k": 0, "n": 0}
        assert {found[key] for key in ("pooled", "macro_item", "macro_response", "macro_prompt", "dawid_skene")} == {
            None
        }


def test_what_was_loaded_and_not_rated_is_counted_beside_the_report():
    project = project_of(worked_example())
    data = project.dataset
    prompt = Prompt.objects.create(dataset=data, key="another", text="?")
    yew = System.objects.create(dataset=data, name="Yew")
    Response.objects.create(dataset=data, prompt=prompt, system=yew, key="y", text="!")
    assert unrated_parts(project) == Unrated(systems=["Yew"], responses=1, prompts=1)


def test_free_text_is_hashed_in_the_database_to_the_same_hash(monkeypatch):
    """Protocols that ask for text have their answers hashed where they are; of choices alone both ways are the same."""
    project = project_of(worked_example())
    item = Item.objects.filter(response__dataset=project.dataset).first()
    Rating.objects.create(
        project=project, item=item, rater=project.memberships.get().user, role="adjudicator",
        answers=SEVERE, choices=SEVERE, rated_at=timezone.now(),
    )  # fmt: skip
    chosen = [Choices(), Choices(without_raters=("ravi",)), Choices(answers="adjudicated", systems=("Birch",))]
    here = [read_report_input(project, choices).sha256 for choices in chosen]
    monkeypatch.setattr("annotation.reporting.data.report_input.has_only_choices", lambda protocol: False)
    assert [read_report_input(project, choices).sha256 for choices in chosen] == here
    assert len(set(here)) == 3
