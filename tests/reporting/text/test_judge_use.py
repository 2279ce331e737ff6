"""What a judge is good for: each rule by figures of either side of its bound."""

from dataclasses import dataclass

import msgspec
import pytest
from django.utils.translation import override

from annotation.protocols import loading
from annotation.reporting.report_parts.judge_comparison import (
    AlternativeAnnotator,
    DetectionFigures,
    HumanCeiling,
    JudgeCalibration,
    LabelFigures,
)
from annotation.reporting.report_parts.judge_summary import JudgeAgainstPeople
from annotation.reporting.text.judge_use import judge_use
from annotation.reporting.text.judge_warnings import FEW_UNITS, ONE_ANSWER
from annotation.reporting.text.names import Names


def figures(kappa=0.7, bounds=(0.6, 0.8)):
    return LabelFigures(
        accuracy=0.9, kappa=kappa, kappa_quadratic=kappa, macro_f1=0.8, intervals={"kappa": bounds, "accuracy": None}
    )


@dataclass
class Study:
    """Figures of a judge that is good for everything, with other ones where given."""

    test: bool | None = True
    recall: tuple[float, float] | None = (0.8, 0.95)
    precision: tuple[float, float] | None = (0.85, 0.97)
    kappa: tuple[float, float] | None = (0.6, 0.8)
    confidences: int = 200
    ece: float | None = 0.1

    def comparison(self) -> JudgeAgainstPeople:
        found = DetectionFigures(
            tp=90, fp=9, fn=10, tn=300, precision=0.91, recall=0.9, f1=0.9, mcc=0.8, balanced_accuracy=0.9,
            intervals={"recall": self.recall, "precision": self.precision},
        )  # fmt: skip
        return JudgeAgainstPeople(
            judge="j@1", version=1, items=409, verdicts=409, left_out={}, excluded={}, notes=[],
            majority=figures(bounds=self.kappa), detection={"inaccurate": found},
            human_ceiling=HumanCeiling(409, 818, figures(), figures()),
            alternative_annotator=AlternativeAnnotator(0.15, 3, 1 if self.test is None else 2, 2 / 3, 0.9, self.test),
            calibration=JudgeCalibration(self.confidences, self.ece, 0.2, 0.1, []),
        )  # fmt: skip


def use(comparison: JudgeAgainstPeople) -> list[str]:
    return judge_use(comparison, Names(loading.builtin()["article-accuracy"]))


def test_a_judge_that_is_good_for_everything():
    assert use(Study().comparison()) == [
        "In place of a rater: yes, it may stand in for one of several raters. It passed the alternative annotator test "
        "(winning rate 66.7 % over 2 raters).",
        "Inaccurate: it finds at least 80 % of these sentences (recall 90.0 % [80.0 – 95.0]).",
        "Inaccurate: at least 80 % of the sentences that it flags are right (precision 91.0 % [85.0 – 97.0]).",
        "For estimates: yes, together with people’s ratings of a drawn sample, which correct its errors. It agrees "
        "with people more than by chance (kappa .70 [.60, .80]).",
        "Confidence: calibrated. It is about how often the judge is right (expected calibration error .100).",
    ]


@pytest.mark.parametrize(
    ("study", "position", "begin"),
    [
        (Study(test=False), 0, "In place of a rater: no. It did not pass"),
        (Study(test=None), 0, "In place of a rater: the data are too few to say."),
        (Study(recall=(0.5, 0.79)), 1, "Inaccurate: it finds fewer than 80 % of these sentences"),
        (Study(recall=(0.79, 0.95)), 1, "Inaccurate: the data are too few to say whether it finds 80 %"),
        (Study(recall=None), 1, "Inaccurate: the data are too few to say whether it finds 80 %"),
        (Study(precision=(0.5, 0.79)), 2, "Inaccurate: fewer than 80 % of the sentences that it flags are right"),
        (Study(precision=(0.5, 0.8)), 2, "Inaccurate: the data are too few to say whether 80 % of the sentences"),
        (Study(test=False), 3, "For estimates: use it for nothing else than estimates from people and judge"),
        (Study(test=None), 3, "For estimates: use it for nothing else than estimates from people and judge"),
        (Study(kappa=(-0.01, 0.8)), 3, "For estimates: no. It is not shown that it agrees"),
        (Study(kappa=None), 3, "For estimates: no. It is not shown that it agrees"),
        (Study(ece=0.11), 4, "Confidence: not calibrated (expected calibration error .110)."),
        (
            Study(confidences=199),
            4,
            "Confidence: the data are too few to say whether it is calibrated. Items with one: 199;",
        ),
        (Study(confidences=0, ece=None), 4, "Confidence: its verdicts have none."),
    ],
)
def test_each_rule_changes_its_sentence_only(study, position, begin):
    sentences = use(study.comparison())
    assert len(sentences) == 5 and sentences[position].startswith(begin)


def test_without_enough_data_there_is_one_sentence_and_all_are_in_the_readers_language():
    comparison = Study().comparison()
    both = msgspec.structs.replace(comparison, notes=[ONE_ANSWER, FEW_UNITS])
    assert [sentence.split(":")[0] for sentence in use(both)] == [
        "The data are too few to say what this judge is good for"
    ]
    one = msgspec.structs.replace(comparison, notes=[ONE_ANSWER])
    assert use(one) == ["Do not use this judge: it gives (nearly) the same answer to everything."]
    nothing = msgspec.structs.replace(comparison, items=0, notes=[])
    assert [sentence.split(":")[0] for sentence in use(nothing)] == ["Nothing can be said about its use"]
    with override("es"):
        sentences = use(Study().comparison())
    assert sentences[0].startswith("En lugar de un evaluador: sí") and "90,0 %" in sentences[1]
