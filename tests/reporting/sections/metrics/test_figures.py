"""Metrics beside people: means, predicted preferences and correlations, against NumPy and SciPy called outside."""

import json
import re
from collections import defaultdict
from functools import cache
from itertools import combinations
from statistics import fmean

import numpy as np
import pytest
from nltk.tokenize import NLTKWordTokenizer
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from scipy.stats import kendalltau, spearmanr

from annotation.importing import load_dataset, load_ratings
from annotation.importing.retrieved_responses import load_retrieved_responses
from annotation.metrics.compute import compute_metrics
from annotation.metrics.score_files import load_metric_scores
from annotation.models import Dataset, MetricScore, Project, Rating, Response
from annotation.projects.create import create_project
from annotation.reporting.choices import Choices
from annotation.reporting.sections.metrics.figures import MetricReport, metric_report, question_similarities
from annotation.splitting import split
from tests.cast import ACCURATE, SEVERE, article_accuracy
from tests.importing.files import FIXTURES, SHARED, lines, prompt
from tests.metrics.rouge_reference import RougeScorer
from tests.reporting.metric_studies import SYSTEMS, pair_study, rated_study

pytestmark = pytest.mark.django_db
FEW = Choices(resamples=200)


def shares_of_responses(project: Project, accuracy: str) -> dict[str, float]:
    answers: dict[str, list[bool]] = {}
    for rating in Rating.objects.filter(project=project).select_related("item__response"):
        answers.setdefault(rating.item.response.key, []).append(rating.answers["accuracy"] == accuracy)
    return {key: float(np.mean(hits)) for key, hits in answers.items()}


def values_of(metric: str) -> dict[str, float]:
    return dict(MetricScore.objects.filter(metric=metric, against=None).values_list("response__key", "value"))


@pytest.fixture(scope="module")
def scored(module_rows, tmp_path_factory) -> tuple[Project, MetricReport]:
    project = rated_study(tmp_path_factory.mktemp("birds"))
    compute_metrics(project.dataset)
    return project, metric_report(project, FEW)


def test_correlations_are_scipys_over_responses_and_systems(scored):
    project, report = scored
    accurate, lengths = shares_of_responses(project, "accurate"), values_of("length")
    rows = {(row.metric, row.figure, row.over): row for row in report.correlations}
    assert len(accurate) == 60
    x, y = [lengths[key] for key in sorted(accurate)], [accurate[key] for key in sorted(accurate)]
    over_responses = rows["length", "accurate", "responses"]
    assert over_responses.n == 60
    assert over_responses.spearman.value == pytest.approx(spearmanr(x, y).statistic, abs=1e-12)
    assert over_responses.kendall_tau_b.value == pytest.approx(kendalltau(x, y).statistic, abs=1e-12)
    assert over_responses.spearman.low < over_responses.spearman.value < over_responses.spearman.high
    by_system = [
        [np.mean([values[key] for key in values if key.endswith(name)]) for name in SYSTEMS]
        for values in (lengths, accurate)
    ]
    over_systems = rows["length", "accurate", "systems"]
    assert over_systems.n == 4
    assert over_systems.spearman.value == pytest.approx(spearmanr(*by_system).statistic, abs=1e-12)
    assert report.predictions == [] and report.ties == 0


def test_means_by_system_and_metadata(scored):
    report = scored[1]
    rouge = values_of("rougeL")
    fields = dict(Response.objects.values_list("key", "prompt__metadata__field"))
    found = {(row.system, row.value): row.mean for row in report.means if row.metric == "rougeL"}
    assert len(found) == 5 * 3  # all and four systems, of all prompts and two fields
    for (system, field), mean in found.items():
        keys = [key for key in rouge if key.endswith(system or "") and field in (None, fields[key])]
        expected = [rouge[key] for key in keys]
        assert mean.n == len(expected) and mean.value == pytest.approx(np.mean(expected), abs=1e-12)
    whole = found[None, None]
    assert whole.low < whole.value < whole.high
    assert MetricReport.from_dict(json.loads(report.to_json())) == MetricReport.from_dict(report.to_dict())
    assert report.metrics == ["rouge1", "rouge2", "rougeL", "length", "numbers_exact", "numbers_fuzzy", "self_bleu"]


