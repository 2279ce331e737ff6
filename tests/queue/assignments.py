"""Work taken and done, for tests of what leads do while it goes on."""

from annotation.models import Assignment, Project, User
from annotation.qualification.next_work import take_next
from tests.qualification.finished_work import answer_all


def take_work(project: Project, rater: User, *, done: bool = True) -> Assignment:
    """Return the rater's next work: begun, or finished if `done`."""
    work = take_next(project, rater)
    if done:
        answer_all(work)
    return work
