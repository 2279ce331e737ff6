"""The content of a new quickstart site: responses, and two projects with ratings of the sample accounts and a judge."""

from collections.abc import Callable, Collection, Iterable

from django.db import transaction

from annotation import importing
from annotation.importing.sample_ratings import SAMPLE, backdate, rate, sample_ratings
from annotation.judging.judges import create_judge
from annotation.judging.run import run_judge
from annotation.models import Dataset, Judge, Project, SampledItem, User
from annotation.projects.create import create_project
from annotation.projects.members import add_member
from annotation.projects.protocol_versions import newest_protocol
from annotation.quickstart.accounts import SAMPLE_ACCOUNTS

DRAWN_SENTENCES = 60
"""Sentences of the second project that raters are asked about; of its 232, the judge rates all."""


def is_empty() -> bool:
    return not (Dataset.objects.exists() or Project.objects.exists())


def load(report_progress: Callable[[str], None]) -> None:
    """Load both sample projects in one transaction; `report_progress` is called at each step."""
    with transaction.atomic():
        report_progress("importing four articles, ten prompts and the answers of three systems")
        importing.load_dataset("qasper", [SAMPLE / "articles.json"], "demo", title="Four invented articles")
        dataset = Dataset.objects.get(slug="demo")
        importing.load_responses(SAMPLE / "responses.jsonl", dataset)
        projects = make_projects(dataset)
        report_progress("rating some responses as Ravi, Rosa and Tom")
        for project, raters in zip(projects, (("ravi", "rosa", "tom"), ("ravi", "rosa")), strict=True):
            rate_project(project, raters)
        report_progress("rating all sentences by a rule")
        run_rule_judge(projects)


def make_projects(dataset: Dataset) -> list[Project]:
    """Create the sample projects, in which two of three raters rate each sentence, or each of those that were drawn."""
    protocol = newest_protocol("article-accuracy")
    assert protocol is not None  # built-in
    projects = [
        create_project("demo", dataset, protocol, title="Answers about four articles", overlap=2),
        create_project(
            "sample", dataset, protocol, title="A sample of the answers, and a judge", overlap=2,
            sampling_design=Project.SamplingDesign.UNIFORM, sample_size=DRAWN_SENTENCES,
        ),
    ]  # fmt: skip
    for project in projects:
        for account in SAMPLE_ACCOUNTS:
            if not account.is_admin:
                add_member(project, User.objects.get_by_natural_key(account.username), account.does)
    return projects


def rate_project(project: Project, raters: Collection[str]) -> None:
    """Rate what these raters are asked about; some of it is left to do."""
    drawn = set(
        SampledItem.objects.filter(project=project, is_drawn=True).values_list("item__response__key", "item__position")
    )
    for (response, rater), ratings in sample_ratings("ratings.jsonl").items():
        asked = [row for row in ratings if not project.sampling_design or (response, row["item"]) in drawn]
        if asked and rater in raters:
            rate(project, response, User.objects.get_by_natural_key(rater), asked)
    backdate(project)


def run_rule_judge(projects: Iterable[Project]) -> None:
    """Let a judge that needs no model rate all sentences, as Lena: its pages work without a network."""
    judge, _is_new = create_judge(Judge(name="lexical-overlap", rule=Judge.Rule.LEXICAL_OVERLAP))
    for project in projects:
        run_judge(judge, project, actor=User.objects.get_by_natural_key("lena"))
