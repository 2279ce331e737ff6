"""What a project's data let a lead choose, and what was loaded but has no rating to report on."""

from typing import Any

from ...models import Project, Prompt, Response, System
from .report_input import read_tallies
from .tallies import Tallies

FEWER_DOCUMENTS = 0.8
"""Documents are offered as clusters where there are fewer than this times as many as prompts."""


def offers_documents(tallies: Tallies) -> bool:
    """Whether several prompts are about one document often enough for documents to be what chance draws."""
    return bool(shared_documents(tallies))


def shared_documents(tallies: Tallies) -> dict[str, int]:
    """{"documents": how many there are}, for a report's `data`; nothing where they are about as many as the prompts."""
    documents = {document for document in tallies.sources.documents if document is not None}
    alone = tallies.sources.documents.count(None)
    few = bool(documents) and len(documents) + alone < FEWER_DOCUMENTS * len(tallies.prompts)
    return {"documents": len(documents)} if few else {}


def unrated(project: Project) -> dict[str, Any]:
    """What is in the project's data set and in no report of it: {"systems": names, "responses": n, "prompts": n}.

    Not part of a report, which says what was rated and is the same wherever these ratings are.
    """
    tallies = read_tallies(project)
    rated = {key for pair in tallies.sources.keys for key in pair if key is not None}
    systems = {name for pair in tallies.systems for name in (pair, *pair.split(" vs "))}
    every = System.objects.filter(dataset=project.dataset_id).order_by("name").values_list("name", flat=True)
    return {
        "systems": [name for name in every if name not in systems],
        "responses": Response.objects.filter(dataset=project.dataset_id).count() - len(rated),
        "prompts": Prompt.objects.filter(dataset=project.dataset_id).count() - len(tallies.prompts),
    }
