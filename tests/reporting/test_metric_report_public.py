"""Figures of metrics for the public studies, against rouge-score, NLTK and SciPy called on the files themselves.

The files are beside the checkout; without them there is nothing to test here.
"""

import json
import re
from collections import defaultdict
from itertools import combinations
from statistics import fmean

import pytest
from nltk.tokenize import NLTKWordTokenizer
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from scipy.stats import kendalltau, spearmanr

from annotation.importing import load_dataset, load_ratings
from annotation.importing.retrieved_responses import load_retrieved_responses
from annotation.metrics.compute import compute_metrics
from annotation.models import Dataset, Project, Rating, Response
from annotation.projects.create import create_project
from annotation.reporting.choices import Choices
from annotation.reporting.metric_report import metric_report
from annotation.reporting.report_parts.metrics import QuestionSimilarity
from annotation.splitting import split
from tests.cast import article_accuracy
from tests.importing.files import SHARED, lines
from tests.metrics.rouge_reference import RougeScorer
from tests.reporting.metric_studies import pair_study

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
FEW = Choices(resamples=200)
EXPERTS = SHARED / "lfqa_eval" / "raw_annotation_data"
SYLLABUSQA = SHARED / "syllabusqa"


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
        rows = {(row.metric, row.key, row.value): row.predicted for row in metric_report(project, FEW).predictions}
        metrics = {"length": lambda text: len(text.split()), "self_bleu": self_bleu}
        fields = [value for metric, key, value in rows if metric == "length" and key == "field"]
        assert len(fields) == 7
        for name, metric in metrics.items():
            shares = {(None, None): counts_of(metric, None)}
            shares |= {("field", field): counts_of(metric, field) for field in fields}
            assert {about: (rows[name, *about].k, rows[name, *about].n) for about in shares} == shares
        assert counts_of(metrics["length"], None) == (181, 260)  # docs/studies/lfqa-eval.md
        assert counts_of(self_bleu, None) == (138, 224)


if SYLLABUSQA.is_dir():

    def questions() -> dict[str, dict[str, str]]:
        rows = json.loads((SYLLABUSQA / "dataset_split" / "test.json").read_text(encoding="utf-8"))
        return {row["id"]: row for row in rows}

    @pytest.fixture
    def courses() -> Project:
        """Return a project over the test split, whose questions BM25 has answered."""
        load_dataset("syllabusqa", [SYLLABUSQA / "dataset_split" / "test.json", SYLLABUSQA / "text"], "courses")
        dataset = Dataset.objects.get()
        load_retrieved_responses(dataset, "bm25")
        compute_metrics(dataset)
        return create_project("courses", dataset, article_accuracy())

    def check_similarity(part: QuestionSimilarity) -> None:
        by_syllabus, scorer = defaultdict(list), RougeScorer(["rougeL"], use_stemmer=True)
        for row in questions().values():
            by_syllabus[row["syllabus_name"]].append(row["question"])
        assert (part.mean.n, part.pairs) == (13, 48_388) and round(part.mean.value, 3) == 0.129
        assert (round(part.mean.low, 3), round(part.mean.high, 3)) == (0.118, 0.142)  # docs/studies/syllabusqa.md
        assert {row.document: row.questions for row in part.documents} == {
            name: len(texts) for name, texts in by_syllabus.items()
        }
        smallest = min(part.documents, key=lambda row: row.questions)
        pairs = combinations(by_syllabus[smallest.document], 2)
        values = [scorer.score(first, second)["rougeL"].fmeasure for first, second in pairs]
        assert smallest.rouge_l == pytest.approx(fmean(values), abs=1e-12)

    def test_means_and_similarity_of_questions_are_those_of_rouge_score_and_nltk(courses):
        rows, scorer = questions(), RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True)
        expected: dict[tuple[str, str | None], list[float]] = defaultdict(list)
        for key, text in Response.objects.values_list("prompt__key", "text"):
            scores = scorer.score(rows[key]["answer"], text)
            values = {name: score.fmeasure for name, score in scores.items()}
            values |= {"length": len(text.split()), "self_bleu": self_bleu(text)}
            for name, value in values.items():
                for kind in (None, rows[key]["question_type"]):
                    if value is not None:
                        expected[name, kind].append(value)
        report = metric_report(courses, FEW)
        means = {(row.metric, row.value): row.mean for row in report.means if row.key in (None, "question_type")}
        assert len(expected) == 5 * 8
        for about, values in expected.items():
            assert means[about].n == len(values)
            assert means[about].value == pytest.approx(fmean(values), abs=1e-12)
        shown = [round(means[name, None].value, 3) for name in ("rouge1", "rougeL", "numbers_exact")]
        assert shown == [0.156, 0.115, 0.115]  # docs/studies/syllabusqa.md
        assert (means["rouge1", "yes/no"].n, means["rougeL", "no answer"].n) == (158, 155)
        check_similarity(report.similarity)

    def test_rank_correlations_with_ratings_are_scipys(courses, tmp_path):
        """The answers are public, the ratings invented: a sentence is accurate if it has a word of the reference."""
        rows, ratings = questions(), []
        for response in Response.objects.prefetch_related("items").select_related("prompt"):
            words = set(rows[response.prompt.key]["answer"].lower().split())
            for item in response.items.filter(rate=True):
                is_accurate = bool(words & set(item.text.lower().split()))
                answers = {"accuracy": "accurate"} if is_accurate else {"accuracy": "inaccurate", "severity": "severe"}
                about = {"response": response.key, "item": item.position, "rater": "ravi"}
                ratings.append({**about, "answers": answers})
        load_ratings(lines(tmp_path / "ratings.jsonl", ratings), courses)
        accurate: dict[str, list[bool]] = defaultdict(list)
        for key, answers in Rating.objects.values_list("item__response__key", "answers"):
            accurate[key].append(answers["accuracy"] == "accurate")
        texts = {
            key: (prompt, text) for key, prompt, text in Response.objects.values_list("key", "prompt__key", "text")
        }
        scorer, keys = RougeScorer(["rougeL"], use_stemmer=True), sorted(accurate)
        x = [scorer.score(rows[texts[key][0]]["answer"], texts[key][1])["rougeL"].fmeasure for key in keys]
        y = [fmean(accurate[key]) for key in keys]
        report = metric_report(courses, Choices(resamples=100))
        [found] = [
            row
            for row in report.correlations
            if (row.metric, row.figure, row.over) == ("rougeL", "accurate", "responses")
        ]
        assert found.n == len(keys) > 1_000
        assert found.spearman.value == pytest.approx(spearmanr(x, y).statistic, abs=1e-12)
        assert found.kendall_tau_b.value == pytest.approx(kendalltau(x, y).statistic, abs=1e-12)
