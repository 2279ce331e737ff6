"""The small cast of the tests and a small study for them to work in.

Lena leads, Ravi and Rosa rate, Ines reviews, Tom rates when two are not enough, Ada is the admin. Otto belongs to
another project and must see nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from django.contrib.auth.hashers import make_password
from django.test import Client

from annotation.importing import load_dataset
from annotation.models import (
    ApiToken,
    Dataset,
    Document,
    Item,
    Membership,
    Project,
    Prompt,
    ProtocolVersion,
    Response,
    System,
    User,
)
from annotation.models.api_tokens import PREFIX_LENGTH
from annotation.models.users import digest_of
from annotation.projects.create import create_project
from annotation.projects.members import add_member
from annotation.projects.protocol_versions import newest_protocol, store_protocol
from tests.protocol_text import choice, protocol_text, question

PASSWORD = "factuary-demo"
ACCURATE = {"accuracy": "accurate"}
CANNOT_ASSESS = {"accuracy": "cannot_assess"}
SEVERE = {"accuracy": "inaccurate", "severity": "severe"}


def person(name: str, *, admin: bool = False) -> User:
    """Return the user called `name`; create it if needed."""
    user = User.objects.filter(username=name).first()
    return user or User.objects.create(
        username=name, password=make_password(PASSWORD), is_superuser=admin, is_staff=admin
    )


def signed_in(name: str, *, admin: bool = False) -> Client:
    """Return a client of its own in which the person is signed in; create the person if needed."""
    client = Client()
    client.force_login(person(name, admin=admin))
    return client


def article_accuracy() -> ProtocolVersion:
    return newest_version("article-accuracy")


def newest_version(slug: str) -> ProtocolVersion:
    """Return the stored version of a built-in protocol."""
    version = newest_protocol(slug)
    assert version
    return version


def give_token(user: User, key: str) -> ApiToken:
    """Store a token of the user whose key is `key`, which its prefix starts with."""
    return ApiToken.objects.create(
        user=user, digest=digest_of(key), prefix=key[:PREFIX_LENGTH], password_digest=digest_of(user.password)
    )


@dataclass
class Study:
    """A project with everything under it, in the order it was made."""

    project: Project
    responses: list[Response]
    people: dict[str, User] = field(default_factory=dict)

    def items(self, response: int = 0) -> list[Item]:
        return list(Item.objects.filter(response=self.responses[response]).order_by("position"))


def dataset(slug: str = "june-data") -> Dataset:
    """Create an empty data set."""
    return Dataset.objects.create(slug=slug, title=f"Data set {slug}", format="jsonl")


def document(data: Dataset, key: str = "d1") -> Document:
    """Create an article of two short sections."""
    paragraphs = [
        [{"id": "p1", "kind": "text", "text": "Terns fly further on turbid days."}],
        [
            {"id": "p2", "kind": "text", "text": "The median range was 11.8 km."},
            {"id": "p3", "kind": "text", "text": "It grew to 17.3 km."},
        ],
    ]
    sections = [
        {"heading": "Abstract", "level": 1, "paragraphs": paragraphs[0]},
        {"heading": "Results", "level": 1, "paragraphs": paragraphs[1]},
    ]
    return Document.objects.create(dataset=data, key=key, title=f"Terns, part {key}", sections=sections)


def response(prompt: Prompt, system: str, sentences: int, *, heading: bool = False) -> Response:
    """Create a response of `sentences` one-line sentences, with items; with `heading` its first item is not rated."""
    lines = ["## An answer"] * heading + [f"Sentence number {n} of {system}." for n in range(1, sentences + 1)]
    text = "\n".join(lines)
    maker, _ = System.objects.get_or_create(dataset=prompt.dataset, name=system)
    created = Response.objects.create(
        dataset=prompt.dataset, prompt=prompt, system=maker, key=f"{prompt.key}-{system}", text=text
    )
    offset, items = 0, []
    for position, line in enumerate(lines):
        start = offset + (3 if line.startswith("## ") else 0)
        kind = "heading" if line.startswith("## ") else "sentence"
        end = offset + len(line)
        place = {"unit": "sentence", "position": position, "kind": kind, "rate": kind == "sentence"}
        items.append(Item(response=created, **place, start=start, end=end, text=text[start:end]))
        offset = end + 1
    Item.objects.bulk_create(items)
    return created


def study(
    slug: str = "june",
    *,
    prompts: int = 1,
    systems: tuple[str, ...] = ("heron",),
    sentences: int = 3,
    overlap: int = 2,
    raters: tuple[str, ...] = ("ravi", "rosa"),
    heading: bool = False,
    sample: int | None = None,
    design: str = "uniform",
) -> Study:
    """Create a project called `slug` with its own data set; prompts alternate between two documents. `sample`: raters
    are asked about so many sentences, drawn by `design`.
    """
    data = dataset(f"{slug}-data")
    documents = [document(data, "d1"), document(data, "d2")]
    responses = []
    for n in range(prompts):
        prompt = Prompt.objects.create(
            dataset=data, document=documents[n % 2], key=f"q{n + 1}", text=f"What about point {n + 1}?"
        )
        responses += [response(prompt, system, sentences, heading=heading) for system in systems]
    project = create_project(
        slug,
        data,
        article_accuracy(),
        title=f"Study {slug}",
        overlap=overlap,
        sampling_design=design if sample else "",
        sample_size=sample,
    )
    people = {name: person(name) for name in raters} | {"lena": person("lena")}
    for name, user in people.items():
        add_member(project, user, Membership.Role.LEAD if name == "lena" else Membership.Role.RATER)
    return Study(project, responses, people)


def study_from_files(slug: str, format: str, paths: Sequence[Path], protocol: str) -> Project:
    """Return a project on a data set loaded from files, under a built-in protocol, with Ravi as rater."""
    load_dataset(format, paths, f"{slug}-data")
    project = create_project(slug, Dataset.objects.get(slug=f"{slug}-data"), newest_version(protocol))
    add_member(project, person("ravi"), Membership.Role.RATER)
    return project


def which_is_better(unit: str = "pair", *, why: bool = False) -> ProtocolVersion:
    """Store a protocol with one question about pairs, or another unit; with `why` also a text question."""
    questions = [choice("better", "Which is better?", {"first": "A", "second": "B"}, "ab")]
    if why:
        questions.append(question("why", "Why is it B?", show_when={"better": ["second"]}))
    return store_protocol(protocol_text("which-is-better", *questions, counts={"better": ["first"]}, unit=unit))[0]


def marked_study(*, skips: bool = False, responses: int = 1) -> Study:
    """Create a project of responses with four sentences each: the second is a question, the last is courtesy."""
    prepared = study(prompts=responses, sentences=4, overlap=1)
    Item.objects.filter(position=1).update(claim_free="question")
    Item.objects.filter(position=3).update(claim_free="courtesy")
    prepared.project.skips_claim_free = skips
    prepared.project.save()
    return prepared
