"""The Methods say who judged what with the right words and numbers, whatever was judged and by whom."""

import dataclasses
import re

import pytest
from msgspec.structs import replace

from annotation.models import Item, Project, Rating, Response
from annotation.reporting import Choices, build
from annotation.reporting.methods.paragraphs import methods_of
from annotation.reporting.methods.references import bibtex
from annotation.reporting.parts import BoundedShare
from annotation.reporting.report import Report
from annotation.reporting.sections.crossed_models.figures import CrossedModel, OddsRatio, VarianceComponent
from annotation.reporting.text.names import Names
from tests.cast import ACCURATE, SEVERE, article_accuracy, person, which_is_better
from tests.reporting.project_rows import NOON, Row, project_of, store_rating

pytestmark = pytest.mark.django_db

FIRST, SECOND = {"better": "first"}, {"better": "second"}


def paragraph(project: Project, **choices) -> str:
    report = build(project, Choices(resamples=100, **choices))
    return " ".join(one.text for one in methods_of(report, Names(project.protocol.definition)).paragraphs)


@pytest.mark.parametrize(
    ("unit", "systems", "answers", "said"),
    [
        pytest.param(
            "pair", ("heron", "tern"),
            [(name, FIRST, f"q{n}.heron", f"q{n}.tern") for name in ("ravi", "rosa") for n in range(2)],
            "2 raters judged 2 pairs of responses by 1 pair of systems to 2 prompts: 4 ratings, 2 for each pair.",
            id="pairs",
        ),
        pytest.param(
            "pair", ("heron", "tern", "wren"),
            [("ravi", FIRST, "q0.heron", "q0.tern"), ("ravi", SECOND, "q1.tern", "q1.heron"),
             ("ravi", SECOND, "q1.tern", "q1.wren")],
            "1 rater judged 3 pairs of responses by 2 pairs of systems to 2 prompts: 3 ratings, 1 for each pair.",
            id="a pair of systems in both orders is one",
        ),
        pytest.param(
            "response", ("heron",),
            [("ravi", FIRST, "q0.heron"), ("rosa", FIRST, "q0.heron"), ("rosa", FIRST, "q1.heron")],
            "2 raters judged 2 responses by 1 system to 2 prompts: 3 ratings, on average 1.5 for each response.",
            id="whole responses",
        ),
    ],
)  # fmt: skip
def test_what_was_judged_is_named_by_its_unit(unit, systems, answers, said):
    project = project_of(Row(f"q{n}", system, "ravi", ACCURATE) for n in range(2) for system in systems)
    Rating.objects.all().delete()
    project.protocol = which_is_better(unit)
    project.save()
    for name, choices, *keys in answers:
        response, against = (*(Response.objects.get(key=key) for key in keys), None)[:2]
        item, _ = Item.objects.get_or_create(response=response, against=against, unit=unit, defaults={"position": 0})
        Rating.objects.create(
            project=project, item=item, rater=person(name), answers=choices, choices=choices, counted=True,
            rated_at=NOON,
        )  # fmt: skip
    text = paragraph(project)
    assert text.startswith(said)
    assert unit == "response" or "with responses weighted equally" not in text


def test_adjudications_are_not_said_to_be_the_raters():
    said = {"ravi": ACCURATE, "rosa": SEVERE}
    project = project_of(Row("q1", "heron", name, said[name], n) for n in (0, 1) for name in said)
    by_raters = "2 raters judged 2 sentences of 1 response by 1 system to 1 prompt: 4 ratings"
    judged = "2 sentences of 1 response by 1 system to 1 prompt were judged: "
    assert paragraph(project, answers="adjudicated").startswith(by_raters)
    store_rating(project, "adjudicator", "lena", ACCURATE)
    one = "1 by 2 raters (2 ratings, 2 for each sentence) and 1 by adjudication (1 rating)."
    assert paragraph(project, answers="adjudicated").startswith(judged + one)
    assert paragraph(project).startswith(by_raters)
    second = Item.objects.get(response__key="q1.heron", position=1)
    Rating.objects.create(
        project=project, item=second, rater=person("lena"), role="adjudicator", answers=SEVERE, choices=SEVERE,
        rated_at=NOON,
    )  # fmt: skip
    assert paragraph(project, answers="adjudicated").startswith(f"{judged}2 by adjudication (1 rating each).")


