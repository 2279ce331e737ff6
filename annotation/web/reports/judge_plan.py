"""The part of the planner about people and a judge: what further ratings add, and how many the judge is worth."""

from collections.abc import Mapping
from typing import Any

from django import forms

from ...models import Project
from ...reporting.planner import MOST, USUAL_MORE, judge_plan, judge_plan_data
from ...reporting.planning.hybrid import HybridPlans
from ...reporting.text.names import Names
from .sections import judge_versions

JUDGE_RESULT = "judge-plan-result"
"""The id of the element that htmx updates."""


class JudgePlanForm(forms.Form):
    """The judge, the further ratings, and one system or all."""

    judge = forms.ChoiceField(label="Judge")
    more = forms.IntegerField(
        label="Further ratings of people",
        min_value=1,
        max_value=MOST,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    about = forms.ChoiceField(label="Estimate", required=False)

    def __init__(self, values: Mapping[str, str], judges: list[str], systems: list[str], system_head: str) -> None:
        super().__init__(values)
        self.fields["judge"] = forms.ChoiceField(label="Judge", choices=[(name, name) for name in judges])
        every = ("", "All systems together")
        self.fields["about"] = forms.ChoiceField(
            label=system_head, required=False, choices=[every, *((name, name) for name in systems)]
        )


def judge_plan_form(project: Project, values: Mapping[str, str]) -> JudgePlanForm | None:
    """Return the form with the values of the address, else the newest judge; None where no judge has rated."""
    judges = judge_versions(project)
    if not judges:
        return None
    usual = {"judge": judges[-1], "more": str(USUAL_MORE), "about": ""}
    entered = {name: values[name] for name in usual if values.get(name, "").strip()}
    data = judge_plan_data(project, (usual | entered)["judge"])
    return JudgePlanForm(usual | entered, judges, list(data.systems), Names(project.protocol.definition).system_head)


def judge_plan_context(project: Project, form: JudgePlanForm | None) -> dict[str, Any]:
    """Return the context of reports/_judge_plan_result.html."""
    context: dict[str, Any] = {"judge_form": form, "project": project}
    if form is None or not form.is_valid():
        return context
    judge, further, system = (form.cleaned_data[name] for name in ("judge", "more", "about"))
    planned = judge_plan(project, judge, further, system or None)
    return context | {
        "judge": judge,
        "item_unit": project.protocol.definition.unit,
        "reason": planned.reason,
        "judge_plans": planned.plans,
        "judge_rows": _rows(planned.plans, Names(project.protocol.definition)),
        "judge_warnings": planned.warnings,
    }


def _rows(plans: HybridPlans | None, names: Names) -> list[dict[str, Any]]:
    if plans is None:
        return []
    return [
        vars(plan)
        | {
            "name": names.measure(plan.measure),
            "worth": plan.whole_worth,
            "is_more_than_all": plan.is_more_than_all,
        }
        for plan in plans.measures
    ]
