"""What the margins of a project with a sample are about, in words."""

from ...i18n.unit_names import counted
from ...models import Project
from ..data.sample import count_rated
from ..report import Report
from ..text.figure_format import count


def sample_precision(project: Project, report: Report, *, is_weighted: bool) -> str:
    """State how much of the sample is rated, and what margins and plans assume; "" without a sample. One query."""
    sample = report.data.sample
    if sample is None:
        return ""
    rated = count_rated(project)
    values = {
        "drawn": count(sample.drawn),
        "items": counted(sample.items, project.protocol.definition.unit),
        "rated": count(rated),
    }
    sentences = ["Raters are asked about a sample of %(drawn)s of %(items)s; %(rated)s have ratings that count."]
    if rated < sample.drawn:
        sentences.append("The margins assume that these are a random part of the sample.")
    if sample.design == Project.SamplingDesign.UNCERTAIN:
        sentences.append(_weighting(is_weighted))
    return " ".join(sentences) % values


def _weighting(is_weighted: bool) -> str:
    if is_weighted:
        return "Proportions and margins are weighted, as some were drawn more often."
    return (
        "Some were drawn more often, and proportions and margins are not weighted for this: use “People alone, "
        "weighted” of the report."
    )
