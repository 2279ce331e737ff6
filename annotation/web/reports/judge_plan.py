"""The part of the planner about people and a judge: what further ratings add, and how many the judge is worth."""

import math
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ...models import Project
from ...reporting import live
from ...reporting.hybrid_plans import HybridPlans, MeasurePlan, hybrid_plan_data, hybrid_plans
from ...reporting.text.judge_warnings import few_units_warning, one_answer_warning
from ...reporting.text.names import Names
from .hybrid import judge_versions

JUDGE_RESULT = "judge-plan-result"
"""The id of the element that htmx updates."""
USUAL_MORE = 200
MOST = 10_000_000


class JudgePlanForm(forms.Form):
    """The judge, the further ratings, and one system or all."""

    judge = forms.ChoiceField(label=gettext_lazy("Judge"))
    more = forms.IntegerField(
        label=gettext_lazy("Further ratings of people"),
        min_value=1,
        max_value=MOST,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    about = forms.ChoiceField(label=gettext_lazy("Estimate"), required=False)

    def __init__(self, values: Mapping[str, str], judges: list[str], systems: list[str], system_head: str) -> None:
        super().__init__(values)
        self.fields["judge"] = forms.ChoiceField(label=_("Judge"), choices=[(name, name) for name in judges])
        every = ("", _("All systems together"))
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
    data = live.live_figures(project, hybrid_plan_data, (usual | entered)["judge"])
    return JudgePlanForm(usual | entered, judges, list(data.systems), Names(project.protocol.translated).system_head)


def judge_plan(project: Project, form: JudgePlanForm | None) -> dict[str, Any]:
    """Return the context of reports/_judge_plan_result.html."""
    context: dict[str, Any] = {"judge_form": form, "project": project}
    if form is None or not form.is_valid():
        return context
    judge, further, system = (form.cleaned_data[name] for name in ("judge", "more", "about"))
    data = live.live_figures(project, hybrid_plan_data, judge)
    context |= {"judge": judge, "item_unit": project.protocol.definition.unit}
    if data.reason is not None:
        return context | {"reason": _(data.reason)}
    plans = hybrid_plans(data, further, system or None)
    names = Names(project.protocol.translated)
    warnings = _warnings(plans, judge, live.live_report(project).report.method.cluster, names) if plans else []
    return context | {"judge_plans": plans, "judge_rows": _rows(plans, names), "judge_warnings": warnings}


def _rows(plans: HybridPlans | None, names: Names) -> list[dict[str, Any]]:
    if plans is None:
        return []
    return [vars(plan) | {"name": names.measure(plan.measure), **_worth(plan)} for plan in plans.measures]


def _warnings(plans: HybridPlans, judge: str, cluster: str, names: Names) -> list[str]:
    shares = [plan.judge_alone for plan in plans.measures]
    units = {
        names.measure(plan.measure): plan.rated_units
        for plan in plans.measures
        if plan.lambda_ and plan.now is not None
    }
    return list(filter(None, [one_answer_warning(judge, shares), few_units_warning(units, cluster)]))


def _worth(plan: MeasurePlan) -> dict[str, Any]:
    """Return the whole number of ratings, and whether no number of ratings is enough."""
    is_more_than_all = plan.worth is not None and math.isinf(plan.worth)
    whole = None if plan.worth is None or is_more_than_all else round(plan.worth)
    return {"worth": whole, "is_more_than_all": is_more_than_all}
