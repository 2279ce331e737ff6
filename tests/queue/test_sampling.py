"""The sample of a project: what is drawn, that every item has its probability, and what new items get."""

import pytest
from django.db import transaction

from annotation.judging.judges import create_judge
from annotation.models import AuditEvent, Item, Judge, JudgeRun, Membership, Project, Prompt, SampledItem, Slot, Verdict
from annotation.projects.create import add_responses, create_project
from annotation.projects.deleting import delete_project
from annotation.projects.members import add_member
from annotation.projects.project_settings import change_settings
from annotation.qualification.next_work import take_next
from annotation.queue.errors import ProjectError
from annotation.queue.sheets import items_of
from annotation.reviewing.sentence_boundaries import merge, split
from tests.cast import Study, article_accuracy, marked_study, newest_version, response, study, which_is_better
from tests.web.pages import rates

pytestmark = pytest.mark.django_db


def sample_of(project: Project) -> dict[str, list[bool]]:
    """Return by response, in order of position, which of its items with a row are drawn."""
    drawn: dict[str, list[bool]] = {}
    rows = project.sampled_items.order_by("item__response__key", "item__position")
    for key, is_drawn in rows.values_list("item__response__key", "is_drawn"):
        drawn.setdefault(key, []).append(is_drawn)
    return drawn


def probabilities(project: Project) -> set[float]:
    return set(project.sampled_items.values_list("probability", flat=True))


def test_every_item_that_can_be_rated_has_a_row_and_the_sample_its_size() -> None:
    june = study(prompts=5, systems=("heron", "ibis"), sentences=4, heading=True, sample=10)
    assert june.project.sampled_items.count() == 40
    assert june.project.sampled_items.filter(is_drawn=True).count() == 10
    assert probabilities(june.project) == {10 / 40}
    assert not june.project.sampled_items.filter(item__kind="heading").exists()
    assert [sum(drawn) for drawn in sample_of(june.project).values()] == [1] * 10
    after = AuditEvent.objects.get(action="create project").after
    assert (after["sampling_design"], after["sample_size"], after["drawn"]) == ("uniform", 10, 10)


def test_the_sample_is_fixed_by_the_seed_and_imported_ids() -> None:
    june = study(prompts=4, sentences=5, sample=8)
    data, protocol = june.project.dataset, june.project.protocol
    again = create_project("again", data, protocol, sampling_design="uniform", sample_size=8)
    other = create_project("other", data, protocol, seed=2, sampling_design="uniform", sample_size=8)
    assert sample_of(again) == sample_of(june.project) != sample_of(other)
    elsewhere = study("elsewhere", prompts=4, sentences=5, sample=8)  # the same ids in another data set
    assert sample_of(elsewhere.project) == sample_of(june.project)
    assert sample_of(june.project) == {
        "q1-heron": [False, True, False, False, True],
        "q2-heron": [True, True, False, False, False],
        "q3-heron": [False, True, False, False, True],
        "q4-heron": [False, True, True, False, False],
    }


def test_whole_responses_are_drawn() -> None:
    june = study(prompts=6, sentences=3, sample=7, design="responses")
    drawn = sample_of(june.project)
    assert sorted(drawn.values()) == [[False] * 3] * 4 + [[True] * 3] * 2  # 7 of 18 is nearest to 2 of 6 responses
    assert probabilities(june.project) == {2 / 6}
    assert Slot.objects.filter(project=june.project).count() == 2 * june.project.overlap
    for each in june.responses:  # new items of a response are drawn if it was
        Item.objects.create(response=each, unit="sentence", position=3, text="One more.")
    add_responses(june.project)
    assert sorted(sample_of(june.project).values()) == [[False] * 4] * 4 + [[True] * 4] * 2


def test_a_response_without_drawn_items_has_no_slots() -> None:
    june = study(prompts=6, sentences=3, overlap=1, sample=3)
    with_slots = set(Slot.objects.filter(project=june.project).values_list("sheet__response__key", flat=True))
    assert with_slots == {key for key, drawn in sample_of(june.project).items() if any(drawn)}
    assert len(with_slots) == 3
    for _ in range(3):
        rates(june.people["ravi"], june.project)
    assert take_next(june.project, june.people["ravi"]) is None
    delete_project(june.project)
    assert not SampledItem.objects.exists()


