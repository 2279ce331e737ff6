"""The requests of a run that give one result together."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Self

from ..models.model_calls import ModelCall
from .replies import Reply
from .request_bodies import Messages, Schema


@dataclass(frozen=True)
class ResultCounts:
    """Numbers of valid results and of failed ones."""

    valid: int = 0
    failed: int = 0

    def __add__(self, other: "ResultCounts") -> "ResultCounts":
        return ResultCounts(self.valid + other.valid, self.failed + other.failed)


@dataclass(eq=False, kw_only=True)
class RequestGroup(ABC):
    """The requests about the same items, response or prompt, with what is known of their answers so far.

    `messages`: number of the request, from 1 -> its messages. `schema`: of an answer; None where it is a plain text.
    `fingerprints`: those that the endpoint named.
    """

    messages: Mapping[int, Messages]
    schema: Schema | None
    problem: str = ""
    cost: Decimal | None = None
    seconds: float = 0.0
    is_dropped: bool = False
    probability: float | None = None
    fingerprints: set[str] = field(default_factory=set)

    def add_cost(self, cost: Decimal | None) -> None:
        """Add what one answer cost."""
        if cost is not None:
            self.cost = cost + (self.cost or 0)

    def probability_of(self, reply: Reply) -> float | None:
        """Return the probability of the answer by log-probabilities; None without them."""
        return None

    @property
    def can_be_repaired(self) -> bool:
        """Whether an invalid answer is shown to the model once, with the problem, and asked for again."""
        return True

    @property
    def accepts_cut_answers(self) -> bool:
        """Whether the text of an answer counts however it ended."""
        return False

    @property
    def size(self) -> int:
        """The number of items or prompts that the requests are about."""
        return 1

    @abstractmethod
    def new_call(self) -> ModelCall:
        """Return a row for one of the requests, which is not stored yet."""

    @abstractmethod
    def note_answer(self, number: int, text: str) -> None:
        """Take the answer to the request with this number. Raises InvalidAnswer."""

    @abstractmethod
    def note_failure(self, number: int) -> None:
        """Take that the request with this number has no valid answer; `problem` says why."""

    @property
    @abstractmethod
    def is_complete(self) -> bool:
        """Whether each request has an answer, or failed."""

    @classmethod
    @abstractmethod
    def store(cls, groups: Sequence[Self]) -> ResultCounts:
        """Store the results of complete groups, which are of one run, and return their numbers."""
