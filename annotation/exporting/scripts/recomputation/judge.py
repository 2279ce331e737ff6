"""A judge against people: confusion matrix, agreement, detection and calibration, from judge_items.csv and ratings.csv.

Where the report has weights, an item counts 1 over the probability with which it was drawn, else 1.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from .raters import checked_answer
from .study import ADJUDICATOR, Figures, Ratio, Row, Study, holds, item_of, read_table

Item = tuple[str, str, str, int]
Pair = tuple[int, int, float]
"""The number of people's label, of the judge's, and the weight."""
PROBLEMS = ("disputed", "unsupported", "inaccurate")
BINS = 10


class JudgeLabels:
    """People's ratings before which no verdict was shown, and the judge's answers, by item."""

    def __init__(self, study: Study):
        self.study, self.reported = study, study.report["judge_against_people"]
        self.options: list[str] = self.reported["labels"]
        self.rows = study.turned(read_table(study.folder / "judge_items.csv"))
        self.judge = {item_of(row): row for row in self.rows if row["verdict"] == "rated"}
        self.is_weighted = "weights" in self.reported
        self.drawn = {item_of(row): float(row["probability"]) for row in self.rows if row["probability"]}
        self.people: dict[Item, list[Row]] = defaultdict(list)
        for row in study.turned(study.own):
            if row.get("verdict_shown") != "1" and (not self.is_weighted or item_of(row) in self.drawn):
                self.people[item_of(row)].append(row)
        self.adjudicated = self._newest_adjudications()
        self.reference = {item: self._reference(item) for item in self.people}

    def _newest_adjudications(self) -> dict[Item, Row]:
        """Return the newest adjudication of each item, none that was made after verdicts were shown."""
        newest: dict[Item, Row] = {}
        for row in self.study.turned(row for row in self.study.rows if row["role"] == ADJUDICATOR):
            other = newest.get(item_of(row))
            if other is None or row["rated_at"] > other["rated_at"]:
                newest[item_of(row)] = row
        return {item: row for item, row in newest.items() if row.get("verdict_shown") != "1"}

    def label(self, row: Row | None) -> str | None:
        """Return the answer to the checked question; None if it is none that a measure includes."""
        answer = None if row is None else checked_answer(self.study, row)
        return answer if answer in self.options else None

    def weight(self, item: Item) -> float:
        return 1 / self.drawn[item] if self.is_weighted else 1.0

    def counts(self, item: Item) -> Counter[str]:
        labels = (self.label(row) for row in self.people[item])
        return Counter(label for label in labels if label is not None)

    def is_tied(self, item: Item) -> bool:
        counts = self.counts(item)
        return bool(counts) and list(counts.values()).count(max(counts.values())) > 1

    def _reference(self, item: Item) -> str | None:
        counts = self.counts(item)
        if not counts:
            return None
        return self.label(self.adjudicated.get(item)) if self.is_tied(item) else counts.most_common(1)[0][0]

    def pairs(self) -> list[tuple[Item, str, str]]:
        """Return the compared items with people's label and the judge's."""
        found = ((item, self.reference[item], self.label(self.judge.get(item))) for item in self.people)
        return [(item, truth, judged) for item, truth, judged in found if truth is not None and judged is not None]

    def numbered(self, pairs: Iterable[tuple[Item, str, str]]) -> list[Pair]:
        number = {option: n for n, option in enumerate(self.options)}
        return [(number[truth], number[judged], self.weight(item)) for item, truth, judged in pairs]


def judge_against_people(study: Study) -> Figures:
    """Return the figures of the part of the report that are recomputed."""
    labels = JudgeLabels(study)
    pairs = labels.pairs()
    numbered = labels.numbered(pairs)
    figures = {
        "items": len(pairs),
        "verdicts": len(labels.rows),
        "confusion": _table(((a, b, 1) for a, b, _ in numbered), len(labels.options)),
        "majority": agreement(numbered, len(labels.options)),
        "detection": {key: detection(_hits(labels, key, pairs)) for key in labels.reported["detection"]},
        "human_ceiling": _ceiling(labels),
    }
    return figures | ({"calibration": _calibration(labels, pairs)} if "calibration" in labels.reported else {})


def _table(pairs: Iterable[tuple[int, int, float]], size: int) -> list[list[float]]:
    table = [[0.0] * size for _ in range(size)]
    for truth, judged, weight in pairs:
        table[truth][judged] += weight
    return table


def agreement(pairs: Sequence[Pair], size: int) -> Figures:
    """Return accuracy, Cohen's kappa, plain and quadratic, and macro F1."""
    table = _table(pairs, size)
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
    total, span = sum(rows), range(size)
    f1 = [_quotient(2 * table[c][c], rows[c] + columns[c]) for c in span]
    used = [each for each in f1 if each is not None]

    def kappa(power: int) -> float | None:
        apart = [(r, c, abs(r - c) ** power if power else int(r != c)) for r in span for c in span]
        observed = sum(table[r][c] * distance for r, c, distance in apart)
        expected = sum(rows[r] * columns[c] * distance for r, c, distance in apart)
        share = _quotient(total * observed, expected)
        return None if share is None else 1 - share

    return {
        "accuracy": _quotient(sum(table[c][c] for c in span), total),
        "kappa": kappa(0),
        "kappa_quadratic": kappa(2),
        "macro_f1": _quotient(sum(used), len(used)),
    }