def test_the_similarity_of_questions_is_the_mean_of_documents_with_two_questions(tmp_path):
    tides = ["When is high tide?", "When is low tide?", "Who knows?"]
    texts = {"tides": tides, "terns": ["Why?", "Why?"], "crabs": ["How?"]}
    rows = [
        prompt(f"{key}{n}", text=text, document={"id": key, "title": key, "sections": []})
        for key, questions in texts.items()
        for n, text in enumerate(questions)
    ]
    load_dataset("jsonl", [lines(tmp_path / "birds.jsonl", [*rows, prompt("free")])], "tides")
    project = create_project("tides", Dataset.objects.get(slug="tides"), article_accuracy())
    part = metric_report(project, FEW).similarity
    scorer = RougeScorer(["rougeL"], use_stemmer=True)
    pairs = [scorer.score(a, b)["rougeL"].fmeasure for a, b in combinations(tides, 2)]
    assert {row.document: (row.questions, row.rouge_l) for row in part.documents} == {
        "terns": (2, 1.0),
        "tides": (3, pytest.approx(np.mean(pairs), abs=1e-12)),
    }
    assert (part.mean.n, part.pairs) == (2, 4)
    assert part.mean.value == pytest.approx((1 + np.mean(pairs)) / 2, abs=1e-12)


@pytest.mark.parametrize("documents", [{}, {"tides": ["When?"]}, {"tides": ["When?"] * 1_500}])  # 1,124,250 pairs
def test_there_is_no_similarity_without_two_questions_of_a_document_or_of_too_many_pairs(documents):
    assert question_similarities(documents, 200, 1) is None


def test_a_project_without_scores_has_empty_tables(scored):
    MetricScore.objects.all().delete()
    report = metric_report(scored[0], FEW)
    assert (report.metrics, report.means, report.correlations, report.responses) == ([], [], [], 60)


@pytest.fixture(scope="module")
def botany(module_rows) -> Project:
    return pair_study(sorted((FIXTURES / "lfqa_eval").glob("Botany_*_Common4.json")), slug="botany")


def predicted(metric: str, field: str | None = None) -> tuple[int, int, int]:
    """Count from the stored ratings the preferences that a metric predicts, decided ones, and ties."""
    values, hits, decided, ties = values_of(metric), 0, 0, 0
    ratings = Rating.objects.filter(role="rater", item__unit="pair")
    for rating in ratings.select_related("item__response__prompt", "item__against"):
        item = rating.item
        if field not in (None, item.response.prompt.metadata["field"]):
            continue
        side = {"a": 1, "b": -1}.get(rating.answers["preference"], 0)
        first, second = values.get(item.response.key), values.get(item.against.key)
        ties += side == 0
        if side and first is not None and second is not None and first != second:
            decided += 1
            hits += (first > second) == (side > 0)
    return hits, decided, ties


def test_predicted_preferences_are_counted_without_ties(botany, tmp_path):
    project = botany
    pairs = project.sheets.values_list("response__key", "against__key").order_by("pk")
    named = [{"response": a, "against": b, "unit": "pair", "item": 0, "rater": "ravi"} for a, b in pairs[:2]]
    load_ratings(lines(tmp_path / "ties.jsonl", [{**row, "answers": {"preference": "tie"}} for row in named]), project)
    compute_metrics(project.dataset)
    report = metric_report(project, FEW)
    assert report.ties == 2 and report.correlations == []
    for metric in ("length", "self_bleu"):
        rows = {(row.key, row.value): row.predicted for row in report.predictions if row.metric == metric}
        whole = rows.pop((None, None))
        assert (whole.k, whole.n, report.ties) == predicted(metric)
        for (key, value), share in rows.items():
            if key == "field":
                assert (share.k, share.n) == predicted(metric, value)[:2]


