"""Projects whose protocol has a score."""

from annotation.models import Project
from annotation.projects.protocol_versions import store_protocol
from tests.protocols.scored import source
from tests.reporting.project_rows import Row, project_of


def scored_project(rows: list[Row], slug: str = "june") -> Project:
    """Create a project whose protocol weighs severe inaccuracies 3, other ones and disputed sentences 0.5."""
    project = project_of(rows, slug)
    project.protocol, _ = store_protocol(source())
    project.save()
    return project


def rows_of(answers: dict[str, list[dict]], system: str = "heron") -> list[Row]:
    """Return the ratings of one rater; `answers` has a list for each prompt."""
    return [
        Row(prompt, system, "ravi", answer, n, metadata={"length": "long" if len(given) > 2 else "short"})
        for prompt, given in answers.items()
        for n, answer in enumerate(given)
    ]