def detection(pairs: Sequence[Pair]) -> Figures:
    """Return counts, precision, recall, F1, MCC and balanced accuracy of pairs of 0 and 1."""
    counts = Counter((truth, judged) for truth, judged, _ in pairs)
    (tn, fp), (fn, tp) = _table(pairs, 2)
    recall, specificity = _quotient(tp, tp + fn), _quotient(tn, tn + fp)
    margins = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return {
        "tp": counts[1, 1],
        "fp": counts[0, 1],
        "fn": counts[1, 0],
        "tn": counts[0, 0],
        "precision": _quotient(tp, tp + fp),
        "recall": recall,
        "f1": _quotient(2 * tp, 2 * tp + fp + fn),
        "mcc": (tp * tn - fp * fn) / math.sqrt(margins) if margins else None,
        "balanced_accuracy": None if recall is None or specificity is None else (recall + specificity) / 2,
    }


def _hits(labels: JudgeLabels, key: str, pairs: Sequence[tuple[Item, str, str]]) -> list[Pair]:
    """Return whether people and judge find each item positive: by a measure, or any problem."""
    study = labels.study
    measure = next((measure for measure in study.measures if measure.key == key), None)
    if measure is None:
        problems = _problem_labels(study)
        return [(int(a in problems), int(b in problems), labels.weight(item)) for item, a, b in pairs]
    hits = []
    for item in labels.people:
        truth, judged = _majority_hit(labels, measure, item), _hit(measure, labels.judge.get(item))
        if truth is not None and judged is not None:
            hits.append((truth, judged, labels.weight(item)))
    return hits


def _problem_labels(study: Study) -> set[str]:
    return {
        option["key"]
        for question in study.protocol["questions"]
        for option in question.get("options", ())
        if option.get("tone") in PROBLEMS
    }


def _hit(measure: Ratio, row: Row | None) -> int | None:
    """Return whether a measure counts an answer; None outside its denominator."""
    return None if row is None or not holds(measure.among, row) else int(holds(measure.counts, row))


def _majority_hit(labels: JudgeLabels, measure: Ratio, item: Item) -> int | None:
    """Return what most ratings with the reference label say; of a tie of labels, what the adjudication says."""
    if labels.is_tied(item):
        return _hit(measure, labels.adjudicated.get(item))
    reference = labels.reference[item]
    votes = [_hit(measure, row) for row in labels.people[item] if reference and labels.label(row) == reference]
    yes, no = votes.count(1), votes.count(0)
    return None if yes == no else int(yes > no)


def _ceiling(labels: JudgeLabels) -> Figures:
    """Return people and judge against the majority of the other raters, rating by rating."""
    people, judge, items = [], [], set()
    for item, rows in labels.people.items():
        judged = labels.label(labels.judge.get(item))
        counts = labels.counts(item)
        for own in filter(None, map(labels.label, rows)):
            others = counts - Counter([own])
            most = max(others.values(), default=0)
            leading = [label for label, n in others.items() if n == most]
            if judged is not None and len(leading) == 1:
                items.add(item)
                people.append((item, leading[0], own))
                judge.append((item, leading[0], judged))
    size = len(labels.options)
    return {
        "items": len(items),
        "ratings": len(people),
        "people": agreement(labels.numbered(people), size),
        "judge": agreement(labels.numbered(judge), size),
    }


def _calibration(labels: JudgeLabels, pairs: Sequence[tuple[Item, str, str]]) -> Figures:
    """Return expected calibration error and Brier score, over ten bins of the confidence."""
    verdicts = [
        (float(labels.judge[item]["confidence"]), int(truth == judged), labels.weight(item))
        for item, truth, judged in pairs
        if labels.judge[item]["confidence"]
    ]
    total = sum(weight for *_, weight in verdicts)
    by_bin: dict[int, list[tuple[float, int, float]]] = defaultdict(list)
    for verdict in verdicts:
        by_bin[min(BINS - 1, math.floor(verdict[0] * BINS))].append(verdict)
    gaps = [abs(sum(weight * (right - confidence) for confidence, right, weight in rows)) for rows in by_bin.values()]
    squares = sum(weight * (confidence - right) ** 2 for confidence, right, weight in verdicts)
    return {"n": len(verdicts), "ece": _quotient(sum(gaps), total), "brier": _quotient(squares, total)}


def _quotient(a: float, b: float) -> float | None:
    return a / b if b else None
