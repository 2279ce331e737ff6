"""The sample project that an admin of any site can load: the data and ratings of the demo, by inactive raters."""

from django.db import transaction
from django.utils.translation import gettext as _

from .. import importing
from ..models import Dataset, Membership, Project, User
from ..projects.create import create_project
from ..projects.members import add_member
from ..projects.protocol_versions import newest_protocol
from . import demo

SLUG = "sample"  # of data set and project


def sample_project() -> Project | None:
    """Return the sample project if it is loaded."""
    return Project.objects.filter(slug=SLUG).first()


@transaction.atomic
def load_sample(actor: User) -> Project:
    """Load the sample once and return its project. Its raters are inactive: nobody can sign in as one of them."""
    User.objects.select_for_update().get(pk=actor.pk)  # a second click waits
    if project := sample_project():
        return project
    title = _("Sample: four invented articles")
    importing.load_dataset("qasper", [demo.SAMPLE / "articles.json"], SLUG, title=title, actor=actor)
    dataset = Dataset.objects.get(slug=SLUG)
    importing.load_responses(demo.SAMPLE / "responses.jsonl", dataset, actor=actor)
    protocol = newest_protocol("article-accuracy")
    assert protocol is not None  # built-in
    project = create_project(SLUG, dataset, protocol, title=title, overlap=2, actor=actor)
    ratings = demo.sample_ratings()
    raters = {name: _add_rater(project, name, actor) for name in sorted({name for _response, name in ratings})}
    for (response, name), rows in ratings.items():
        demo.rate(project, response, raters[name], rows)
    demo.backdate(project)
    return project


def _add_rater(project: Project, name: str, actor: User) -> User:
    """Add a rater under a name that no person of the site has."""
    rater, _is_new = User.objects.get_or_create(username=f"{SLUG}-{name}", defaults={"is_active": False})
    add_member(project, rater, Membership.Role.RATER, actor=actor)
    return rater
