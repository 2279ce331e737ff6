"""Every gold case, whole numbers and labels exact, other numbers within the case's tolerance.

Each kind has one function that feeds the case's input to the public functions and returns what the case expects;
`check_equal` then compares the whole tree.
"""

import json
import math
import re
from collections import defaultdict
from functools import partial

import numpy as np
import pytest

from annotation.stats import agreement as agreeing
from annotation.stats import bootstrap, comparisons, correlation, intervals, label_comparison, planning
from annotation.stats.dawid_skene import dawid_skene
from annotation.stats.proportions import cluster_counts, count_table, ratio, share
from annotation.stats.quantiles import t_quantile, two_sided
from tests.gold_cases.files import STATISTICS
from tests.stats.clusters import paired_difference as one_difference
from tests.stats.clusters import resamples_of

FILE = json.loads(STATISTICS.read_text())
CASES = {case["id"]: case for case in FILE["cases"]}
OPTIONS = FILE["options"]
MEASURES = {
    "accurate": lambda row: row["q1"] == "accurate",
    "inaccurate": lambda row: row["q1"] == "inaccurate",
    "severely_inaccurate": lambda row: row["q1"] == "inaccurate" and row["q2"] == "severe",
}


NOT_COMPUTED = {"low_logit_t", "high_logit_t", "low_wilson_eff", "high_wilson_eff", "benjamini_hochberg"}
"""Figures of the cases that the product does not report."""


def reported(expected):
    """Return the expected figures without those that are not computed."""
    if not isinstance(expected, dict):
        return expected
    return {key: reported(part) for key, part in expected.items() if key not in NOT_COMPUTED}


def check_equal(computed, expected, tolerance, path):
    if isinstance(expected, dict):
        assert isinstance(computed, dict) and set(computed) == set(expected), path
        for key, part in expected.items():
            check_equal(computed[key], part, tolerance, f"{path}.{key}")
    elif isinstance(expected, list):
        assert len(computed) == len(expected), path
        for index, part in enumerate(expected):
            check_equal(computed[index], part, tolerance, f"{path}[{index}]")
    elif isinstance(expected, float) and not isinstance(computed, bool):
        assert computed is not None and abs(computed - expected) <= tolerance, f"{path}: {computed} is not {expected}"
    elif isinstance(expected, int) and isinstance(computed, float):
        assert abs(computed - expected) <= tolerance, f"{path}: {computed} is not {expected}"
    else:
        assert computed == expected and type(computed) is type(expected), f"{path}: {computed!r} is not {expected!r}"


def ratings_of(case):
    return case["input"].get("ratings") or CASES[case["input"]["ratings_of_case"]]["input"]["ratings"]


def assessed(rows):
    return [row for row in rows if row["q1"] != "cannot_assess"]


def in_number_order(names):
    return sorted(set(names), key=lambda name: (int((re.findall(r"\d+", name) or ["0"])[0]), name))


def index_of(names):
    return {name: index for index, name in enumerate(in_number_order(names))}


def by(rows, *keys):
    groups = defaultdict(list)
    for row in rows:
        groups[tuple(row[key] for key in keys) if len(keys) > 1 else row[keys[0]]].append(row)
    return groups


def counts_over(rows, measure, cluster, index_by_name=None):
    """Return k and n by cluster of a measure, among the assessed ratings."""
    index_by_name = index_by_name or index_of(row[cluster] for row in rows)
    rows_assessed = assessed(rows)
    return cluster_counts(
        [index_by_name[r[cluster]] for r in rows_assessed],
        [MEASURES[measure](r) for r in rows_assessed],
        len(index_by_name),
    )


def bounds(method, case):
    interval = method(case["input"]["k"], case["input"]["n"], case["params"]["level"])
    return {"low": interval.low, "high": interval.high}


def wilson(case):
    return {"estimate": share(case["input"]["k"], case["input"]["n"]), **bounds(intervals.wilson, case)}


