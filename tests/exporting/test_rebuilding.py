"""The report of a bundle is built again from the bundle's files, in a database without the project."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection, transaction

from annotation.exporting.bundle_import import BundleFiles
from annotation.exporting.rebuilding import Rebuilt, rebuild
from annotation.models import *
from annotation.reporting import Choices
from tests.exporting.bundles import decide, frozen, many_prompts, unpacked
from tests.exporting.scripts.test_recompute import ratings
from tests.reporting.project_rows import project_of
from tests.exporting.test_bundle_of_judges import prepared_study
from tests.reporting.fact_qa_scores import scored_study
from tests.fact_qa_studies import score_facts
from tests.exporting.bundles import counts_of, facts_report
from tests.importing.lfqa_files import experts

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@contextmanager
def emptied_database() -> Iterator[None]:
    """Empty all tables until the end of the context."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; RESET ROLE")
        tables = ", ".join(name for name in connection.introspection.table_names() if name.startswith("annotation_"))
        cursor.execute(f"TRUNCATE {tables} CASCADE")
        yield
        transaction.set_rollback(True)


def rebuilt(report, folder, **options) -> Rebuilt:
    files = BundleFiles(unpacked(report, folder, tables=False, **options))
    with emptied_database():
        return rebuild(files)


def check(project, tmp_path, choices=Choices(resamples=100)):
    report = frozen(project, choices)
    for named in (False, True):
        result = rebuilt(report, tmp_path / str(named), with_names=named)
        print(project.slug, named, result)
        assert result.has_same_bytes, result


def test_sentences(tmp_path):
    project = project_of(many_prompts(28), "decided")
    decide(project)
    check(project, tmp_path)
    for n, choices in enumerate([
        Choices(resamples=100, systems=("tern",), without_raters=("ravi",)),
        Choices(resamples=100, metadata=(("kind", ("hard",)),), least_seconds=3.0),
        Choices(resamples=100, least_gold=0.6),
        Choices(resamples=100, answers="adjudicated", systems=("tern",), without_raters=("rosa",), cluster="document"),
    ]):
        check(project, tmp_path / f"c{n}" if not (tmp_path / f"c{n}").mkdir() else tmp_path, choices)


def test_all(tmp_path):
    check(project_of(ratings(), "all"), tmp_path)


def test_judged(tmp_path):
    check(prepared_study(15, "judged"), tmp_path, Choices(resamples=100, judge="j"))


def test_fact_qa(tmp_path):
    project, _, _ = scored_study(tmp_path, "strict", count=40)
    score_facts(project, counts_of(36))
    check(project, tmp_path)


def test_pairs(tmp_path):
    check(experts(), tmp_path)
def test_facts(tmp_path):
    check(facts_report().project, tmp_path)


def test_versions(tmp_path):
    from annotation.judging.judges import find_judge, repeat_judge
    from tests.reporting.judged_rows import judge_items
    from tests.reporting.sampled_studies import items_of
    from annotation.judging.tuning import record_tuning
    from annotation.queue.exclusion import exclude
    from tests.cast import ACCURATE, SEVERE
    project = prepared_study(17, "judged")
    second = repeat_judge("j")
    items = items_of(project)
    given = {(i.response.key, i.position): ACCURATE if n % 3 else SEVERE for n, i in enumerate(reversed(items)) if n % 4}
    judge_items(project, given, judge=second, votes={k: [v, ACCURATE, None] for k, v in given.items()}, fingerprints={k: "ab"[n % 2] for n, k in enumerate(given)}, confidence={k: (n % 7) / 7 for n, k in enumerate(given)})
    more = list(given)[:10]
    record_tuning(second, [i.pk for i in items[5:8]])
    sheets = project.sheets.order_by("response__key").values_list("pk", flat=True)
    exclude(project, [sheets[0], sheets[7]], "broken")
    exclude(project, [sheets[9]], "names a person")
    Project.objects.filter(pk=project.pk).update(sampling_design="uncertain", sampling_judge=find_judge("j@1"))
    project = Project.objects.get(pk=project.pk)
    check(project, tmp_path, Choices(resamples=100, judge="j@1"))
    (tmp_path / "b").mkdir()
    check(project, tmp_path / "b", Choices(resamples=100, judge="j"))
    (tmp_path / "c").mkdir()
    check(project, tmp_path / "c", Choices(resamples=100, answers="adjudicated", judge="nobody"))


def test_metrics(tmp_path):
    project = project_of(many_prompts(28), "decided")
    decide(project)
    Project.objects.filter(pk=project.pk).update(skips_claim_free=True)
    Item.objects.filter(position=2).update(claim_free="question")
    MetricScore.objects.bulk_create([MetricScore(response=r, metric="bleurt", value=(n * 7919 % 1000) / 997) for n, r in enumerate(Response.objects.all())])
    check(Project.objects.get(pk=project.pk), tmp_path)


@pytest.mark.parametrize("name", ["sentences", "pairs", "facts", "worked-example"])
def test_old(name):
    from pathlib import Path
    from annotation.exporting.rebuilding import wrong_checksums
    files = BundleFiles(Path(f"/tmp/bundle-rec/{name}.zip"))
    assert list(wrong_checksums(files)) == []
    with emptied_database():
        result = rebuild(files)
    print(result.has_same_bytes, result.explained, result.not_determined)
    print("\n".join(result.differences[:20]), len(result.differences))
    assert 0