def test_pairs_are_drawn() -> None:
    june = study(prompts=4, systems=("heron", "ibis"))
    for first, second in zip(june.responses[::2], june.responses[1::2], strict=True):
        Item.objects.create(response=first, against=second, unit="pair", position=0, text="")
    pairs = create_project("pairs", june.project.dataset, which_is_better(), sampling_design="responses", sample_size=3)
    assert probabilities(pairs) == {3 / 4}
    assert Slot.objects.filter(project=pairs).count() == 3


def test_a_sample_that_cannot_be_drawn_is_refused_and_nothing_is_stored() -> None:
    june = study(prompts=3)
    for design, size, problem in (
        ("uniform", 10, "a sample of 10 cannot be drawn: the data set has 9 sent"),
        ("uniform", 0, "sample size 0: choose a number of at least 1"),
        ("uniform", None, "sample size None"),
        ("", 5, "sampling design '': choose one of uniform, responses, uncertain"),
        ("all", 5, "sampling design 'all': choose"),
        ("uncertain", 5, "name a judge for the design uncertain"),
    ):
        with pytest.raises(ProjectError, match=problem), transaction.atomic():
            create_project("july", june.project.dataset, article_accuracy(), sampling_design=design, sample_size=size)
    assert Project.objects.count() == 1
    assert not SampledItem.objects.exists()


def test_questions_about_the_whole_response_allow_whole_responses_only() -> None:
    june, claims = study(prompts=3), newest_version("claim-attribution")
    Item.objects.update(unit="claim", kind="claim")
    with pytest.raises(ProjectError, match="asks about the whole response too: choose the design responses"):
        create_project("july", june.project.dataset, claims, sampling_design="uniform", sample_size=3)
    july = create_project("august", june.project.dataset, claims, sampling_design="responses", sample_size=3)
    assert july.sampled_items.filter(is_drawn=True).count() == 3


class TestUncertain:
    @pytest.fixture
    def june(self) -> Study:
        return study(prompts=4, sentences=5)

    def create(self, june: Study, confidence: dict[Item, float | None], sample_size: int) -> Project:
        """Create another project, sampled by what a judge of these confidences is unsure about."""
        judge = create_judge(Judge(name="strict", rule="numbers"))[0]
        run = JudgeRun.objects.create(judge=judge, project=june.project)
        Verdict.objects.bulk_create(
            Verdict(judge=judge, project=june.project, item=item, run=run, state="rated", confidence=value)
            for item, value in confidence.items()
        )
        how = {"sampling_design": "uncertain", "sample_size": sample_size, "sampling_judge": judge}
        return create_project("july", june.project.dataset, june.project.protocol, **how)

    def test_items_where_the_judge_is_unsure_are_drawn_more_often(self, june) -> None:
        items = [item for n in range(4) for item in june.items(n)]
        confidence = {item: 0.5 if n < 5 else 1.0 for n, item in enumerate(items)}
        failed = confidence.popitem()[0]  # without a verdict
        july = self.create(june, confidence, 4)
        by_item = dict(july.sampled_items.values_list("item", "probability"))
        # half of 4 in equal parts, half in proportion to 0.5 (five items), 1 (the failed one) and 0
        assert by_item[items[0].pk] == pytest.approx(4 * (0.5 / 20 + 0.5 * 0.5 / 3.5))
        assert by_item[failed.pk] == pytest.approx(4 * (0.5 / 20 + 0.5 * 1 / 3.5))
        assert by_item[items[7].pk] == pytest.approx(4 * 0.5 / 20)
        assert july.sampled_items.filter(is_drawn=True).count() == 4
        created = AuditEvent.objects.get(project=july, action="create project")
        assert created.after["sampling_judge"] == "strict@1"

    def test_later_items_are_drawn_with_the_mean_probability(self, june) -> None:
        july = self.create(june, {june.items()[0]: 0.2}, 5)
        added = response(june.responses[0].prompt, "ibis", 4)
        add_responses(july)
        later = july.sampled_items.filter(item__response=added)
        assert list(later.values_list("probability", flat=True)) == pytest.approx([5 / 20] * 4)

    def test_a_judge_without_confidence_cannot_say_where_it_is_unsure(self, june) -> None:
        with pytest.raises(ProjectError, match="judge strict@1 has no verdict with a confidence on this data set"):
            self.create(june, {june.items()[0]: None}, 5)