def interval_of(estimate, level):
    t = intervals.t_bounds(estimate.value, estimate.se, estimate.clusters, level)
    korn = intervals.korn_graubard(estimate, level)
    same = ("k", "n", "clusters", "se", "deff")
    return {name: getattr(estimate, name) for name in same} | {
        "estimate": estimate.value,
        "icc_anova": estimate.icc,
        "low_t": t.low,
        "high_t": t.high,
        "t_quantile": t_quantile(two_sided(level), estimate.clusters - 1),
        "n_effective": intervals.effective_n(estimate, level),
        "low_korn_graubard": korn.low,
        "high_korn_graubard": korn.high,
    }


def cluster_interval(case):
    systems = by(ratings_of(case), "system")
    computed = {}
    for name, expected in case["expected"].items():
        system, measure = name.split("/")
        estimate = ratio(*counts_over(systems[system], measure, "question"))
        values = interval_of(estimate, case["params"]["level"])
        computed[name] = {key: values[key] for key in reported(expected)}  # fewer keys when the estimate is 0 or 1
    return computed


def two_way_cluster(case):
    computed = {}
    for system, rows in by(assessed(ratings_of(case)), "system").items():
        prompts, raters = index_of(r["question"] for r in rows), index_of(r["rater"] for r in rows)
        hits = [MEASURES[case["params"]["measure"]](row) for row in rows]
        of_prompt, of_rater = [prompts[row["question"]] for row in rows], [raters[row["rater"]] for row in rows]
        both = [prompt * len(raters) + rater for prompt, rater in zip(of_prompt, of_rater, strict=True)]
        by_prompt, by_rater, by_both = (
            ratio(*cluster_counts(groups, hits, max(groups) + 1)) for groups in (of_prompt, of_rater, both)
        )
        variances = [estimate.se**2 for estimate in (by_prompt, by_rater, by_both)]
        computed[system] = {
            "estimate": by_prompt.value,
            "n": by_prompt.n,
            "questions": by_prompt.clusters,
            "raters": by_rater.clusters,
            **dict(zip(("var_question", "var_rater", "var_intersection"), variances, strict=True)),
            "se": math.sqrt(variances[0] + variances[1] - variances[2]),  # Cameron, Gelbach and Miller 2011
        }
    return computed


def bootstrap_given_resamples(case):
    k, n = case["input"]["k"], case["input"]["n"]
    drawn = bootstrap.replicates(k, n, resamples_of(case["input"]["resamples"], len(k)))[0]
    bounds = bootstrap.percentile(drawn, case["params"]["level"])
    return {
        "estimate": ratio(k, n).value,
        "replicates": drawn.tolist(),
        "se_ddof1": float(np.nanstd(drawn, ddof=1)),
        "low": bounds.low,
        "high": bounds.high,
    }


def monte_carlo(case):
    k, n = (np.array(case["input"][key]) for key in ("k", "n"))
    drawn = bootstrap.replicates(k, n, bootstrap.Resamples(len(k), 4 * case["params"]["min_resamples"]))[0]
    left_out, estimate = bootstrap.left_out(k, n), ratio(k, n).value
    percentile, bca = bootstrap.percentile(drawn), bootstrap.bca(drawn, estimate, left_out)
    return {
        "estimate": estimate,
        "bootstrap_mean": float(np.nanmean(drawn)),
        "se": float(np.nanstd(drawn, ddof=1)),
        "percentile_low": percentile.low,
        "percentile_high": percentile.high,
        "bca_low": bca.low,
        "bca_high": bca.high,
        "bca_z0": bootstrap.bias_correction(drawn, estimate),
        "bca_acceleration": bootstrap.acceleration(left_out),
    }


def paired_difference(case):
    systems, measure = by(ratings_of(case), "system"), case["input"]["measure"]
    a, b = systems[case["input"]["system_a"]], systems[case["input"]["system_b"]]
    index_by_name = index_of(row["question"] for row in a + b)
    counts = [*counts_over(a, measure, "question", index_by_name), *counts_over(b, measure, "question", index_by_name)]
    difference = one_difference(*counts, level=case["params"]["level"], studentized=False)
    common = comparisons.common_clusters(counts[1], counts[3])
    return {
        "questions_in_common": difference.clusters,
        "cluster_counts_ka_na_kb_nb": np.stack(counts, axis=1)[common].tolist(),
        "estimate_a": difference.value_a,
        "estimate_b": difference.value_b,
        "difference": difference.difference,
        "se": difference.se,
        "low_t": difference.low,
        "high_t": difference.high,
        "permutation_p": difference.p,
    }


