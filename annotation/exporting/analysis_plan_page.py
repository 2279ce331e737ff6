"""An analysis plan as a Markdown page for a preregistration."""

from collections.abc import Iterator, Sequence
from datetime import UTC

from ..models import AnalysisPlanVersion
from ..projects.analysis_plans import plan_versions, systems_of
from ..protocols import Mean, Measure, Protocol, Score
from ..protocols.analysis_plan import AUTO, BY_MEASURE, PLANNED, RAW, WHOLE_REPORT, AnalysisPlan, Exclusions
from ..reporting.tables.markdown import escaped
from .protocol_markdown import in_words

UNIT_WORDS = {
    AUTO: "Documents where they are fewer than 0.8 × prompts and at least 10, else prompts.",
    "prompt": "Prompts.",
    "document": "Documents.",
}
FAMILY_WORDS = {
    BY_MEASURE: "All pairs of systems on one measure; each measure is a separate family.",
    WHOLE_REPORT: "All pairs of systems on all measures of the report together.",
    PLANNED: "The planned comparisons on the planned measures together.",
}


def plan_page(version: AnalysisPlanVersion) -> str:
    """Return everything that the version plans, with its number, hash and time."""
    project, plan = version.project, version.definition
    protocol = project.protocol.definition
    sections = {
        "Hypotheses": [plan.hypotheses or "None written."],
        "Design": [_design(version)],
        "Measures": ["\n".join(f"- {_measure(key, protocol)}" for key in plan.measures)],
        "Inference": [_inference(plan)],
        "Exclusions": ["\n".join(f"- {line}" for line in _exclusions(plan.exclusions)) or "None."],
        "Notes": [plan.notes] if plan.notes else [],
        "Versions": [_versions(plan_versions(project))],
        "Source": [f"~~~~toml\n{version.source.rstrip()}\n~~~~"],
    }
    parts = [f"# Analysis plan: {escaped(project.title)}", _origin(version)]
    for title, texts in sections.items():
        parts += [f"## {title}", *texts] if texts else []
    return "\n\n".join(parts) + "\n"


def _origin(version: AnalysisPlanVersion) -> str:
    return f"Version {version.number}, stored {_time(version)} ({_when(version)}).\n\nSHA-256 `{version.sha256}`"


def _time(version: AnalysisPlanVersion) -> str:
    return f"{version.created_at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def _when(version: AnalysisPlanVersion) -> str:
    return f"{'before' if version.before_first_rating else 'after'} the first rating"


def _design(version: AnalysisPlanVersion) -> str:
    """Return the project's design as it is now."""
    project = version.project
    protocol = project.protocol
    return "\n".join(
        [
            f"- Data set: {escaped(project.dataset.title)}, {project.sheets.count():,} "
            f"{protocol.definition.sheet_unit}s to rate",
            f"- Systems: {_listed(systems_of(project)) or 'none yet'}",
            f"- Raters per {protocol.definition.sheet_unit}: {project.overlap}",
            f"- Protocol: {protocol.slug} {protocol.version} (SHA-256 `{protocol.sha256}`)",
        ]
    )


def _measure(key: str, protocol: Protocol) -> str:
    """Return the definition of a measure; the key alone if the protocol has changed since."""
    figures: tuple[Measure | Mean | Score, ...] = (*protocol.measures, *protocol.means, *protocol.scores)
    figure = next((figure for figure in figures if figure.key == key), None)
    if figure is None:
        return f"`{key}` (not in the protocol now)"
    parts = [f"**{figure.label}** (`{key}`)", figure.description]
    if isinstance(figure, Measure):
        among = in_words(figure.among, protocol)
        parts += [f"Counts ratings where {in_words(figure.counts, protocol)}, among {among or 'all'}."]
    return " ".join(part for part in parts if part)


def _inference(plan: AnalysisPlan) -> str:
    pairs = plan.comparisons
    compared = "All pairs of systems." if pairs is None else "; ".join(_listed(pair, " and ") for pair in pairs)
    lines = {
        "Sampling unit": UNIT_WORDS[plan.unit],
        "Comparisons": compared or "None.",
        "Family of tests (Holm)": FAMILY_WORDS[plan.family],
        "Target half-width of the 95 % intervals": f"± {100 * plan.target:g} points" if plan.target else "none",
        "Seed": "not fixed" if plan.seed is None else str(plan.seed),
        "Resamples": "not fixed" if plan.resamples is None else f"{plan.resamples:,}",
    }
    return "\n".join(f"- {name}: {text}" for name, text in lines.items())


def _exclusions(exclusions: Exclusions) -> Iterator[str]:
    if exclusions.answers != RAW:
        yield "Where an item was adjudicated, the adjudication replaces its ratings."
    if exclusions.least_gold is not None:
        yield f"Without raters with an accuracy on gold below {100 * exclusions.least_gold:g} %."
    if exclusions.least_seconds is not None:
        yield f"Without ratings given in less than {exclusions.least_seconds:g} seconds."
    if exclusions.without_raters:
        yield f"Without the ratings of {_listed(exclusions.without_raters)}."
    if exclusions.systems:
        yield f"Only the systems {_listed(exclusions.systems)}."
    for key, values in exclusions.metadata:
        yield f"Only prompts whose {escaped(key)} is {_listed(values, ' or ')}."


def _versions(versions: Sequence[AnalysisPlanVersion]) -> str:
    return "\n".join(
        f"- Version {version.number}, {_time(version)}, {_when(version)}, SHA-256 `{version.sha256}`"
        for version in sorted(versions, key=lambda version: version.number)
    )


def _listed(names: Sequence[str], joint: str = ", ") -> str:
    return joint.join(map(escaped, names))
