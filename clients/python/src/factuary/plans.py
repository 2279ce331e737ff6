"""Plans of the sample-size planner, under the names of earlier versions."""

from .records import HybridPlan, JudgePlan, MeasurePlan, Plan, SameWork, TargetInterval
from .records import PlannedDesign as Design
from .records import PlannerFigures as Figures

__all__ = ["Design", "Figures", "HybridPlan", "JudgePlan", "MeasurePlan", "Plan", "SameWork", "TargetInterval"]
