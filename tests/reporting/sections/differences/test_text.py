"""What differs between the test of a difference and that of the crossed model, where both stand in a report."""

from msgspec.structs import replace

from annotation.reporting.report import Report
from annotation.reporting.sections.crossed_models.figures import CrossedModel, OddsRatio, VarianceComponent
from annotation.reporting.sections.differences.text import two_tests
from annotation.reporting.text.names import Names
from tests.reporting.report_builders import comparison, report

RATERS = VarianceComponent("rater", 3, 0.2)


def model(p: float, variance: float = 0.4) -> CrossedModel:
    components = [VarianceComponent("item", 300, variance), VarianceComponent("document", 20, 0.2)]
    return CrossedModel(
        measure="accurate", ratings=900, status="fitted", log_likelihood=-20.0, components=components, marginal=[],
        odds_ratios=[OddsRatio("a", "b", 2.1, 1.4, 3.2, p, p)],
    )  # fmt: skip


def both(p_of_difference: float | None, p_of_model: float, **options) -> Report:
    row = comparison(p=p_of_difference, p_holm=p_of_difference)
    return replace(report(comparisons=[row], cluster="document"), crossed_models=[model(p_of_model, **options)])


def said(found: Report) -> str:
    names = Names(None)
    return two_tests(found, names, names.measure)


def test_pairs_are_named_that_one_test_alone_finds():
    text = said(both(0.335, 0.0002))
    assert "weights all ratings alike, so that long responses and documents count more" in text
    assert "its sampling unit is the document, and its raters are fixed" in text
    assert "holds systems fixed, and has random effects of items and documents" in text
    assert "in only one of the two: Accurate, a / b (difference: p = .335; model: p < .001). Report the test" in text
    assert "in only one of the two: Accurate, a / b (difference: p = .012; model: p = .200)." in said(both(0.012, 0.2))
    text = said(both(0.01, 0.0002))
    assert "answer different questions" in text and "only one" not in text
    assert said(report(comparisons=[comparison(p_holm=0.3)])) == ""
    assert said(both(None, 0.01)) == ""
    assert said(both(0.335, 0.0002, variance=67.6)) == ""
    few = replace(both(0.335, 0.0002), crossed_models=[replace(model(0.0002), components=[RATERS])])
    assert "has random effects of raters. Significant" in said(few)
