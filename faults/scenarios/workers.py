"""Two workers on one job."""

from annotation.models import Job
from tasks.app import app
from tasks.jobs import JOBS

from ..background import KINDS, age_heartbeats
from ..site import SECOND_WORKER, wait_until
from ..situation import Situation, scenario


@scenario("two workers on one job", longest_gap=10)
def run_twice(situation: Situation) -> None:
    """A worker is suspended (SIGSTOP) where it is about to store, another takes its import and its freezing over (the
    export has locked its job), and the first goes on. Both get each job twice more.
    """
    site = situation.site
    situation.hold_jobs()
    site.suspend("worker")
    site.start(SECOND_WORKER)
    age_heartbeats()
    taken_over = [job.pk for job in situation.jobs if job.kind in KINDS[:2]]
    first = Job.objects.filter(pk__in=taken_over, attempts=1)
    wait_until(lambda: not first.exists(), "a second attempt of each job", 90)
    site.resume("worker")
    for job in situation.jobs * 2:
        app.send_task(JOBS[job.kind][0], args=[job.pk])
    situation.work_on(5)
    situation.release_jobs()
    situation.wait_for_jobs()
    site.end(SECOND_WORKER)
