"""The requests of Fact-QA: about the facts of a response (precision) and of its reference answer (recall)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from ..model_calls.errors import InvalidAnswer
from ..model_calls.request_groups import Messages, ResultCounts
from ..models import FactScore, Item, Judge, JudgeRun, Response
from ..stats.correlation import f1_of
from .fact_answers import FactCounts, read_facts, read_score
from .fact_prompts import answer_schema, precision_messages, recall_messages
from .fact_scores import store_fact_scores, unscorable
from .item_requests import CHUNK, Documents
from .judge_requests import JudgeRequests
from .passages import PassageIndex

PRECISION, RECALL = 1, 2
"""Numbers of the two requests about a response."""
NAMES = {PRECISION: "precision", RECALL: "recall"}


@dataclass(eq=False, kw_only=True)
class FactRequests(JudgeRequests):
    """A response with the facts that are counted so far, by number of the request: None if an answer is not valid.

    `counts_unreadable`: in the published mode an unreadable answer has the value 0, and is not repaired.
    """

    response: Response
    counts_unreadable: bool
    counts: dict[int, FactCounts | None] = field(default_factory=dict)
    unreadable: set[int] = field(default_factory=set)

    @property
    def accepts_cut_answers(self) -> bool:
        return self.counts_unreadable  # the published program reads the text alone

    def note_answer(self, number: int, text: str) -> None:
        if not self.counts_unreadable:
            self.counts[number] = read_facts(text)
            return
        try:
            self.counts[number] = read_score(text)
        except InvalidAnswer:
            self.counts[number] = None
            self.unreadable.add(number)

    def without_answers(self) -> Self:
        return replace(self, counts={}, unreadable=set())

    def note_failure(self, number: int) -> None:
        self.counts[number] = None

    @property
    def is_complete(self) -> bool:
        return len(self.counts) == len(self.messages)

    @classmethod
    def store(cls, groups: Sequence[Self]) -> ResultCounts:
        return store_fact_scores(groups[0].run, [group.score() for group in groups])

    def score(self) -> FactScore:
        """Return the score of the response, which failed if one of its requests did."""
        counts = {NAMES[number]: each and each.shortened().as_json() for number, each in sorted(self.counts.items())}
        score = FactScore(response=self.response, counts=counts, unreadable=len(self.unreadable), cost=self.cost)
        failed = [number for number, each in self.counts.items() if each is None and number not in self.unreadable]
        if failed:
            score.state, score.problem = FactScore.State.FAILED, self.problem
            return score
        score.state = FactScore.State.SCORED
        score.precision, score.recall = self._value(PRECISION), self._value(RECALL)
        score.f1 = f1_of(score.precision, score.recall)
        return score

    def _value(self, number: int) -> float | None:
        if number in self.unreadable:
            return 0.0
        counts = self.counts.get(number)
        return counts.value if counts else None


def iter_fact_requests(run: JudgeRun, responses: Sequence[int]) -> Iterator[FactRequests]:
    """Yield the groups of requests about these responses (primary keys), which are ordered by document. Responses that
    cannot be scored have none.
    """
    judge, documents = run.judge, Documents()
    for chunk in _chunks(responses):
        items = {item.response_id: item for item in Item.objects.filter(response__in=chunk).order_by("-pk")}
        for response in fetch_responses(chunk):
            if not unscorable(judge, response):
                yield FactRequests(
                    run=run,
                    items=[items[response.pk]],
                    messages=_messages(judge, response, documents),
                    schema=answer_schema(judge),
                    response=response,
                    counts_unreadable=judge.fact_qa == Judge.FactQA.PUBLISHED,
                )


def _messages(judge: Judge, response: Response, documents: Documents) -> dict[int, Messages]:
    index: PassageIndex | None = None
    if judge.fact_source == Judge.FactSource.DOCUMENT:
        index = documents.index_of(response.prompt)
    messages = {PRECISION: precision_messages(judge, response, index)}
    if response.prompt.reference.strip() and not judge.precision_only:
        messages[RECALL] = recall_messages(judge, response)
    return messages


def fail_unscorable(run: JudgeRun, responses: Sequence[int]) -> ResultCounts:
    """Store a failed score for those of these responses (primary keys) that cannot be scored."""
    counts = ResultCounts()
    for chunk in _chunks(responses):
        problems = ((response, unscorable(run.judge, response)) for response in fetch_responses(chunk))
        failed = [
            FactScore(response=response, state=FactScore.State.FAILED, problem=problem)
            for response, problem in problems
            if problem
        ]
        counts += store_fact_scores(run, failed)
    return counts


def _chunks(responses: Sequence[int]) -> Iterator[Sequence[int]]:
    return (responses[start : start + CHUNK] for start in range(0, len(responses), CHUNK))


def fetch_responses(responses: Sequence[int]) -> list[Response]:
    """Return these responses with their prompts, in this order, without documents."""
    rows = Response.objects.select_related("prompt").defer("metadata", "prompt__annotations", "prompt__metadata")
    by_pk = rows.in_bulk(list(responses))
    return [by_pk[pk] for pk in responses if pk in by_pk]
