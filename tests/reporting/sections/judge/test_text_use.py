"""What a judge is good for: each rule by figures of either side of its bound."""

import msgspec
import pytest

from annotation.protocols import loading
from annotation.reporting.sections.judge.figures import (
    AlternativeAnnotator,
    DetectionFigures,
    HumanCeiling,
    JudgeAgainstPeople,
    JudgeCalibration,
    LabelFigures,
)
from annotation.reporting.sections.judge.text import FEW_UNITS, ONE_ANSWER, judge_use
from annotation.reporting.text.names import Names


def figures(bounds=(0.6, 0.8)):
    intervals = {"kappa": bounds, "accuracy": None}
    return LabelFigures(accuracy=0.9, kappa=0.7, kappa_quadratic=0.7, macro_f1=0.8, intervals=intervals)


def judge(
    *, test=True, recall=(0.8, 0.95), precision=(0.85, 0.97), kappa=(0.6, 0.8), confidences=200, ece=0.1, **other
) -> JudgeAgainstPeople:
    """Return figures of a judge that is good for everything, with other ones where given."""
    found = DetectionFigures(
        tp=90, fp=9, fn=10, tn=300, precision=0.91, recall=0.9, f1=0.9, mcc=0.8, balanced_accuracy=0.9,
        intervals={"recall": recall, "precision": precision},
    )  # fmt: skip
    comparison = JudgeAgainstPeople(
        judge="j@1", version=1, items=409, verdicts=409, left_out={}, excluded={}, notes=[],
        majority=figures(kappa), detection={"inaccurate": found},
        human_ceiling=HumanCeiling(409, 818, figures(), figures()),
        alternative_annotator=AlternativeAnnotator(0.15, 3, 1 if test is None else 2, 2 / 3, 0.9, test),
        calibration=JudgeCalibration(confidences, ece, 0.2, 0.1, []),
    )  # fmt: skip
    return msgspec.structs.replace(comparison, **other)


def use(**other) -> list[str]:
    return judge_use(judge(**other), Names(loading.builtin()["article-accuracy"]))


def test_a_judge_that_is_good_for_everything():
    assert use() == [
        "In place of a rater: yes, it may stand in for one of several raters. It passed the alternative annotator test "
        "(winning rate 66.7 % over 2 raters).",
        "Inaccurate: it finds at least 80 % of these sentences (recall 90.0 % [80.0 – 95.0]).",
        "Inaccurate: at least 80 % of the sentences that it flags are right (precision 91.0 % [85.0 – 97.0]).",
        "For estimates: yes, together with people’s ratings of a drawn sample, which correct its errors. It agrees "
        "with people more than by chance (kappa .70 [.60, .80]).",
        "Confidence: calibrated. It is about how often the judge is right (expected calibration error .100).",
    ]


@pytest.mark.parametrize(
    ("other", "position", "begin"),
    [
        ({"test": False}, 0, "In place of a rater: no. It did not pass"),
        ({"test": None}, 0, "In place of a rater: the data are too few to say."),
        ({"recall": (0.5, 0.79)}, 1, "Inaccurate: it finds fewer than 80 % of these sentences"),
        ({"recall": (0.79, 0.95)}, 1, "Inaccurate: the data are too few to say whether it finds 80 %"),
        ({"recall": None}, 1, "Inaccurate: the data are too few to say whether it finds 80 %"),
        ({"precision": (0.5, 0.79)}, 2, "Inaccurate: fewer than 80 % of the sentences that it flags are right"),
        ({"precision": (0.5, 0.8)}, 2, "Inaccurate: the data are too few to say whether 80 % of the sentences"),
        ({"test": False}, 3, "For estimates: use it for nothing else than estimates from people and judge"),
        ({"test": None}, 3, "For estimates: use it for nothing else than estimates from people and judge"),
        ({"kappa": (-0.01, 0.8)}, 3, "For estimates: no. It is not shown that it agrees"),
        ({"kappa": None}, 3, "For estimates: no. It is not shown that it agrees"),
        ({"ece": 0.11}, 4, "Confidence: not calibrated (expected calibration error .110)."),
        ({"confidences": 199}, 4,
         "Confidence: the data are too few to say whether it is calibrated. Items with one: 199;"),
        ({"confidences": 0, "ece": None}, 4, "Confidence: its verdicts have none."),
    ],
)  # fmt: skip
def test_each_rule_changes_its_sentence_only(other, position, begin):
    sentences = use(**other)
    assert len(sentences) == 5 and sentences[position].startswith(begin)


@pytest.mark.parametrize(
    ("other", "begin"),
    [
        ({"notes": [ONE_ANSWER, FEW_UNITS]}, "The data are too few to say what this judge is good for:"),
        ({"notes": [ONE_ANSWER]}, "Do not use this judge: it gives (nearly) the same answer to everything."),
        ({"items": 0}, "Nothing can be said about its use:"),
    ],
)
def test_without_enough_data_there_is_one_sentence(other, begin):
    [sentence] = use(**other)
    assert sentence.startswith(begin)