def agreement(case):
    order = case["params"].get("ordinal_order") or case["params"]["categories"]
    units = case["input"]["units"]
    pairs = [(item, order.index(label)) for item, unit in enumerate(units) for label in unit if label is not None]
    items, clusters = zip(*pairs, strict=True) if pairs else ((), ())
    counts = count_table(items, clusters, (len(units), len(order)))
    scale = order if all(isinstance(label, int) for label in order) else None
    coefficients = agreeing.agreement(counts, ordered=True, values=scale)
    values = {
        "units": int((counts.sum(axis=1) > 0).sum()),
        "units_with_2": coefficients.items,
        "percent_agreement": coefficients.percent,
        "fleiss_kappa": coefficients.fleiss_kappa,
        "gwet_ac1": coefficients.gwet_ac1,
        "brennan_prediger": coefficients.brennan_prediger,
        "krippendorff_nominal": coefficients.krippendorff_alpha,
        "krippendorff_ordinal": coefficients.krippendorff_ordinal,
        "krippendorff_interval": coefficients.krippendorff_interval,
    }
    return {key: values[key] for key in case["expected"]}


def rater_vs_gold(case):
    gold, figures = case["input"]["gold"], {}
    for rater, rows in by(case["input"]["answers"], "rater").items():
        rows = [row for row in rows if row["item"] in gold]
        true = [OPTIONS.index(gold[row["item"]]) for row in rows]
        answers = [OPTIONS.index(row["q1"]) for row in rows]
        table = label_comparison.confusion(true, answers, len(OPTIONS))
        answered, correct = int(table.sum()), int(np.trace(table))
        bounds, binary = (
            intervals.wilson(correct, answered, case["params"]["level"]),
            label_comparison.detection(table, {0}),
        )
        score = {
            "answered": answered,
            "correct": correct,
            "accuracy": share(correct, answered),
            "low": bounds.low,
            "high": bounds.high,
            "accuracy_binary": (binary.tp + binary.tn) / answered,
            "cohen_kappa": label_comparison.match(table).cohen_kappa,
        }
        figures[rater] = {key: score[key] for key in case["expected"][rater]}
    return figures


def fact_qa(case):
    rows = case["input"]["supported_pred__facts_pred__supported_ref__facts_ref"]
    ours = [share(row[0], row[1]) for row in rows], [share(row[2], row[3]) for row in rows]
    ours = (*ours, list(map(correlation.f1_of, *ours)))
    means = [correlation.mean(values) for values in ours]
    precision, recall = case["input"]["human_precision"], case["input"]["human_recall"]
    human = (precision, recall, list(map(correlation.f1_of, precision, recall)))
    both = list(zip(ours, human, strict=True))
    r = [correlation.pearson(*pair) for pair in both]
    return {
        **dict(zip(("item_precision", "item_recall", "item_f1"), ours, strict=True)),
        **dict(zip(("precision", "recall", "f1_mean_of_items"), means, strict=True)),
        "f1_of_means": correlation.f1_of(*means[:2]),
        "human_f1": human[2],
        **dict(zip(("pearson_precision", "pearson_recall", "pearson_f1"), r, strict=True)),
        "pearson_f1_ci": list(correlation.fisher_bounds(r[2], len(human[2]))),
        "spearman": [correlation.spearman(*pair) for pair in both],
        "kendall_tau_b": [correlation.kendall_tau_b(*pair) for pair in both],
    }


def design_effect(case):
    design = planning.Design(case["input"]["mean_cluster_size"], 1, case["input"].get("cv2", 0))
    return {"deff": planning.nested_design_effect(design, planning.Correlations(*[case["input"]["icc"]] * 2))}


