"""An analysis plan as a Markdown page for a preregistration."""

from collections.abc import Iterator, Sequence
from datetime import UTC

from ..models import AnalysisPlanVersion
from ..projects.analysis_plans import plan_versions, systems_of
from ..protocols import Mean, Measure, Protocol, Score
from ..protocols.analysis_plan import AUTO, BY_MEASURE, PLANNED, RAW, WHOLE_REPORT, Exclusions
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
    project, plan = version.project, version.definition
    protocol, unit = project.protocol, project.protocol.definition.sheet_unit
    pairs = plan.comparisons
    compared = "All pairs of systems." if pairs is None else "; ".join(_listed(pair, " and ") for pair in pairs)
    sections = {
        "Hypotheses": plan.hypotheses or "None written.",
        "Design": _bullets(
            f"Data set: {escaped(project.dataset.title)}, {project.sheets.count():,} {unit}s to rate",
            f"Systems: {_listed(systems_of(project)) or 'none yet'}",
            f"Raters per {unit}: {project.overlap}",
            f"Protocol: {protocol.slug} {protocol.version} (SHA-256 `{protocol.sha256}`)",
        ),
        "Measures": _bullets(*(_measure(key, protocol.definition) for key in plan.measures)),
        "Inference": _bullets(
            f"Sampling unit: {UNIT_WORDS[plan.unit]}",
            f"Comparisons: {compared or 'None.'}",
            f"Family of tests (Holm): {FAMILY_WORDS[plan.family]}",
            "Target half-width of the 95 % intervals: "
            + (f"± {100 * plan.target:g} points" if plan.target else "none"),
            f"Seed: {'not fixed' if plan.seed is None else plan.seed}",
            f"Resamples: {'not fixed' if plan.resamples is None else format(plan.resamples, ',')}",
        ),
        "Exclusions": _bullets(*_exclusions(plan.exclusions)) or "None.",
        "Notes": plan.notes,
        "Versions": _bullets(
            *(
                f"Version {each.number}, {_time(each)}, {_when(each)}, SHA-256 `{each.sha256}`"
                for each in sorted(plan_versions(project), key=lambda each: each.number)
            )
        ),
        "Source": f"~~~~toml\n{version.source.rstrip()}\n~~~~",
    }
    parts = [
        f"# Analysis plan: {escaped(project.title)}",
        f"Version {version.number}, stored {_time(version)} ({_when(version)}).",
        f"SHA-256 `{version.sha256}`",
    ]
    for title, text in sections.items():
        parts += [f"## {title}", text] if text or title != "Notes" else []
    return "\n\n".join(parts) + "\n"


def _time(version: AnalysisPlanVersion) -> str:
    return f"{version.created_at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def _when(version: AnalysisPlanVersion) -> str:
    return f"{'before' if version.before_first_rating else 'after'} the first rating"


def _measure(key: str, protocol: Protocol) -> str:
    """Return the definition of a measure; the key alone if the protocol has changed since."""
    figures: tuple[Measure | Mean | Score, ...] = (*protocol.measures, *protocol.means, *protocol.scores)
    figure = next((figure for figure in figures if figure.key == key), None)
    if figure is None:
        return f"`{key}` (not in the protocol now)"
    parts = [f"**{figure.label}** (`{key}`)", figure.description]
    if isinstance(figure, Measure):
        counted, among = in_words(figure.counts, protocol), in_words(figure.among, protocol) or "all"
        parts.append(f"Counts ratings where {counted}, among {among}.")
    return " ".join(part for part in parts if part)


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


def _bullets(*lines: str) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _listed(names: Sequence[str], joint: str = ", ") -> str:
    return joint.join(map(escaped, names))