class TestLaterItems:
    def test_responses_that_come_later_are_drawn_with_the_same_fraction(self) -> None:
        june = study(prompts=4, sentences=5, overlap=1, sample=8)
        before = sample_of(june.project)
        prompt = Prompt.objects.create(dataset=june.project.dataset, key="q9", text="And this?")
        response(prompt, "heron", 5)
        assert add_responses(june.project) == 1
        after = sample_of(june.project)
        assert sum(after.pop("q9-heron")) == 2
        assert after == before
        assert probabilities(june.project) == {8 / 20}
        assert Slot.objects.filter(sheet__response__prompt=prompt).count() == 1
        add_responses(june.project)
        assert june.project.sampled_items.count() == 25

    def test_whole_responses_that_come_later_are_drawn_with_the_same_fraction(self) -> None:
        june = study(prompts=4, sentences=5, sample=10, design="responses")
        for n in range(40):
            prompt = Prompt.objects.create(dataset=june.project.dataset, key=f"later{n}", text="And this?")
            response(prompt, "heron", 2)
        add_responses(june.project)
        later = [drawn for key, drawn in sample_of(june.project).items() if key.startswith("later")]
        assert sorted(later) == [[False] * 2] * 20 + [[True] * 2] * 20
        assert probabilities(june.project) == {0.5}

    def test_items_that_are_no_longer_skipped_are_drawn(self) -> None:
        june = marked_study(responses=5)
        how = {"skips_claim_free": True, "sampling_design": "uniform", "sample_size": 5}
        july = create_project("july", june.project.dataset, june.project.protocol, **how)
        assert july.sampled_items.count() == 10
        change_settings(july, {"skips_claim_free": False})
        assert july.sampled_items.count() == 20
        assert july.sampled_items.filter(is_drawn=True).count() == 10


class TestBoundaries:
    @pytest.fixture
    def june(self) -> Study:
        """Create three responses of four sentences, of which one sentence each is drawn."""
        return study(prompts=3, sentences=4, overlap=1, sample=3)

    def drawn(self, june: Study) -> Item:
        return Item.objects.get(
            pk=june.project.sampled_items.get(is_drawn=True, item__response=june.responses[0]).item_id
        )

    def split_in_two(self, june: Study, item: Item):
        return split(june.project, item, [item.text[:8], item.text[8:]], actor=june.people["lena"])

    def rows(self, june: Study, items: list[Item]) -> list[tuple[bool, float]]:
        return list(june.project.sampled_items.filter(item__in=items).values_list("is_drawn", "probability"))

    def test_the_parts_of_a_split_sentence_take_its_place(self, june) -> None:
        drawn = self.drawn(june)
        assert self.rows(june, self.split_in_two(june, drawn).new_items) == [(True, 0.25)] * 2
        other = june.items()[0] if drawn.position else june.items()[1]
        assert self.rows(june, self.split_in_two(june, other).new_items) == [(False, 0.25)] * 2

    def test_a_merged_sentence_takes_the_place_of_its_first_part(self, june) -> None:
        for number in (0, 1, 2):
            items = list(items_of(june.project.sheets.get(response=june.responses[number]), "sentence"))
            drawn = june.project.sampled_items.get(is_drawn=True, item__in=items).item
            before = items.index(drawn) - 1
            first, second = (items[before], drawn) if before >= 0 else items[:2]
            done = merge(june.project, second, first, actor=june.people["lena"])
            assert self.rows(june, done.new_items) == [(first == drawn, 0.25)]

    def test_a_finished_response_is_offered_again_only_for_drawn_items(self, june) -> None:
        for _ in range(3):
            rates(june.people["ravi"], june.project)
        drawn = self.drawn(june)
        other = june.items()[0] if drawn.position else june.items()[1]
        assert self.split_in_two(june, other).asked_again == 0
        assert self.split_in_two(june, drawn).asked_again == 1

    def test_other_projects_of_the_data_set_keep_their_samples(self, june) -> None:
        july = create_project("july", june.project.dataset, june.project.protocol)
        add_member(july, june.people["lena"], Membership.Role.LEAD)
        self.split_in_two(june, self.drawn(june))
        assert not july.sampled_items.exists()
