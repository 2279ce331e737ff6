"""What a model is asked: an item, or all items of a response, with the samples that it takes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import groupby

from .. import protocols
from ..models import Document, Item, Judge, JudgeRun
from ..rating.evidence import CONTRADICTS, SUPPORTS
from ..rating.whole_response_questions import last_items
from .answers import ItemAnswer
from .passages import PassageIndex
from .prompts import build_messages
from .quotes import locate
from .verdicts import NewVerdict
from .votes import majority

CHUNK = 200
"""Items whose texts are in memory at once."""


@dataclass(eq=False)
class JudgeTask:
    """Items of one request with their questions, and the answers so far: sample -> answers in the items' order, or None
    if they were invalid.
    """

    items: Sequence[Item]
    questions: Sequence[protocols.Protocol]
    messages: list[dict[str, str]]
    index: PassageIndex | None
    samples: dict[int, list[ItemAnswer] | None] = field(default_factory=dict)
    probability: float | None = None
    problem: str = ""
    cost: Decimal | None = None
    seconds: float = 0.0
    is_dropped: bool = False

    def add_cost(self, cost: Decimal | None) -> None:
        """Add what one answer cost."""
        if cost is not None:
            self.cost = cost + (self.cost or 0)

    def verdicts(self) -> list[NewVerdict]:
        """Return the verdict about each item, once all samples are there."""
        return [self._verdict(number) for number in range(len(self.items))]

    def _verdict(self, number: int) -> NewVerdict:
        item, questions = self.items[number], self.questions[number]
        samples = [answers for _sample, answers in sorted(self.samples.items())]
        votes = [None if answers is None else answers[number] for answers in samples]
        cost = self.cost / len(self.items) if self.cost is not None else None
        stored_votes = [None if vote is None else vote.answers for vote in votes]
        result = majority(questions, votes)
        if result is None:
            return NewVerdict(item, votes=stored_votes, problem=self.problem, cost=cost)
        answer, share = result
        stance = SUPPORTS if _is_good(questions, answer.answers) else CONTRADICTS
        passage = locate(answer.quote, self.index, stance)
        return NewVerdict(
            item,
            answer.answers,
            answer.reason,
            [passage] if passage else [],
            confidence=share if len(votes) > 1 else self.probability,
            votes=stored_votes if len(votes) > 1 else [],
            quote=answer.quote,
            quote_found=passage is not None if answer.quote else None,
            cost=cost,
            seconds=self.seconds / len(self.items),
        )


def _is_good(protocol: protocols.Protocol, answers: protocols.Answers) -> bool:
    better = (measure for measure in protocol.measures if measure.better == "higher")
    return any(protocols.holds(measure.counts, answers) for measure in better)


def iter_tasks(run: JudgeRun, items: Sequence[int]) -> Iterator[JudgeTask]:
    """Yield the tasks for these items (primary keys), which are ordered by document and response."""
    protocol, documents = run.project.protocol.definition, Documents()
    for chunk in _chunks(run.judge, items):
        rows = fetch_items(chunk)
        last = set(last_items(run.project, chunk).values_list("pk", flat=True))
        for group in _groups(run.judge, rows):
            index = documents.index_of(group[0])
            questions = [protocol.for_item(is_last=item.pk in last, kind=item.kind) for item in group]
            request_protocol = questions[0] if run.judge.rates == Judge.Rates.SENTENCE else protocol
            yield JudgeTask(group, questions, build_messages(run.judge, request_protocol, group, index), index)


def fetch_items(items: Sequence[int]) -> list[Item]:
    """Return these items with response and prompt, in this order, without documents."""
    rows = Item.objects.select_related("response__prompt", "against").defer(
        "response__metadata", "response__prompt__annotations", "response__prompt__metadata", "against__metadata"
    )
    by_pk = rows.in_bulk(list(items))
    return [by_pk[pk] for pk in items if pk in by_pk]


def _chunks(judge: Judge, items: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield the primary keys in chunks; all items of a response are in one."""
    if judge.rates == Judge.Rates.SENTENCE:
        yield from (items[start : start + CHUNK] for start in range(0, len(items), CHUNK))
        return
    rows = dict(Item.objects.filter(pk__in=items).values_list("pk", "response"))
    for _response, group in groupby(items, rows.get):
        yield list(group)


def _groups(judge: Judge, items: list[Item]) -> Iterator[list[Item]]:
    if judge.rates == Judge.Rates.SENTENCE:
        return ([item] for item in items)
    return (list(group) for _pair, group in groupby(items, lambda item: (item.response_id, item.against_id)))


class Documents:
    """The index of the document in hand: items come ordered by document."""

    def __init__(self) -> None:
        self._pk: int | None = None
        self._index: PassageIndex | None = None

    def index_of(self, item: Item) -> PassageIndex | None:
        """Return the index of the item's document; None if its prompt has none."""
        pk = item.response.prompt.document_id
        if pk is None:
            return None
        if pk != self._pk:
            self._pk, self._index = pk, PassageIndex(Document.objects.get(pk=pk))
        return self._index
