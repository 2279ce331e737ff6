"""Start the jobs that generate responses, or count the tokens of that, for a person."""

from django.db import transaction

from annotation import jobs
from annotation.generation import run, token_counts
from annotation.model_calls.runs import RunLimits
from annotation.models import Generator, Job, User
from tasks.jobs import enqueue


def start_generation(generator: Generator, limits: RunLimits, *, actor: User) -> Job:
    """Return the new job that generates the missing responses. Raises ModelError."""
    run.new_run(generator, limits)
    return _start(run.GENERATE_RESPONSES, generator, limits.as_params(), actor)


def start_token_count(generator: Generator, *, actor: User) -> Job:
    """Return the new job that counts the tokens of the missing responses. Raises ModelError while one is open."""
    return _start(token_counts.COUNT_TOKENS, generator, {}, actor)


@transaction.atomic
def _start(kind: str, generator: Generator, params: dict[str, object], actor: User) -> Job:
    Generator.objects.select_for_update(no_key=True).get(pk=generator.pk)  # of two requests at once, one is refused
    if run.open_jobs(generator).filter(kind=kind).exists():
        raise run.busy_error(generator)
    job = jobs.create(kind, params={"generator": generator.pk, **params}, actor=actor)
    enqueue(job)
    return job
