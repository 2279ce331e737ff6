"""The sample project that an admin of any site can import: the demo's data, all rated by inactive raters."""

from django.db import transaction

from .. import jobs
from ..models import Dataset, Job, Membership, Project, User
from ..projects.create import create_project
from ..projects.members import add_member
from ..projects.protocol_versions import newest_protocol
from .dataset import load_dataset
from .responses import load_responses
from .sample_ratings import SAMPLE, backdate, rate, sample_ratings

SLUG = "sample"  # of data set and project
IMPORT_SAMPLE = "import_sample"


def sample_project() -> Project | None:
    """Return the sample project if it is imported."""
    return Project.objects.filter(slug=SLUG).first()


@transaction.atomic
def create_sample_job(actor: User) -> tuple[Job, bool]:
    """Return a new job that imports the sample and True, or the open one and False. The caller enqueues a new one."""
    list(User.objects.select_for_update().filter(is_superuser=True).order_by("pk"))  # another admin's request waits
    job = Job.objects.filter(kind=IMPORT_SAMPLE, state__in=Job.OPEN).first()
    return (job, False) if job else (jobs.create(IMPORT_SAMPLE, actor=actor), True)


def import_sample_job(job: Job, progress: jobs.Progress) -> dict[str, str]:
    """Run a job of kind `import_sample`; an earlier run may have imported the sample."""
    project = sample_project() or import_sample(job.started_by, progress)
    return {"project": project.slug}


@transaction.atomic
def import_sample(actor: User | None, progress: jobs.Progress) -> Project:
    """Create the sample project. Its raters are inactive: nobody can sign in as one of them. They have finished all
    responses, so that the project waits for nobody.
    """
    title = "Sample: four invented articles"
    ratings = sample_ratings("ratings.jsonl", "second_ratings.jsonl")
    progress(0, len(ratings), "importing articles and responses")
    load_dataset("qasper", [SAMPLE / "articles.json"], SLUG, title=title, actor=actor)
    dataset = Dataset.objects.get(slug=SLUG)
    load_responses(SAMPLE / "responses.jsonl", dataset, actor=actor)
    protocol = newest_protocol("article-accuracy")
    assert protocol is not None  # built-in
    project = create_project(SLUG, dataset, protocol, title=title, overlap=2, actor=actor)
    raters: dict[str, User] = {}
    for name in sorted({name for _response, name in ratings}):
        username = f"{SLUG}-{name}"  # no person of the site has such a name
        accounts = User.objects.in_data([username])
        raters[name] = accounts.get(username) or User.objects.create(username=username, is_active=False)
        add_member(project, raters[name], Membership.Role.RATER, actor=actor)
    for number, ((response, name), rows) in enumerate(ratings.items()):
        progress(number, len(ratings), "storing ratings")
        rate(project, response, raters[name], rows)
    backdate(project)
    progress.lock_job()
    return project