def sample_size(case):
    data = case["input"]
    width = partial(planning.half_width, data["p"], deff=data["deff"], level=data["level"])
    ratings = planning.fewest_units(lambda n: width(n) <= data["half_width"])
    return {
        "ratings_exact": (width(1) / data["half_width"]) ** 2,
        "ratings": ratings,
        "questions": planning.rounded_up(ratings / data["valid_ratings_per_question"]),
    }


KINDS = {
    "wilson": wilson,
    "clopper_pearson": lambda case: bounds(intervals.clopper_pearson, case),
    "cluster_interval": cluster_interval,
    "two_way_cluster": two_way_cluster,
    "bootstrap_given_resamples": bootstrap_given_resamples,
    "paired_difference": paired_difference,
    "holm": lambda case: {"adjusted": comparisons.holm(case["input"]["p_values"])},
    "agreement": agreement,
    "rater_vs_gold": rater_vs_gold,
    "fact_qa": fact_qa,
    "sample_size": sample_size,
    "design_effect": design_effect,
}
# These are not compared leaf by leaf: the first two have their own tests below, the others those of the product.
APART = {"bootstrap_monte_carlo", "dawid_skene", "report", "judge_vs_human", "sentence_aggregation"}


def of_kind(kind):
    return [name for name, case in CASES.items() if case["kind"] == kind]


def test_every_kind_of_case_is_computed():
    assert {case["kind"] for case in CASES.values()} == set(KINDS) | APART


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case["kind"] in KINDS])
def test_the_case_comes_out_as_expected(name):
    case = CASES[name]
    check_equal(KINDS[case["kind"]](case), reported(case["expected"]), case["abs_tol"], name)


@pytest.mark.parametrize("name", of_kind("bootstrap_monte_carlo"))
def test_the_drawn_bootstrap_lands_near_the_complete_one(name):
    case, computed = CASES[name], monte_carlo(CASES[name])
    expected = case["expected"]
    for key in ("estimate", "bca_acceleration"):
        assert computed[key] == pytest.approx(expected[key], abs=1e-9)
    assert computed["se"] == pytest.approx(expected["se"], rel=0.03)
    for key in set(expected) - {"estimate", "bca_acceleration", "se", "bca_z0"}:
        assert computed[key] == pytest.approx(expected[key], abs=case["abs_tol"])
    # z0 is the normal quantile of a share: its own Monte Carlo error is 1.25 / sqrt(resamples), taken four times
    assert computed["bca_z0"] == pytest.approx(expected["bca_z0"], abs=4 * 1.25 / math.sqrt(40_000))


@pytest.mark.parametrize("name", of_kind("dawid_skene"))
def test_dawid_skene_comes_out_as_expected(name):
    case = CASES[name]
    expected, names = case["expected"], case["input"]["labels"]
    items, raters = (list(dict.fromkeys(row[column] for row in case["input"]["answers"])) for column in (0, 1))
    rows = [(items.index(i), raters.index(r), names.index(label)) for i, r, label in case["input"]["answers"]]
    shape = (len(items), len(raters), len(names))
    estimate = dawid_skene(*zip(*rows, strict=True), shape, iterations=case["params"]["iterations"])
    check_equal(dict(zip(names, estimate.class_shares, strict=True)), expected["class_share"], case["abs_tol"], name)
    check_equal(dict(zip(items, estimate.posterior, strict=True)), expected["posterior"], case["abs_tol"], name)
    label = {item: names[top] for item, top in zip(items, estimate.labels, strict=True)}
    sure = [item for item, posterior in expected["posterior"].items() if max(posterior) > 0.6]
    assert {item: label[item] for item in sure} == {item: expected["label"][item] for item in sure}
    majority = {i: None if won is None else names[won] for i, won in zip(items, estimate.majority, strict=True)}
    assert majority == expected["majority_vote"]
    for key, labeled in (("accuracy_dawid_skene", label), ("accuracy_majority", majority)):
        right = [labeled[item] == true for item, true in expected["truth_for_reference"].items()]
        assert sum(right) / len(right) == pytest.approx(expected[key], abs=case["abs_tol"])