def on_prompts(prompts: int, *systems: str, slug: str = "june") -> Project:
    """Let Ravi and Rosa rate one sentence of each system on each prompt; they differ on every third one."""
    rows = [
        Row(f"q{n:02}", system, rater, SEVERE if rater == "rosa" and (n + index) % 3 == 0 else ACCURATE)
        for n in range(prompts)
        for index, system in enumerate(systems)
        for rater in ("ravi", "rosa")
    ]
    return project_of(rows, slug)


HOLM = "by Holm’s method (Holm, 1979); the family is the 3 pairs of systems of a measure, separately for each measure."


@pytest.mark.parametrize(
    ("prompts", "systems", "said", "not_said"),
    [
        (3, ["heron"], [], ["seed", "as fixed"]),
        (3, ["heron", "tern"], ["With 3 prompts, no p below .250 is possible"], []),
        (12, ["heron"], [
            "on the answers Accurate, Disputed, Unsupported or Inaccurate, raters agreed in 66.7 % of pairs",
        ], ["MOVER"]),
        (12, ["heron", "tern"], ["exact permutation test"], ["BCa", "resamples"]),  # ranks on request alone
        (12, ["heron", "tern", "wren"], [HOLM], []),
        (20, ["heron", "tern"], ["100 random swaps", "Random swaps were drawn with seed 7."], []),
    ],
)  # fmt: skip
def test_what_was_computed_is_said_with_its_conditions(prompts, systems, said, not_said):
    text = paragraph(on_prompts(prompts, *systems), seed=7)
    assert [part for part in said if part not in text] == [part for part in not_said if part in text] == []
    assert text.count("Krippendorff’s ordinal alpha") == 1


@pytest.fixture(scope="module")
def report(module_rows: None) -> Report:
    return build(on_prompts(12, "heron", "tern", slug="both"), Choices(resamples=100), agreement_intervals=True)


def of_report(report: Report) -> dict[str, str]:
    return {one.title: one.text for one in methods_of(report, Names(article_accuracy().definition)).paragraphs}


def test_the_source_of_mover_is_cited_where_a_system_is_always_right():
    wrong = {f"q{n:02}.tern" for n in range(3)}
    rows = [Row(f"q{n:02}", system, "ravi", ACCURATE) for n in range(12) for system in ("heron", "tern")]
    rows = [dataclasses.replace(row, answers=SEVERE) if row.response_key in wrong else row for row in rows]
    report = build(project_of(rows), Choices(resamples=100))
    assert report.comparisons[0].method == "mover"
    assert "For MOVER see Zou and Donner, 2008." in of_report(report)["Inference"]


def test_raters_with_an_alert_items_not_rated_and_options_with_a_definition_are_named(report):
    gold = BoundedShare(value=0.5, k=5, n=10, low=0.2, high=0.8)
    first, second = report.raters
    raters = [replace(first, flags=["strict"], gold=gold), replace(second, gold=replace(gold, k=9, value=0.9))]
    text = of_report(replace(report, raters=raters))["Agreement"]
    assert "2 raters with gold answers gave the gold answer in 70.0 % of 20, from 50.0 % to 90.0 % each." in text
    assert text.endswith(f"Quality alert: {first.rater} (strict).")
    report = replace(report, data=replace(report.data, skipped={"question": 3, "courtesy": 1}))
    marked = "Not rated: 4 sentences marked by their wording as likely free of claims (question 3 and courtesy 1)."
    assert marked in of_report(report)["Design"]
    protocol = article_accuracy().definition
    severity = protocol.question("severity")
    severe = dataclasses.replace(severity.options[0], definition="It misleads the reader.")
    defined = dataclasses.replace(severity, options=(severe, *severity.options[1:]))
    questions = tuple(defined if one is severity else one for one in protocol.questions)
    text = methods_of(report, Names(dataclasses.replace(protocol, questions=questions))).paragraphs[0].text
    assert "answered Severe or Not Severe. Definitions: Severe: It misleads the reader." in text


