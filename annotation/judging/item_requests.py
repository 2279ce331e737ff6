"""The requests to a judge that rates items: about an item, or all items of a response, in each of its samples."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Self

from django.db.models import F

from .. import protocols
from ..model_calls.errors import InvalidAnswer
from ..model_calls.replies import Reply
from ..model_calls.request_groups import ResultCounts
from ..models import Document, Item, Judge, JudgeRun, Prompt
from ..rating.evidence import CONTRADICTS, SUPPORTS, Passage
from ..rating.whole_response_questions import last_items
from .answers import ItemAnswer, probability, read_answers
from .judge_requests import JudgeRequests
from .passages import PassageIndex
from .prompts import answer_schema, build_messages, evidence_of
from .quotes import is_shown, locate
from .verdicts import NewVerdict, store_verdicts
from .votes import majority

CHUNK = 200
"""Items whose texts are in memory at once."""


@dataclass(eq=False, kw_only=True)
class ItemRequests(JudgeRequests):
    """Items of one request with their questions, and the answers so far: sample -> answers in the items' order, or None
    if they were invalid. `is_list`: an answer is a list, with an entry for each item.
    """

    questions: Sequence[protocols.Protocol]
    index: PassageIndex | None
    is_list: bool
    samples: dict[int, list[ItemAnswer] | None] = field(default_factory=dict)

    def note_answer(self, number: int, text: str) -> None:
        self.samples[number] = self._answers(text)

    def without_answers(self) -> Self:
        return replace(self, samples={}, probability=None)

    def note_failure(self, number: int) -> None:
        self.samples[number] = None

    @property
    def is_complete(self) -> bool:
        return len(self.samples) == len(self.messages)

    @classmethod
    def store(cls, groups: Sequence[Self]) -> ResultCounts:
        return store_verdicts(groups[0].run, [verdict for group in groups for verdict in group.verdicts()])

    def probability_of(self, reply: Reply) -> float | None:
        protocol = self.questions[0]
        if not reply.tokens or len(self.items) > 1 or not protocol.measures:
            return None
        try:
            (answer,) = self._answers(reply.text)
        except InvalidAnswer:
            return None
        choice = answer.answers.get(protocol.checked_questions[0].key)
        return probability(answer.source, reply.tokens, choice) if choice else None

    def _answers(self, text: str) -> list[ItemAnswer]:
        return read_answers(text, self.questions, is_list=self.is_list)

    def verdicts(self) -> list[NewVerdict]:
        """Return the verdict about each item, once all samples are there."""
        return [self._verdict(number) for number in range(len(self.items))]

    def _verdict(self, number: int) -> NewVerdict:
        item, questions = self.items[number], self.questions[number]
        samples = [answers for _sample, answers in sorted(self.samples.items())]
        votes = [None if answers is None else answers[number] for answers in samples]
        cost = self.cost / len(self.items) if self.cost is not None else None
        stored_votes = [None if vote is None else vote.answers for vote in votes]
        fingerprints = " ".join(sorted(self.fingerprints))
        result = majority(questions, votes)
        if result is None:
            return NewVerdict(item, votes=stored_votes, problem=self.problem, fingerprints=fingerprints, cost=cost)
        answer, share = result
        stance = SUPPORTS if _is_positive(questions, answer.answers) else CONTRADICTS
        passage = locate(answer.quote, self.index, stance)
        return NewVerdict(
            item,
            answer.answers,
            answer.reason,
            [passage] if passage else [],
            confidence=share if len(votes) > 1 else self.probability,
            votes=stored_votes if len(votes) > 1 else [],
            quote=answer.quote,
            quote_found=self._is_found(answer.quote, passage) if answer.quote else None,
            fingerprints=fingerprints,
            cost=cost,
            seconds=self.seconds / len(self.items),
        )

    def _is_found(self, quote: str, passage: Passage | None) -> bool:
        """Return whether what the judge was shown has the quote: the document, or the evidence of its items."""
        evidence = (text for item in self.items for text in evidence_of(item) or ())
        return passage is not None or is_shown(quote, self.index, evidence)


def _is_positive(protocol: protocols.Protocol, answers: protocols.Answers) -> bool:
    better = (measure for measure in protocol.measures if measure.better == "higher")
    return any(protocols.holds(measure.counts, answers) for measure in better)


def iter_item_requests(run: JudgeRun, items: Sequence[int]) -> Iterator[ItemRequests]:
    """Yield the groups of requests about these items (primary keys), which are ordered by document and response."""
    protocol, documents = run.project.protocol.definition, Documents()
    for chunk in _chunks(run.judge, items):
        rows = fetch_items(chunk)
        last = set(last_items(run.project, chunk).values_list("pk", flat=True))
        for asked in _by_request(run.judge, rows):
            index = documents.index_of(asked[0].response.prompt)
            questions = [protocol.for_item(is_last=item.pk in last, kind=item.kind) for item in asked]
            request_protocol = questions[0] if run.judge.request_unit == Judge.RequestUnit.ITEM else protocol
            messages = build_messages(run.judge, request_protocol, asked, index)
            yield ItemRequests(
                run=run,
                items=asked,
                messages=dict.fromkeys(range(1, run.judge.samples + 1), messages),
                schema=answer_schema(run.judge, request_protocol),
                questions=questions,
                index=index,
                is_list=run.judge.request_unit == Judge.RequestUnit.RESPONSE,
            )


def fetch_items(items: Sequence[int]) -> list[Item]:
    """Return these items with response and prompt, in this order, without documents. `evidence_by_position`: the lists
    of evidence that the data set has for the items of the response, or None.
    """
    rows = (
        Item.objects.select_related("response__prompt", "against")
        .defer("response__metadata", "response__prompt__annotations", "response__prompt__metadata", "against__metadata")
        .annotate(evidence_by_position=F("response__metadata__evidence"))
    )
    by_pk = rows.in_bulk(list(items))
    return [by_pk[pk] for pk in items if pk in by_pk]


def _chunks(judge: Judge, items: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield the primary keys in chunks; all items of a response are in one."""
    if judge.request_unit == Judge.RequestUnit.ITEM:
        yield from (items[start : start + CHUNK] for start in range(0, len(items), CHUNK))
        return
    rows = dict(Item.objects.filter(pk__in=items).values_list("pk", "response"))
    for _response, group in groupby(items, rows.get):
        yield list(group)


def _by_request(judge: Judge, items: list[Item]) -> Iterator[list[Item]]:
    if judge.request_unit == Judge.RequestUnit.ITEM:
        return ([item] for item in items)
    return (list(group) for _pair, group in groupby(items, lambda item: (item.response_id, item.against_id)))


class Documents:
    """The index of the current document: prompts come ordered by document."""

    def __init__(self) -> None:
        self._pk: int | None = None
        self._index: PassageIndex | None = None

    def index_of(self, prompt: Prompt) -> PassageIndex | None:
        """Return the index of the prompt's document; None if it has none."""
        pk = prompt.document_id
        if pk is None:
            return None
        if pk != self._pk:
            self._pk, self._index = pk, PassageIndex(Document.objects.get(pk=pk))
        return self._index
