"""The content of a new quickstart site: the sample accounts, and a project with responses, ratings and a judge."""

from collections.abc import Callable

from django.db import transaction

from annotation import importing
from annotation.importing.sample_ratings import SAMPLE, backdate, rate, sample_ratings
from annotation.judging.judges import Configuration, create_judge
from annotation.judging.run import run_judge
from annotation.models import Dataset, Judge, Project, User
from annotation.projects.create import create_project
from annotation.projects.members import add_member
from annotation.projects.protocol_versions import newest_protocol
from annotation.quickstart.accounts import SAMPLE_ACCOUNTS


def is_empty() -> bool:
    """Return whether the site has no data yet."""
    return not (Dataset.objects.exists() or Project.objects.exists())


def load(report_progress: Callable[[str], None]) -> None:
    """Load the whole sample project in one transaction; `report_progress` is called at each step."""
    with transaction.atomic():
        report_progress("importing four articles, ten prompts and the answers of three systems")
        importing.load_dataset("qasper", [SAMPLE / "articles.json"], "demo", title="Four invented articles")
        dataset = Dataset.objects.get(slug="demo")
        importing.load_responses(SAMPLE / "responses.jsonl", dataset)
        project = make_project(dataset)
        report_progress("rating some responses as Ravi, Rosa and Tom")
        for (response, rater), ratings in sample_ratings("ratings.jsonl").items():
            rate(project, response, User.objects.get(username=rater), ratings)
        backdate(project)
        report_progress("rating all sentences by a rule")
        run_rule_judge(project)


def make_project(dataset: Dataset) -> Project:
    """Create the sample project, in which two of three raters rate every answer."""
    protocol = newest_protocol("article-accuracy")
    assert protocol is not None  # built-in
    project = create_project("demo", dataset, protocol, title="Answers about four articles", overlap=2)
    for account in SAMPLE_ACCOUNTS:
        if not account.is_admin:
            add_member(project, User.objects.get(username=account.username), account.does)
    return project


def run_rule_judge(project: Project) -> None:
    """Let a judge that needs no model rate the sample, as Lena: its pages work without a network."""
    judge, _is_new = create_judge("lexical-overlap", Configuration(rule=Judge.Rule.LEXICAL_OVERLAP))
    run_judge(judge, project, actor=User.objects.get(username="lena"))
