"""The gold cases `judge_vs_human` of ../shared/stats, pushed through the product: ratings of people and a judge in, the
JSON of `compare_judge` out.

Collected only where the gold file is.
"""

import json

import pytest

from tests.gold_cases.cases import answers, of_kind
from tests.management.command_runs import run
from tests.reporting.project_rows import Row, judge_items, project_of

pytestmark = pytest.mark.django_db

OPTIONS = {"yes": "accurate", "no": "inaccurate"}
"""The cases with other labels: kappa, macro F1 and detection do not depend on the names."""
FIGURES = {
    "accuracy": "accuracy", "cohen_kappa": "kappa", "cohen_kappa_quadratic": "kappa_quadratic", "macro_f1": "macro_f1"
}  # fmt: skip


@pytest.mark.parametrize("case", of_kind("judge_vs_human"))
def test_compare_judge_has_the_expected_figures(capsys, case):
    human, judged = ([OPTIONS.get(label, label) for label in case["input"][side]] for side in ("human", "judge"))
    project = project_of(
        Row(f"q{n % 40:02}", "heron", "ravi", answers(label, None), n) for n, label in enumerate(human)
    )
    judge_items(project, {(f"q{n % 40:02}.heron", n): answers(label, None) for n, label in enumerate(judged)})
    code, out, _ = run(capsys, "compare_judge", "j", "--project", "june", "--json")
    figures, expected = json.loads(out), case["expected"]
    assert (code, figures["items"]) == (0, len(human))
    places = [figures["labels"].index(OPTIONS.get(label, label)) for label in case["params"]["labels"]]
    table = [[figures["confusion"][row][column] for column in places] for row in places]
    assert table == expected["confusion_rows_human_cols_judge"]
    for name, key in FIGURES.items():
        assert figures[key] == pytest.approx(expected[name], abs=case["abs_tol"])
    positive = [OPTIONS.get(label, label) for label in case["params"]["positive_labels"]]
    if positive != ["accurate"]:  # a measure of which more is better has no detection
        detection = figures["detection"]["inaccurate" if positive == ["inaccurate"] else "any_problem"]
        computed = {name: detection[name] for name in expected["positive"]}
        assert computed == pytest.approx(expected["positive"], abs=case["abs_tol"])
