"""The report of a bundle is built again from the bundle's files, in a database without the project."""

import json
import zipfile
from pathlib import Path
from shutil import copytree

import pytest

from annotation.exporting.bundle_import import BundleFiles
from annotation.exporting.rebuilding import Rebuilt, rebuild, recompute, wrong_checksums
from annotation.jobs import Refused
from annotation.judging.judges import repeat_judge
from annotation.judging.tuning import record_tuning
from annotation.metrics.compute import compute_metrics
from annotation.models import FactScore, Item, Project, Rating
from annotation.queue.exclusion import exclude
from annotation.reporting import Choices
from tests.cast import ACCURATE, SEVERE, person
from tests.exporting.bundles import (
    FEW,
    counts_of,
    decide,
    drawn_where_uncertain,
    frozen,
    judged_study,
    many_prompts,
    new_rating,
    read_report,
    rebuilt,
    unpacked,
)
from tests.fact_qa_studies import score_facts
from tests.importing.lfqa_files import experts
from tests.reporting.fact_projects import scored_study
from tests.reporting.project_rows import NOON, judge_items, project_of
from tests.reporting.sampled_studies import items_of

pytestmark = pytest.mark.django_db
OLDER = Path(__file__).parents[2] / "fixtures" / "0.7.1" / "bundle.zip"
SAME = Rebuilt(True, [], [], [])
RATING = '"role": "rater", "answers": {"accuracy": '


def rebuilt_bundle(project: Project, folder: Path, choices: Choices = FEW, *, with_names: bool = False) -> Rebuilt:
    return rebuilt(unpacked(frozen(project, choices), folder, tables=False, with_names=with_names))


@pytest.fixture(scope="module")
def decided(module_rows) -> Project:
    """Return a project with documents, gold, adjudications of one moment, exclusions, and a rating of open work."""
    project = project_of(many_prompts(28), "decided")
    decide(project)
    Rating.objects.filter(role="adjudicator").update(rated_at=NOON)
    open_work = Item.objects.filter(response__key="q20.tern").first()
    new_rating(project, open_work, person("uma"), "rater", ACCURATE, NOON).save()
    sheets = project.sheets.filter(response__key__in=["q03.tern", "q04.tern"])
    exclude(project, list(sheets.values_list("pk", flat=True)), "cut off")
    return project


@pytest.mark.parametrize(
    ("with_names", "choices"),
    [
        (False, FEW),
        (True, FEW),
        (False, Choices(resamples=100, answers="adjudicated", without_raters=("rosa",), least_seconds=3.0)),
        (False, Choices(resamples=100, answers="adjudicated", least_gold=0.6, cluster="document")),
    ],
)
def test_ratings_of_sentences_give_the_same_bytes(decided, tmp_path, with_names, choices):
    result = rebuilt_bundle(decided, tmp_path, choices, with_names=with_names)
    assert result.has_same_bytes, result
    lacking = {"data / left_out / excluded", "data / left_out / unfinished", "data / excluded"}
    assert lacking <= {*result.not_determined}
    assert all("left_out / rater" not in line for line in result.not_determined)


def test_a_judge_with_versions_excluded_responses_and_a_weighted_sample_gives_the_same_bytes(tmp_path):
    project = judged_study(17, "judged")
    second, items = repeat_judge("j"), items_of(project)
    places = [(item.response.key, item.position) for n, item in enumerate(reversed(items)) if n % 4]
    given = {place: ACCURATE if n % 3 else SEVERE for n, place in enumerate(places)}
    votes = {place: [answers, ACCURATE, None] for place, answers in given.items()}
    prints = {place: "ab"[n % 2] for n, place in enumerate(places)}
    judge_items(project, given, judge=second, votes=votes, fingerprints=prints)
    record_tuning(second, [item.pk for item in items[5:8]])
    exclude(project, list(project.sheets.order_by("response__key").values_list("pk", flat=True)[:3]), "broken")
    drawn = drawn_where_uncertain(project)
    for judge in ("j@1", "j@2"):
        report = frozen(drawn, Choices(resamples=100, judge=judge))
        assert json.loads(report.document)["judge_against_people"]["versions"]
        (tmp_path / judge).mkdir()
        result = rebuilt(unpacked(report, tmp_path / judge, tables=False))
        assert result.has_same_bytes, result


def test_fact_qa_of_several_judges_gives_the_same_bytes(tmp_path):
    project, *_ = scored_study(tmp_path, "strict", count=40)
    score_facts(project, counts_of(36))
    score_facts(project, {"r001": ((1, 2), (1, 1))}, "other", fact_source="document")
    record_tuning(
        FactScore.objects.first().judge, Item.objects.filter(response__key="r000").values_list("pk", flat=True)
    )
    assert rebuilt_bundle(project, tmp_path / "all") == SAME
    one = Choices(resamples=100, systems=("system-0",))
    assert rebuilt_bundle(project, tmp_path / "one", one) == SAME, "the other judge has scored nothing of it"