ODDS = OddsRatio("heron", "tern", 2.104, 1.2, 3.7, 0.009, 0.009)


def crossed(*components: VarianceComponent, **fields) -> CrossedModel:
    usual = {"measure": "accurate", "ratings": 48, "status": "fitted", "log_likelihood": -20.0, "marginal": []}
    return CrossedModel(**(usual | {"components": list(components), "odds_ratios": []} | fields))


PROMPT, DOCUMENT = VarianceComponent("prompt", 12, 0.4), VarianceComponent("document", 12, 0.1)
CROSSED = {
    "with odds ratios": (
        crossed(PROMPT, VarianceComponent("rater", 2, 0.1), odds_ratios=[ODDS]),
        "(Baayen et al., 2008; systems fixed, prompts and raters random; Laplace approximation)",
        "Its odds ratios, with p adjusted by Holm’s method over the pairs of a measure: accurate, heron to tern 2.10 "
        "[1.20, 3.70] (p = .009).",
        "Laplace approximation) generalizes to raters and prompts, if these",
        "The crossed model was not fitted for inaccurate, because all or none of the ratings of a system count, so its "
        "odds cannot be estimated.",
    ),
    "without raters": (
        crossed(VarianceComponent("response", 48, 0.4), DOCUMENT, dropped={"rater": "one level"}),
        "responses and documents random; Laplace approximation) generalizes to documents, if these",
    ),
    "of majorities": (
        crossed(
            VarianceComponent("response", 24, 0.4), PROMPT, fitted_to="majorities", undecided=1, odds_ratios=[ODDS]
        ),
        "responses and prompts random; Laplace approximation) generalizes to prompts, if these",
        "The model of accurate has one answer per sentence, the majority of raters (48 sentences, 1 tie excluded), "
        "because the likelihood of single ratings cannot be estimated by the Laplace approximation (its variance "
        "between sentences is above 16 or without limit). It is about prompts like these, not about raters in general.",
        "accurate (majority of raters), heron to tern 2.10 [1.20, 3.70] (p = .009)",
    ),
    "singular": (
        crossed(VarianceComponent("response", 48, 0.0, singular=True), status="singular"),
        "The fit for accurate is singular: the variance between responses is estimated as 0.",
    ),
    "unreliable": (
        crossed(VarianceComponent("item", 48, 90.5), odds_ratios=[ODDS]),
        "For accurate, a variance is so large that the model is not reliable, so its figures are omitted here.",
    ),
}


@pytest.mark.parametrize("kind", CROSSED)
def test_a_crossed_model_is_stated(report, kind):
    model, *said = CROSSED[kind]
    failed = crossed(measure="inaccurate", ratings=0, status="not fitted", reason="separation", log_likelihood=None)
    text = of_report(replace(report, crossed_models=[model, failed]))["Sensitivity"]
    assert [part for part in said if part not in text] == []
    assert kind != "without raters" or "raters in general" not in text
    assert kind != "unreliable" or "2.10" not in text


def test_older_reports_are_described_as_computed_with_the_references_that_are_cited(report):
    older = replace(report, inference=None, raters=None, sensitivity=None, aggregations=None, crossed_models=None)
    texts = of_report(older)
    assert "The test statistic is the difference of the two proportions." in texts["Inference"]
    assert "rule" not in texts["Inference"] and "alert" not in texts["Agreement"] and "Sensitivity" not in texts
    methods = methods_of(report, Names(article_accuracy().definition))
    keys = [one.key for one in methods.references]
    assert {"harris2020", "chung2013", "gwet2008", "hayes2007", "korn1998"} <= set(keys)
    assert "efron1987" not in keys and "holm1979" not in keys and "baayen2008" not in keys
    assert keys == re.findall(r"@article{(\w+),", bibtex(methods.references))
