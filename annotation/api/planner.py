"""The sample-size planner for programs of leads: the figures of its page, by the same functions."""

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from ..reporting.choices import DOCUMENT, PROMPT
from ..reporting.data.judge_answers import judges_of
from ..reporting.planner import MOST, USUAL_MORE, PlannerData, judge_plan, judge_plan_data
from ..reporting.planning.figures import BOUNDS
from ..reporting.planning.plans import sample_plan, with_given
from .judges import VERSION, JudgeQuerySerializer, judge_named
from .records import OptionalText
from .views import ObjectView, ProjectView

HALF = "Half the width of a 95 % interval; null without one."


def _figure(name: str, help_text: str) -> serializers.FloatField:
    low, high = BOUNDS[name]
    return serializers.FloatField(required=False, min_value=low, max_value=high, help_text=help_text)


def _whole(name: str, help_text: str) -> serializers.IntegerField:
    low, high = map(int, BOUNDS[name])
    return serializers.IntegerField(required=False, min_value=low, max_value=high, help_text=help_text)


class PlannerFiguresSerializer(serializers.Serializer[object]):
    """The figures of a plan. All proportions are shares from 0 to 1."""

    half_width = _figure("half_width", "Margin of error to reach: half the width of a 95 % interval.")
    share = _figure("share", "Expected proportion.")
    difference = _figure("difference", "Difference of two systems to detect.")
    power = _figure("power", "Of the test of the difference, at alpha .05, two-sided.")
    pairs = _whole("pairs", "Pairs compared; alpha is divided by this number.")
    prompts = _whole("prompts", "Available prompts, to compare designs with.")
    prompts_per_document = _figure("prompts_per_document", "Used if documents are the unit.")
    document_variation = _figure("document_variation", "Squared coefficient of variation of prompts per document.")
    unit_variation = _figure(
        "unit_variation",
        "Squared coefficient of variation of one system's ratings per document. Missing without data, and where one of "
        "`variation`, `prompts_per_document` and `document_variation` is given without it: then it follows from these.",
    )
    sentences = _figure("sentences", "Rated sentences (or other items) per response.")
    variation = _figure("variation", "Squared coefficient of variation of ratings per response.")
    excluded = serializers.FloatField(
        source="left_out", required=False, min_value=0, max_value=0.99, help_text="Share of ratings not in a measure."
    )
    overlap = _figure("overlap", "Raters per sentence.")
    systems = _whole("systems", "Systems.")
    raters = _whole("raters", "Available raters.")
    seconds = _figure("seconds", "Seconds per rating.")
    icc_document = _figure("icc_document", "Intraclass correlation within a document.")
    icc = _figure("icc", "Within a response.")
    icc_sentence = _figure("icc_sentence", "Between raters of a sentence.")
    icc_rater = _figure("icc_rater", "Within a rater.")
    correlation = _figure("correlation", "Of two systems' results on the same units.")


class PlanQuerySerializer(PlannerFiguresSerializer):
    """Figures that are missing are those of the project's ratings, or usual ones."""

    measure = OptionalText(max_length=200, help_text="Key of a measure; missing: the first.")
    system = OptionalText(max_length=1_000, help_text="Whose figures; missing: of the system that needs most units.")
    unit = serializers.ChoiceField(
        choices=[PROMPT, DOCUMENT], required=False, help_text="Sampling unit; missing: that of the project."
    )


class PlannedDesignSerializer(serializers.Serializer[object]):
    """A design and what it costs. `units` and `prompts` are of one system; `responses` and `ratings` of all."""

    raters = serializers.FloatField(help_text="Per sentence.")
    units = serializers.IntegerField(source="plan.units")
    prompts = serializers.IntegerField(source="plan.prompts")
    is_at_minimum = serializers.BooleanField(
        source="plan.is_at_minimum", help_text="Whether fewer units would do, but an interval takes ten."
    )
    design_effect = serializers.FloatField(source="plan.deff")
    responses = serializers.IntegerField()
    ratings = serializers.IntegerField()
    hours = serializers.FloatField(help_text="Of all raters together.")
    hours_each = serializers.FloatField()
    too_few_raters = serializers.BooleanField(help_text="Whether fewer raters are available.")
    detectable = serializers.FloatField(
        allow_null=True, help_text="Difference that the available prompts detect; null for a margin, or if none."
    )


