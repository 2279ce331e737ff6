"""The data and the people of a run: one data set, a project for each scenario, raters with tokens, a lead."""

import json
from pathlib import Path

from django.test import Client

from annotation.accounts.tokens import create_token
from annotation.accounts.users import create_user
from annotation.importing import load_dataset
from annotation.models import Dataset, Project, User
from annotation.projects.create import create_project
from annotation.projects.members import add_member
from annotation.projects.protocol_versions import newest_protocol

RATERS, OVERLAP = 6, 3
PROMPTS, SHORT_PROMPTS, SYSTEMS, SENTENCES = 250, 100, 3, 8
LEAD, DATASET, ONE_RESPONSE = "lead", "faults", "one-response"


def write_rows(path: Path, prompts: int) -> None:
    """Write a data set of `prompts` prompts, SYSTEMS responses each."""
    text = "\n".join(f"The range on turbid days grew to {17 + n} km in the colony." for n in range(SENTENCES))
    with path.open("w") as file:
        for n in range(prompts):
            responses = [{"system": f"model-{m}", "text": f"{text} ({n}, {m})"} for m in range(SYSTEMS)]
            row = {"id": f"q{n}", "text": f"How far in year {n}?", "document": None, "responses": responses}
            file.write(f"{json.dumps(row)}\n")


def load(folder: Path, prompts: int = PROMPTS) -> dict[str, str]:
    """Load the data set and create the people; return the raters' tokens by name."""
    path = folder / "faults.jsonl"
    write_rows(path, prompts)
    load_dataset("jsonl", [str(path)], DATASET)
    load_dataset("jsonl", [str(_one_response(folder))], ONE_RESPONSE)
    create_user(LEAD, admin=True)
    return {name: create_token(create_user(name))[0] for name in (f"rater{n}" for n in range(RATERS))}


def _one_response(folder: Path) -> Path:
    path = folder / "one.jsonl"
    row = {"id": "q", "text": "How far?", "document": None, "responses": [{"system": "model-0", "text": "Far."}]}
    path.write_text(json.dumps(row))
    return path


def new_project(slug: str, raters: list[str], dataset: str = DATASET, overlap: int = OVERLAP) -> Project:
    protocol = newest_protocol("article-accuracy")
    assert protocol
    project = create_project(slug, Dataset.objects.get(slug=dataset), protocol, overlap=overlap)
    for name in raters:
        add_member(project, User.objects.get(username=name), "rater")
    return project


def session_cookie() -> str:
    """Return the header of a signed-in lead's browser."""
    client = Client()
    client.force_login(User.objects.get(username=LEAD))
    return "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