def test_pairs_and_metrics_give_the_same_bytes(tmp_path):
    assert rebuilt_bundle(experts(), tmp_path / "pairs") == SAME
    project = project_of(many_prompts(12), "metrics")
    compute_metrics(project.dataset)
    exclude(project, list(project.sheets.filter(response__key="q03.tern").values_list("pk", flat=True)), "cut off")
    Project.objects.filter(pk=project.pk).update(skips_claim_free=True)
    folder = unpacked(frozen(Project.objects.get(pk=project.pk)), tmp_path / "metrics", tables=False)
    assert read_report(folder)["metrics"] and rebuilt(folder).has_same_bytes
    assert "q03.tern" not in (folder / "metric_scores.csv").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def bundle(decided, tmp_path_factory) -> Path:
    return unpacked(frozen(decided), tmp_path_factory.mktemp("bundle"), tables=False)


@pytest.fixture
def folder(bundle, tmp_path) -> Path:
    return Path(copytree(bundle, tmp_path / "bundle"))


def change(path: Path, old: str, new: str) -> None:
    """Replace the first occurrence of a text in a file."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_nothing_of_excluded_responses_is_in_the_files(folder):
    for name in ("prompts.jsonl", "responses.jsonl", "items.jsonl", "ratings.jsonl"):
        text = (folder / name).read_text(encoding="utf-8")
        assert "q02" in text and "q03.tern" not in text, name


@pytest.mark.parametrize(
    ("name", "old", "new", "differs"),
    [
        ("ratings.jsonl", f'{RATING}"accurate"', f'{RATING}"cannot_assess"', "overall / options / accurate"),
        ("prompts.jsonl", '"kind":"short"', '"kind":"hard"', "by / kind"),
        ("report.json", '"k": ', '"k": 1', "overall / measures / accurate / k"),
        ("report.json", '"schema": ', '"scheme": 1, "schema": ', "scheme is 1"),
        ("report.json", '"schema": ', '"schema":  ', "report.json has the same figures"),
    ],
)
def test_a_change_is_named(folder, name, old, new, differs):
    change(folder / name, old, new)
    assert list(wrong_checksums(BundleFiles(folder))) == [f"{name} differs from its checksum in SHA256SUMS"]
    result = rebuilt(folder)
    assert not result.has_same_bytes and not result.explained
    assert any(line.startswith(differs) for line in result.differences), result


@pytest.mark.parametrize(
    ("name", "old", "new", "problem"),
    [
        ("items.jsonl", '"unit":', '"unit', "items.jsonl:1: JSON is malformed"),
        ("prompts.jsonl", '"prompt":"q00"', '"prompt":7', "prompts.jsonl:1: Expected `str`, got `int`"),
        ("ratings.jsonl", '"item": 0', '"item": 77', "the files do not fit together"),
        ("protocol.toml", "slug =", "slug", "the files do not fit together"),
        ("report.json", '"schema"', '"scheme"', "report.json: Object missing required field `schema`"),
    ],
)
def test_a_broken_file_is_refused_by_name(folder, name, old, new, problem):
    change(folder / name, old, new)
    with pytest.raises(Refused, match="download or unpack the bundle again") as refused:
        rebuilt(folder)
    assert problem in str(refused.value)


def test_what_is_no_bundle_and_a_database_in_use_are_refused(folder, tmp_path):
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("../report.txt", "")
    others = {tmp_path / "other.zip": "no report.json", OLDER.parent: "no report.json", Path(__file__): "not a zip"}
    for path, problem in others.items():
        with pytest.raises(Refused, match=problem):
            BundleFiles(path)
    with pytest.raises(RuntimeError, match="empty database"):
        rebuild(BundleFiles(folder))


def test_without_the_new_files_what_the_others_determine_is_compared(folder):
    for name in ("prompts.jsonl", "responses.jsonl", "items.jsonl"):
        (folder / name).unlink()
    result = rebuilt(folder)
    assert result.has_same_bytes and {"data / excluded", "raters"} <= {*result.not_determined}, "adjudications tie"
    change(folder / "report.json", '"macro_item": 0.', '"macro_item": 0.1')
    [line] = rebuilt(folder).differences
    assert "macro_item is " in line


def test_of_a_bundle_of_0_7_1_changes_of_methods_explain_what_differs(tmp_path):
    result = rebuilt(OLDER)
    assert (result.has_same_bytes, result.differences, result.not_determined) == (False, [], [])
    assert any("swap test" in line for line in result.explained)
    assert recompute(BundleFiles(OLDER)) == []
    with zipfile.ZipFile(OLDER) as archive:
        archive.extractall(tmp_path)
    folder = next(tmp_path.iterdir())
    change(folder / "report.json", '"p": 0.', '"p": 0.1')  # explained, but not what the method of 0.7.1 gives
    assert rebuilt(folder).differences == []
    assert any(line.startswith("comparisons / ") for line in recompute(BundleFiles(folder)))