class SameWorkSerializer(serializers.Serializer[object]):
    """The same number of ratings in several designs, each with half the width of its interval."""

    raters = serializers.IntegerField(help_text="Per sentence, or one on as many times the prompts.")
    ratings = serializers.IntegerField()
    units = serializers.IntegerField(help_text="With one rater per sentence.")
    prompts = serializers.IntegerField(help_text="With one rater per sentence.")
    half_width_more_raters = serializers.FloatField()
    half_width_more_prompts_per_document = serializers.FloatField(
        allow_null=True, help_text="Null unless documents are the unit."
    )
    half_width_more_units = serializers.FloatField()


class TargetIntervalSerializer(serializers.Serializer[object]):
    """The present interval of a system's proportion, against the project's target."""

    system = serializers.CharField()
    measure = serializers.CharField()
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    half_width = serializers.FloatField(allow_null=True, help_text=HALF)
    half_width_by_prompt = serializers.FloatField(
        allow_null=True, help_text="With prompts as the unit; null where they are."
    )
    met = serializers.BooleanField(allow_null=True, help_text="Null without a target or an interval.")
    units = serializers.IntegerField(
        source="plan.units", allow_null=True, default=None, help_text="That reach the target; null without one."
    )


class PlanSerializer(serializers.Serializer[object]):
    """A plan, as the planner shows it."""

    measure = serializers.CharField(help_text="Its key.")
    system = serializers.CharField(allow_null=True, help_text="Whose figures the plan starts with; null: of none.")
    unit = serializers.CharField(source="plan.unit", help_text="`prompt` or `document`.")
    figures = PlannerFiguresSerializer(source="plan.figures")
    usual = serializers.ListField(
        child=serializers.CharField(), help_text="Figures that neither the request nor the project's data have."
    )
    margins = PlannedDesignSerializer(source="plan.margins", many=True, help_text="That reach the margin.")
    differences = PlannedDesignSerializer(source="plan.differences", many=True, help_text="That detect the difference.")
    other_share = serializers.FloatField(source="plan.other_share", help_text="Of the second system.")
    alpha_each = serializers.FloatField(source="plan.alpha_each", help_text="Of each pair.")
    units = serializers.IntegerField(source="plan.units", help_text="Of the available prompts.")
    ratings = serializers.IntegerField(source="plan.ratings", help_text="One on each sentence of these.")
    half_width = serializers.FloatField(
        source="plan.half_width", help_text="Half the width of the interval with these."
    )
    same_work = SameWorkSerializer(source="plan.same_work", many=True)
    least_half_width = serializers.FloatField(
        source="plan.least_half_width",
        help_text="Which no number of prompts improves, if the raters are a sample of raters.",
    )
    between_documents = serializers.FloatField(source="plan.between_documents", help_text="Share of the variance.")
    between_prompts = serializers.FloatField(source="plan.between_prompts", help_text="Share of the variance.")
    between_sentences = serializers.FloatField(source="plan.between_sentences", help_text="Share of the variance.")
    within_sentences = serializers.FloatField(source="plan.within_sentences", help_text="Share of the variance.")
    target = serializers.FloatField(allow_null=True, help_text="The project's target; null without one.")
    intervals = TargetIntervalSerializer(many=True)


class JudgePlanQuerySerializer(JudgeQuerySerializer):
    further = serializers.IntegerField(
        default=USUAL_MORE, min_value=1, max_value=MOST, help_text="Further ratings of people."
    )
    system = OptionalText(max_length=1_000, help_text="Missing: all systems together.")


class MeasurePlanSerializer(serializers.Serializer[object]):
    """One measure now and with the further ratings: with the judge, and by people alone."""

    measure = serializers.CharField(help_text="Its key.")
    value = serializers.FloatField(help_text="With the judge.")
    people_value = serializers.FloatField(allow_null=True)
    judge_value = serializers.FloatField(allow_null=True, help_text="Of the verdicts alone: not an estimate.")
    judge_weight = serializers.FloatField(help_text="λ, from 0 (the verdicts are not used) to 1.")
    half_width = serializers.FloatField(allow_null=True, help_text=HALF)
    people_half_width = serializers.FloatField(allow_null=True, help_text=HALF)
    planned_half_width = serializers.FloatField(allow_null=True, help_text=HALF)
    people_planned_half_width = serializers.FloatField(allow_null=True, help_text=HALF)
    worth = serializers.IntegerField(
        source="whole_worth",
        allow_null=True,
        help_text="Ratings that people alone would need more than today for the present margin with the judge; null: "
        "not defined, or more than all.",
    )
    worth_is_more_than_all = serializers.BooleanField(source="is_more_than_all")
    rated_units = serializers.IntegerField(help_text="Sampling units with a rating of a person.")


