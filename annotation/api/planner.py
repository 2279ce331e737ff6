"""The sample-size planner for programs of leads: the figures of its page, by the same functions."""

from collections.abc import Iterable

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from ..access import project_for
from ..judging.judges import find_judge
from ..model_calls.errors import ModelError
from ..models import Project
from ..reporting.data.judge_answers import judges_of
from ..reporting.planner import PlannerData, judge_plan, judge_plan_data
from ..reporting.planning.plans import sample_plan, with_given
from .authentication import caller
from .parsers import validate
from .planner_serializers import JudgePlanQuerySerializer, JudgePlanSerializer, PlanQuerySerializer, PlanSerializer
from .schema import errors
from .views import ApiView


class Planner(ApiView):
    """The planner."""

    @extend_schema(parameters=[PlanQuerySerializer], responses={200: PlanSerializer, **errors(403, 404, 503)})
    def get(self, request: Request, slug: str) -> Response:
        """Designs that reach a margin of error or detect a difference, with their ratings and hours, and the present
        intervals against the project's target. For leads.
        """
        project = project_for(caller(request), slug, needs="lead")
        query = validate(PlanQuerySerializer, request.query_params)
        measure, system = query.pop("measure"), query.pop("system")
        data = _data(project, measure, system)
        unit = query.pop("unit", data.unit)
        figures = with_given(data.values(), query)
        _check_difference(figures)
        answer = {
            "measure": data.measure.key,
            "system": data.system,
            "plan": sample_plan(figures, unit),
            "usual": [_shown(name) for name in data.usual() if name not in query],
            "target": project.target_half_width,
            "intervals": data.half_widths(),
        }
        return Response(PlanSerializer(answer).data)


def _shown(figure: str) -> str:
    """Return the name of a figure in the answer."""
    names = {field.source: name for name, field in PlanQuerySerializer().fields.items()}
    return str(names[figure])


def _data(project: Project, measure: str, system: str) -> PlannerData:
    """Return the data of the plan. Raises ValidationError for an unknown measure or system."""
    measures = {each.key: each for each in project.protocol.definition.measures}
    if measure and measure not in measures:
        raise _unknown("measure", "There is no such measure. Choose one of: %(names)s.", measures)
    data = PlannerData(project, measures[measure or next(iter(measures))], system or None)
    if system and system not in data.systems:
        raise _unknown("system", "There is no such system with ratings. Choose one of: %(names)s.", data.systems)
    return data


def _unknown(field: str, message: str, names: Iterable[str]) -> ValidationError:
    return ValidationError({field: [message % {"names": ", ".join(names)}]})


def _check_difference(figures: dict[str, float]) -> None:
    """Refuse a difference for which the second proportion would not lie between 0 and 1."""
    if figures["difference"] >= max(figures["share"], 1 - figures["share"]):
        raise ValidationError({"difference": ["No proportion differs by so much from the expected one."]})


class PlannerWithJudge(ApiView):
    """The planner's part about people and a judge."""

    @extend_schema(parameters=[JudgePlanQuerySerializer], responses={200: JudgePlanSerializer, **errors(403, 404, 503)})
    def get(self, request: Request, slug: str) -> Response:
        """The margins now and with further ratings of people, with the judge and without, and how many ratings the
        judge is worth. For leads.
        """
        project = project_for(caller(request), slug, needs="lead")
        query = validate(JudgePlanQuerySerializer, request.query_params)
        judge, system = _judge_label(project, query["judge"]), query["system"] or None
        data = judge_plan_data(project, judge)
        if system is not None and data.reason is None and system not in data.systems:
            raise _unknown("system", "There is no such system. Choose one of: %(names)s.", data.systems)
        planned = judge_plan(project, judge, query["further"], system)
        is_empty = planned.plans is None and not planned.reason
        answer = {
            "judge": judge,
            "further": query["further"],
            "system": system,
            "reason": "No rating of the sample counts yet: there is nothing to plan from."
            if is_empty
            else planned.reason,
            "warnings": planned.warnings,
            "plan": planned.plans,
        }
        return Response(JudgePlanSerializer(answer).data)


def _judge_label(project: Project, name: str) -> str:
    """Return NAME@N of a judge that has rated items of the project. Raises ValidationError."""
    try:
        judge = find_judge(name)
    except ModelError as error:
        raise ValidationError({"judge": [str(error)]}) from None
    if not judges_of(project).filter(pk=judge.pk).exists():
        raise ValidationError({"judge": ["No judge of this name has rated in this project."]})
    return judge.label
