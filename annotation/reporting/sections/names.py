"""Names of the tables of a report in its files, which are unique within a report, and their order."""

TABLES = (
    "overall", "systems", "options", "comparisons", "ranks", "aggregations", "agreement", "disagreements",
    "rater_pairs", "raters", "rater_weeks", "design_effects", "means", "correlations", "responses", "scores",
    "score_comparisons", "systems_by_prompt", "comparisons_by_prompt", "scores_by_prompt",
    "score_comparisons_by_prompt", "sensitivity", "odds_ratios", "marginal_proportions",
    "variance_components", "crossed_models", "hybrid", "hybrid_comparisons",
    "weighted_estimates", "weighted_comparisons", "fact_qa", "fact_qa_correlations", "judge_against_people",
    "judge_confusion", "judge_detection", "judge_bias", "judge_bias_by_length", "judge_bias_by_position", "judge_order",
    "judge_calibration", "judge_consistency", "judge_drift", "judge_changes", "judge_runs", "judge_times",
    "judge_fingerprints", "metric_predictions", "metric_correlations",
)  # fmt: skip
"""Names of the tables of every report in its files. Breakdowns have the names of the report, and tables of questions
other than the first measured one those of `answers_to`."""
ORDER_OF_CSV = (
    "comparisons", "score_comparisons", "systems_by_prompt", "scores_by_prompt", "comparisons_by_prompt",
    "score_comparisons_by_prompt", "ranks", "aggregations", "correlations", "responses", "agreement", "disagreements",
    "rater_pairs", "raters", "rater_weeks", "sensitivity", "odds_ratios", "marginal_proportions", "variance_components",
    "crossed_models", "weighted_estimates", "weighted_comparisons", "hybrid", "hybrid_comparisons", "fact_qa",
    "fact_qa_correlations", "judge_against_people", "judge_detection", "judge_confusion", "judge_calibration",
    "judge_bias", "judge_bias_by_length", "judge_bias_by_position", "judge_times", "judge_order", "judge_consistency",
    "judge_drift", "metric_predictions", "metric_correlations",
)  # fmt: skip
"""Tables of tidy CSV after the cells of systems and breakdowns, in the order of earlier releases."""
WEIGHTED = ("weighted_", "hybrid", "judge_")
"""How the names of tables begin whose figures are weighted where items were drawn with unequal probabilities."""
OPTIONS = "options"
DEVIATIONS, EARLIER_DEVIATIONS = "plan_deviations", "plan_deviations_before_rating"
PLANNED_TESTS = "planned_comparisons"
OF_PLAN = (DEVIATIONS, EARLIER_DEVIATIONS, PLANNED_TESTS)
BREAKDOWN = "by "
ANSWERS = "answers to "


def table_name(breakdown: str) -> str:
    """Return the name of a breakdown's table, unique: as in the report, unless another table has that name."""
    collides = breakdown in (*TABLES, *OF_PLAN) or breakdown.startswith((BREAKDOWN, ANSWERS, f"{OPTIONS} "))
    return f"{BREAKDOWN}{breakdown}" if collides else breakdown


def answers_to(question: str) -> str:
    """Return the name of the table of a question other than the first measured one; no breakdown has such a name."""
    return f"{ANSWERS}{question}"


def answers_by(question_table: str, breakdown_table: str) -> str:
    """Return the name of the table of a question's answers by a breakdown, from the names of the tables of both."""
    return f"{question_table} by {breakdown_table}"
