"""What the form of an analysis plan offers: measures of the protocol; systems, raters and metadata of the project."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from ...accounts.names import DisplayNames
from ...models import Membership, Project, Prompt
from ...projects.analysis_plans import systems_of
from ...protocols.schema import Mean, Measure, Protocol, Score
from ...reporting.data.responses import values_of
from ..toml_forms.fields import Choice

MAX_KEYS, MAX_VALUES = 8, 24  # of metadata; a text may name any


@dataclass(frozen=True)
class PlanChoices:
    """`pairs`: none where the protocol compares no systems; `metadata`: the values by key."""

    measures: list[Choice]
    pairs: list[Choice]
    raters: list[Choice]
    systems: list[Choice]
    metadata: dict[str, list[Choice]]


def plan_choices(project: Project, *, compares: bool) -> PlanChoices:
    """Return what a plan of the project can name."""
    systems = systems_of(project)
    return PlanChoices(
        measures=_measures(project.protocol.translated),
        pairs=[pair_choice(*pair) for pair in combinations(systems, 2)] if compares else [],
        raters=_raters(project),
        systems=[Choice(name, name) for name in systems],
        metadata=_metadata(project),
    )


def pair_choice(a: str, b: str) -> Choice:
    """Return a pair of systems; its value is JSON, since a name may contain anything."""
    return Choice(json.dumps([a, b], ensure_ascii=False), f"{a} – {b}")


def _measures(protocol: Protocol) -> list[Choice]:
    figures: tuple[Measure | Mean | Score, ...] = (*protocol.measures, *protocol.means, *protocol.scores)
    return [Choice(figure.key, figure.label, figure.description) for figure in figures]


def _raters(project: Project) -> list[Choice]:
    if project.hides_raters:
        return []  # a plan cannot name them
    display_name = DisplayNames()
    members = project.memberships.filter(role=Membership.Role.RATER).order_by("user__username")
    return [Choice(name, display_name(name)) for name in members.values_list("user__username", flat=True)]


def _metadata(project: Project) -> dict[str, list[Choice]]:
    """Return the keys of the prompts that have a few values, as the options of a report do."""
    values: dict[str, set[str]] = {}
    for metadata in Prompt.objects.filter(dataset=project.dataset_id).values_list("metadata", flat=True):
        for key, value in metadata.items():
            values.setdefault(key, set()).update(values_of(value))
    few = {key: _choices(each) for key, each in sorted(values.items()) if 1 < len(each) <= MAX_VALUES}
    return dict(list(few.items())[:MAX_KEYS])


def _choices(values: Iterable[str]) -> list[Choice]:
    return [Choice(value, value) for value in sorted(values)]
