"""The words about estimates from people and a judge: the sentence, the notes, the Methods."""

from annotation.protocols import builtin
from annotation.reporting.methods.references import cited
from annotation.reporting.sections.hybrid.figures import Hybrid, HybridMeasure, HybridSystem, PeopleAlone
from annotation.reporting.sections.hybrid.tables import hybrid_methods, hybrid_note, hybrid_sentences, with_half_width
from annotation.reporting.text.names import Names
from tests.reporting.report_builders import report

NAMES = Names(builtin()["article-accuracy"])
MEASURE = HybridMeasure(0.874, 0.83, 0.908, 0.7, PeopleAlone(0.869, 0.81, 0.912, 200, 140), 0.921, 1896)


def hybrid_of(measure: HybridMeasure = MEASURE, *, rated: int = 200, **fields) -> Hybrid:
    return Hybrid(judge="J", version=1, overall=HybridSystem(None, 1900, 200, rated, {"accurate": measure}), **fields)


def test_the_sentence_has_every_figure_and_a_dash_for_what_is_undefined():
    assert list(hybrid_sentences(report(hybrid=hybrid_of()), NAMES)) == [
        "Accurate: 87.4 ± 3.9 %, from 200 ratings of people in 140 prompts and judge J on 1,896 sentences; people "
        "alone 86.9 ± 5.1 %; the judge alone 92.1 % (not an estimate)."
    ]
    assert with_half_width(PeopleAlone(0.5, None, None, 4, 2)) == "50.0 %"
    assert with_half_width(PeopleAlone(None, None, None, 0, 0)) == "–"


def test_the_note_states_an_unfinished_sample_and_ratings_that_are_not_used():
    finished = hybrid_note(report(hybrid=hybrid_of()), NAMES)
    assert "No interval where fewer than 10 prompts have an assessed rating." in finished
    assert "random part" not in finished and "was shown" not in finished
    unfinished = hybrid_note(report(hybrid=hybrid_of(rated=150, verdict_shown=1)), NAMES)
    assert "Of 200 sentences in the sample, 150 have a rating" in unfinished
    seen = (
        "1 rating is not used here, because a verdict was shown to its rater before. The estimates assume that which "
        "ratings"
    )
    assert seen in unfinished
    assert seen in hybrid_methods(report(hybrid=hybrid_of(rated=150, verdict_shown=1)), NAMES)


def test_note_and_methods_state_model_reason_and_procedure():
    named = report(hybrid=hybrid_of(returned_model="large-2026", fingerprints={"fp_1": 1_890, "fp_2": 6}))
    words = (
        "The endpoint of judge J answered as model large-2026. "
        "System fingerprints of its verdicts: fp_1 × 1,890, fp_2 × 6."
    )
    assert words in hybrid_note(named, NAMES) and words in hybrid_methods(named, NAMES)
    assert "answered as" not in hybrid_note(report(hybrid=hybrid_of()), NAMES)
    without = report(hybrid=Hybrid(judge="J", version=1, reason="no sample was drawn"))
    assert hybrid_note(without, NAMES) == "No estimates with judge J: no sample was drawn."
    assert (hybrid_methods(without, NAMES), list(hybrid_sentences(without, NAMES))) == ("", [])
    assert (hybrid_methods(report(), NAMES), hybrid_note(report(), NAMES)) == ("", "")
    text = hybrid_methods(report(hybrid=hybrid_of()), NAMES)
    assert [reference.key for reference in cited(text)] == ["angelopoulos2023", "korn1998", "zrnic2024"]
    assert "Accurate: 87.4 ± 3.9 %" in text