def test_what_a_metric_lacks_is_undecided_and_the_score_of_a_pair_goes_before_those_of_its_responses(botany, tmp_path):
    ratings = botany.ratings.filter(role="rater")
    pairs = list(botany.sheets.order_by("pk").values_list("response__key", "against__key"))
    rows = [{"response": a, "against": b, "metric": "reward", "value": 1.0} for a, b in pairs]
    load_metric_scores(lines(tmp_path / "first.jsonl", rows[:1]), botany.dataset)
    report = metric_report(botany, FEW)
    row = next(row for row in report.predictions if row.key is None)
    assert row.predicted.n > 0
    assert row.predicted.n + row.undecided + report.ties == ratings.count()
    rows = [{"response": b, "against": a, "metric": "reward", "value": -1.0} for a, b in pairs[1:]]
    rows += [{"response": a, "metric": "reward", "value": -5.0} for a in dict(pairs)]
    rows += [{"response": b, "metric": "reward", "value": 5.0} for b in {b for _, b in pairs} - set(dict(pairs))]
    load_metric_scores(lines(tmp_path / "rewards.jsonl", rows), botany.dataset)
    row = next(row for row in metric_report(botany, FEW).predictions if row.key is None)
    sides = [rating.answers["preference"] for rating in ratings]
    assert (row.predicted.k, row.predicted.n) == (sides.count("a"), sides.count("a") + sides.count("b"))
    assert row.undecided == 0


EXPERTS = SHARED / "lfqa_eval" / "raw_annotation_data"
SYLLABUSQA = SHARED / "syllabusqa"


@cache
def self_bleu(text: str) -> float | None:
    words = [NLTKWordTokenizer().tokenize(text[span.start : span.end].lower()) for span in split(text)]
    words = [sentence for sentence in words if sentence]
    if len(words) < 2:
        return None
    smoothing = SmoothingFunction().method1
    return fmean(
        sentence_bleu([other for other in words if other is not own], own, smoothing_function=smoothing)
        for own in words
    )


def length(text: str) -> int:
    return len(text.split())


if EXPERTS.is_dir():

    def preferences() -> list[tuple[str, str, str]]:
        """Return the field, the preferred and the other answer of each annotation; none was a tie."""
        rows = []
        for path in sorted((EXPERTS / "Annotated_Dataset").glob("*.json")):
            for row in json.loads(path.read_text(encoding="utf-8")):
                texts = [re.sub("<br ?/?>|<newline>", "\n", row[name]) for name in ("answer1", "answer2")]
                preferred, other = texts if row["BetterAnswer"] == "Answer A" else texts[::-1]
                rows.append((path.name.split("_")[0], preferred, other))
        return rows

    def counts_of(metric, field: str | None) -> tuple[int, int]:
        """Return how many preferences the metric predicts, of those for which it has two different values."""
        pairs = [(metric(a), metric(b)) for name, a, b in preferences() if field in (None, name)]
        decided = [(a, b) for a, b in pairs if a is not None and b is not None and a != b]
        return sum(a > b for a, b in decided), len(decided)

    def test_preferences_of_experts_are_predicted_as_counted_from_the_files():
        lists = sorted((EXPERTS / "Annotated_Dataset").glob("*.json"))
        project = pair_study(lists, sorted((EXPERTS / "Label_Studio").glob("*.tsv")))
        compute_metrics(project.dataset)
        rows = {(row.metric, row.key, row.value): row for row in metric_report(project, FEW).predictions}
        fields = [value for metric, key, value in rows if metric == "length" and key == "field"]
        assert sorted(fields) == ["Biology", "Chemistry", "Economics", "History", "Law", "Physics", "TechCS"]
        for metric in (length, self_bleu):
            for about in ((None, None), *(("field", field) for field in fields)):
                predicted = rows[metric.__name__, *about].predicted
                assert (predicted.k, predicted.n) == counts_of(metric, about[1])
            whole = rows[metric.__name__, None, None]
            assert whole.predicted.n + whole.undecided == 260
            assert whole.predicted.low < whole.predicted.value < whole.predicted.high
        assert counts_of(length, None) == (181, 260)  # docs/studies/lfqa-eval.md
        assert counts_of(self_bleu, None) == (138, 224)


