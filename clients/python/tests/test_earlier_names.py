"""Programs import records from the modules, and by the names, that earlier versions of the client had."""

import dataclasses
import importlib

import pytest

EARLIER = {
    "client": "AuditEvent FullProtocolVersion JudgeVersion ProtocolVersion",
    "datasets": "Breakdown Contents Dataset Document Format Import Kind Prompt Response System",
    "generation": "GenerationResult GenerationRun GenerationTemplate Generator",
    "jobs": "JobState Progress",
    "judges": "Estimate Judge JudgeRequest Run RunResult TunedItem Verdict",
    "members": "Invitation Member",
    "metrics": "ImportedScores MetricScore",
    "people": "NewPerson Person ProjectOfPerson",
    "plans": "Design Figures HybridPlan JudgePlan MeasurePlan Plan SameWork TargetInterval",
    "projects": "ChangedBoundaries Export Guidelines NewItem PayRate PlanVersion Project ProjectProgress "
    "ProjectResponse Question RaterProgress Rating Reoffered Settings Slot WeekOfWork",
    "reports": "AgreementChange Comparison Difference Estimate FrozenReport Link MeasureChange Proportion Report",
    "review": "Decision ReviewedItem Vote",
    "tokens": "Token",
    "webhooks": "Delivery NewWebhook Webhook",
}


@pytest.mark.parametrize("module", EARLIER)
def test_a_record_is_found_by_its_earlier_name(module: str) -> None:
    for name in EARLIER[module].split():
        assert dataclasses.is_dataclass(getattr(importlib.import_module(f"factuary.{module}"), name))