class HybridPlanSerializer(serializers.Serializer[object]):
    """The numbers of items (`items`, `drawn`, `rated`, `planned_items`) and ratings of a plan, and its measures."""

    items = serializers.IntegerField()
    drawn = serializers.IntegerField()
    rated = serializers.IntegerField()
    ratings = serializers.IntegerField()
    ratings_each = serializers.FloatField(help_text="Of a rated item.")
    planned_items = serializers.IntegerField(help_text="Rated ones with the further ratings.")
    ratings_left = serializers.IntegerField(help_text="Of drawn items that have none.")
    is_larger_sample = serializers.BooleanField(help_text="Whether the plan takes more items than were drawn.")
    is_all = serializers.BooleanField(help_text="Whether these are all items.")
    measures = MeasurePlanSerializer(many=True)


class JudgePlanSerializer(serializers.Serializer[object]):
    """A plan with a judge and without, as the planner shows it."""

    judge = serializers.CharField(help_text=VERSION)
    further = serializers.IntegerField()
    system = serializers.CharField(allow_null=True)
    reason = serializers.CharField(allow_blank=True, help_text="Why there is no plan; else empty.")
    warnings = serializers.ListField(child=serializers.CharField(), help_text="About the judge.")
    plan = HybridPlanSerializer(allow_null=True)


class Planner(ProjectView, ObjectView):
    """Designs that reach a margin of error or detect a difference, with their ratings and hours, and the present
    intervals against the project's target. For leads.
    """

    serializer_class = PlanSerializer
    query_serializer = PlanQuerySerializer
    further_errors = (503,)

    def get_object(self) -> dict[str, Any]:
        figures_given = dict(self.query)
        measure, system = figures_given.pop("measure"), figures_given.pop("system")
        measures = {each.key: each for each in self.project.protocol.definition.measures}
        if measure and measure not in measures:
            raise _unknown("measure", "There is no such measure. Choose one of: %(names)s.", measures)
        data = PlannerData(self.project, measures[measure or next(iter(measures))], system or None)
        if system and system not in data.systems:
            raise _unknown("system", "There is no such system with ratings. Choose one of: %(names)s.", data.systems)
        unit = figures_given.pop("unit", data.unit)
        figures = with_given(data.values(), figures_given)
        if figures["difference"] >= max(figures["share"], 1 - figures["share"]):
            raise ValidationError({"difference": ["No proportion differs by so much from the expected one."]})
        names = {field.source: name for name, field in PlanQuerySerializer().fields.items()}
        return {
            "measure": data.measure.key,
            "system": data.system,
            "plan": sample_plan(figures, unit),
            "usual": [names[name] for name in data.usual() if name not in figures_given],
            "target": self.project.target_half_width,
            "intervals": data.half_widths(),
        }


def _unknown(field: str, message: str, names: Iterable[str]) -> ValidationError:
    return ValidationError({field: [message % {"names": ", ".join(names)}]})


class PlannerWithJudge(ProjectView, ObjectView):
    """The margins now and with further ratings of people, with the judge and without, and how many ratings the
    judge is worth. For leads.
    """

    serializer_class = JudgePlanSerializer
    query_serializer = JudgePlanQuerySerializer
    further_errors = (503,)

    def get_object(self) -> dict[str, Any]:
        judge, system = judge_named(self.query["judge"]), self.query["system"] or None
        if not judges_of(self.project).filter(pk=judge.pk).exists():
            raise ValidationError({"judge": ["No judge of this name has rated in this project."]})
        data = judge_plan_data(self.project, judge.label)
        if system is not None and data.reason is None and system not in data.systems:
            raise _unknown("system", "There is no such system. Choose one of: %(names)s.", data.systems)
        planned = judge_plan(self.project, judge.label, self.query["further"], system)
        is_empty = planned.plans is None and not planned.reason
        reason = "No rating of the sample counts yet: there is nothing to plan from." if is_empty else planned.reason
        return {
            "judge": judge.label,
            "further": self.query["further"],
            "system": system,
            "reason": reason,
            "warnings": planned.warnings,
            "plan": planned.plans,
        }