if SYLLABUSQA.is_dir():

    def test_means_correlations_and_similarity_of_questions_are_those_of_rouge_score_nltk_and_scipy(tmp_path):
        """BM25 has answered the test split. The ratings are invented: accurate is what has a word of the reference."""
        files = [SYLLABUSQA / "dataset_split" / "test.json", SYLLABUSQA / "text"]
        load_dataset("syllabusqa", files, "courses")
        dataset = Dataset.objects.get(slug="courses")
        load_retrieved_responses(dataset, "bm25")
        compute_metrics(dataset)
        project = create_project("courses", dataset, article_accuracy())
        rows = {row["id"]: row for row in json.loads(files[0].read_text(encoding="utf-8"))}
        ratings, scorer = [], RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True)
        expected: dict[tuple[str, str | None], list[float]] = defaultdict(list)
        rouge, shares = [], []
        for response in dataset.responses.prefetch_related("items").select_related("prompt"):
            row = rows[response.prompt.key]
            words = set(row["answer"].lower().split())
            items = [item for item in response.items.all() if item.rate]
            hits = [bool(words & set(item.text.lower().split())) for item in items]
            for item, hit in zip(items, hits, strict=True):
                about = {"response": response.key, "item": item.position, "rater": "ravi"}
                ratings.append({**about, "answers": ACCURATE if hit else SEVERE})
            values = {name: score.fmeasure for name, score in scorer.score(row["answer"], response.text).items()}
            if items:
                rouge.append(values["rougeL"])
                shares.append(fmean(hits))
            values |= {"length": length(response.text), "self_bleu": self_bleu(response.text)}
            for name, value in values.items():
                if value is not None:
                    expected[name, None].append(value)
                    expected[name, row["question_type"]].append(value)
        load_ratings(lines(tmp_path / "ratings.jsonl", ratings), project)
        assert project.ratings.count() == len(ratings)
        report = metric_report(project, FEW)

        means = {(row.metric, row.value): row.mean for row in report.means if row.key in (None, "question_type")}
        assert len(expected) == 5 * 8
        for about, values in expected.items():
            assert (means[about].n, means[about].value) == (len(values), pytest.approx(fmean(values), abs=1e-12))
        shown = [round(means[name, None].value, 3) for name in ("rouge1", "rougeL", "numbers_exact")]
        assert shown == [0.156, 0.115, 0.115]  # docs/studies/syllabusqa.md
        assert (means["rouge1", "yes/no"].n, means["rougeL", "no answer"].n) == (158, 155)

        correlations = {(row.metric, row.figure, row.over): row for row in report.correlations}
        found = correlations["rougeL", "accurate", "responses"]
        assert found.n == len(rouge) > 1_000
        assert found.spearman.value == pytest.approx(spearmanr(rouge, shares).statistic, abs=1e-12)
        assert found.kendall_tau_b.value == pytest.approx(kendalltau(rouge, shares).statistic, abs=1e-12)

        part, by_syllabus = report.similarity, defaultdict(list)
        for row in rows.values():
            by_syllabus[row["syllabus_name"]].append(row["question"])
        assert (part.mean.n, part.pairs) == (13, 48_388)
        bounds = [round(value, 3) for value in (part.mean.value, part.mean.low, part.mean.high)]
        assert bounds == [0.129, 0.118, 0.142]  # docs/studies/syllabusqa.md
        sizes = {row.document: row.questions for row in part.documents}
        assert sizes == {name: len(texts) for name, texts in by_syllabus.items()}
        smallest = min(part.documents, key=lambda row: row.questions)
        pairs = combinations(by_syllabus[smallest.document], 2)
        values = [scorer.score(first, second)["rougeL"].fmeasure for first, second in pairs]
        assert smallest.rouge_l == pytest.approx(fmean(values), abs=1e-12)
