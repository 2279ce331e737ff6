"""Figures of metrics for the public studies, against rouge-score, NLTK and SciPy called on the files themselves.

The files are beside the checkout; without them there is nothing to test here.
"""

import json
import re
from collections import defaultdict
from functools import cache
from itertools import combinations
from statistics import fmean

import pytest
from nltk.tokenize import NLTKWordTokenizer
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from scipy.stats import kendalltau, spearmanr

from annotation.importing import load_dataset, load_ratings
from annotation.importing.retrieved_responses import load_retrieved_responses
from annotation.metrics.compute import compute_metrics
from annotation.models import Dataset, Rating, Response
from annotation.projects.create import create_project
from annotation.reporting.choices import Choices
from annotation.reporting.sections.metrics.figures import metric_report
from annotation.splitting import split
from tests.cast import ACCURATE, SEVERE, article_accuracy
from tests.importing.files import SHARED, lines
from tests.metrics.rouge_reference import RougeScorer
from tests.reporting.metric_studies import pair_study

pytestmark = pytest.mark.django_db
FEW = Choices(resamples=200)
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
        dataset = Dataset.objects.get()
        load_retrieved_responses(dataset, "bm25")
        compute_metrics(dataset)
        project = create_project("courses", dataset, article_accuracy())
        rows = {row["id"]: row for row in json.loads(files[0].read_text(encoding="utf-8"))}
        ratings, scorer = [], RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True)
        expected: dict[tuple[str, str | None], list[float]] = defaultdict(list)
        rouge, shares = [], []
        for response in Response.objects.prefetch_related("items").select_related("prompt"):
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
        assert Rating.objects.count() == len(ratings)
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
