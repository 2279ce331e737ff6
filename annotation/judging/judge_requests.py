"""The requests of a judge that give one result together: the base of `item_requests` and `fact_requests`."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from ..model_calls.request_groups import RequestGroup
from ..models import Item, JudgeCall, JudgeRun


@dataclass(eq=False, kw_only=True)
class JudgeRequests(RequestGroup):
    """The requests of a run about these items; a call names the first."""

    run: JudgeRun
    items: Sequence[Item]

    @property
    def size(self) -> int:
        return len(self.items)

    def new_call(self) -> JudgeCall:
        return JudgeCall(run=self.run, item=self.items[0])

    @abstractmethod
    def without_answers(self) -> Self:
        """Return a copy that has no answers yet."""
