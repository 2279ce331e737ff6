"""How runs end, and what is stored of it."""

from collections.abc import Iterator
from contextlib import contextmanager

from ..i18n.english import localized
from ..jobs import Stopped
from ..models.model_calls import ModelRun
from ..site.database_clock import database_now
from .calls import CallCounts
from .errors import ModelChanged, ModelError


@contextmanager
def end_on_error(run: ModelRun) -> Iterator[None]:
    """End the run if the block raises: as stopped if its job was canceled, by a change of model, or as failed."""
    try:
        yield
    except BaseException as error:
        end_run(run, _reason_of(error), _problem_of(error))
        raise


def _reason_of(error: BaseException) -> ModelRun.Ended:
    if isinstance(error, Stopped):
        return ModelRun.Ended.STOPPED
    return ModelRun.Ended.MODEL if isinstance(error, ModelChanged) else ModelRun.Ended.FAILED


def _problem_of(error: BaseException) -> str:
    """Return the error as the list of runs shows it; "" for a run that was canceled."""
    if isinstance(error, ModelError):
        return str(error)
    return "" if isinstance(error, Stopped) else type(error).__name__


def unanswered_problem(calls: CallCounts) -> str:
    """Return how many items or prompts have no answer, and why; "" if all have one."""
    if not calls.unanswered:
        return ""
    return (
        f"without an answer, and missing for the next run: {localized(f'{calls.unanswered:,}')}; the last request "
        f"failed: {calls.last_failure}"
    )


def end_run(run: ModelRun, ended: str, problem: str = "") -> None:
    """Store why the run ended. A run that a job continues has no problem of an earlier end."""
    run.ended, run.ended_at, run.problem = ended, database_now(), problem
    type(run)._default_manager.filter(pk=run.pk).update(ended=run.ended, ended_at=run.ended_at, problem=problem)
