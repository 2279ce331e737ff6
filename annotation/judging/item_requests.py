"""The requests to a judge that rates items: about an item, or all items of a response, in each of its samples.

Data flows from the items to the messages (`prompts`), from each reply to answers (`answers`), and from the majority of
the samples to verdicts (`verdicts`).
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Self

from django.db.models import F

from .. import protocols
from ..model_calls.errors import InvalidAnswer
from ..model_calls.replies import Reply
from ..model_calls.request_groups import RequestGroup, ResultCounts
from ..models import Document, Item, Judge, JudgeCall, JudgeRun, Prompt
from ..rating.evidence import CONTRADICTS, SUPPORTS
from ..rating.whole_response_questions import last_items
from .answers import ItemAnswer, probability, read_answers
from .passages import PassageIndex
from .prompts import answer_schema, build_messages, evidence_of
from .quotes import is_shown, locate
from .verdicts import NewVerdict, store_verdicts

CHUNK = 200
"""Items whose texts are in memory at once."""


@dataclass(eq=False, kw_only=True)
class JudgeRequests(RequestGroup):
    """The requests of a run about these items, which give one result together; a call names the first."""

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


@dataclass(eq=False, kw_only=True)
class ItemRequests(JudgeRequests):
    """Items of one request with their questions, and the answers so far: sample -> answers in the items' order, or None
    if they were invalid.
    """

    questions: Sequence[protocols.Protocol]
    index: PassageIndex | None
    samples: dict[int, list[ItemAnswer] | None] = field(default_factory=dict)

    def note_answer(self, number: int, text: str) -> None:
        self.samples[number] = self._answers(text)

    def note_failure(self, number: int) -> None:
        self.samples[number] = None

    @property
    def is_complete(self) -> bool:
        return len(self.samples) == len(self.messages)

    def without_answers(self) -> Self:
        return replace(self, samples={}, probability=None)

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
        is_list = self.run.judge.request_unit == Judge.RequestUnit.RESPONSE
        return read_answers(text, self.questions, is_list=is_list)

    def verdicts(self) -> list[NewVerdict]:
        """Return the verdict about each item, once all samples are there."""
        samples = [answers for _sample, answers in sorted(self.samples.items())]
        fingerprints = " ".join(sorted(self.fingerprints))
        cost = self.cost / len(self.items) if self.cost is not None else None
        evidence = [text for item in self.items for text in evidence_of(item) or ()]
        verdicts = []
        for number, (item, protocol) in enumerate(zip(self.items, self.questions, strict=True)):
            votes = [None if answers is None else answers[number] for answers in samples]
            stored_votes = [None if vote is None else vote.answers for vote in votes]
            winner = majority(protocol, votes)
            if winner is None:
                failed = NewVerdict(
                    item, votes=stored_votes, problem=self.problem, fingerprints=fingerprints, cost=cost
                )
                verdicts.append(failed)
                continue
            answer, share = winner
            better = (measure for measure in protocol.measures if measure.better == "higher")
            is_positive = any(protocols.holds(measure.counts, answer.answers) for measure in better)
            passage = locate(answer.quote, self.index, SUPPORTS if is_positive else CONTRADICTS)
            verdict = NewVerdict(
                item,
                answer.answers,
                answer.reason,
                [passage] if passage else [],
                confidence=share if len(votes) > 1 else self.probability,
                votes=stored_votes if len(votes) > 1 else [],
                quote=answer.quote,
                quote_found=(passage is not None or is_shown(answer.quote, self.index, evidence))
                if answer.quote
                else None,
                fingerprints=fingerprints,
                cost=cost,
                seconds=self.seconds / len(self.items),
            )
            verdicts.append(verdict)
        return verdicts


def majority(protocol: protocols.Protocol, votes: Sequence[ItemAnswer | None]) -> tuple[ItemAnswer, float] | None:
    """Return the answer that most samples gave, and their share of all samples; None if no sample is valid.

    Question by question, in the protocol's order: the option that most remaining samples gave remains, of a tie the
    first in the protocol's order. The share is that of the first checked question. An invalid sample (None) counts as
    one that does not agree. Reason and quote are those of the first sample that remains.
    """
    remaining = [vote for vote in votes if vote is not None]
    if not remaining:
        return None
    checked = protocol.checked_questions[0].key if protocol.measures else protocol.questions[0].key
    share = 1.0
    for question in protocol.questions:
        if question.kind != "choice":
            continue
        counts = Counter(vote.answers.get(question.key) for vote in remaining)
        order = {key: number for number, key in enumerate([*question.option_keys, None])}
        winner = min(counts, key=lambda option: (-counts[option], order[option]))
        remaining = [vote for vote in remaining if vote.answers.get(question.key) == winner]
        if question.key == checked:
            agreeing = sum(vote is not None and vote.answers.get(checked) == winner for vote in votes)
            share = agreeing / len(votes)
    return remaining[0], share


def iter_item_requests(run: JudgeRun, items: Sequence[int]) -> Iterator[ItemRequests]:
    """Yield the groups of requests about these items (primary keys), which are ordered by document and response."""
    judge, protocol, documents = run.judge, run.project.protocol.definition, Documents()
    is_single = judge.request_unit == Judge.RequestUnit.ITEM
    if is_single:
        chunks = [items[start : start + CHUNK] for start in range(0, len(items), CHUNK)]
    else:  # all items of a response are in one
        responses = dict(Item.objects.filter(pk__in=items).values_list("pk", "response"))
        chunks = [list(group) for _response, group in groupby(items, responses.get)]
    for chunk in chunks:
        last = set(last_items(run.project, chunk).values_list("pk", flat=True))
        about = groupby(fetch_items(chunk), lambda item: item.pk if is_single else (item.response_id, item.against_id))
        for asked in (list(group) for _about, group in about):
            index = documents.index_of(asked[0].response.prompt)
            questions = [protocol.for_item(is_last=item.pk in last, kind=item.kind) for item in asked]
            request_protocol = questions[0] if is_single else protocol
            messages = build_messages(judge, request_protocol, asked, index)
            yield ItemRequests(
                run=run,
                items=asked,
                messages=dict.fromkeys(range(1, judge.samples + 1), messages),
                schema=answer_schema(judge, request_protocol),
                questions=questions,
                index=index,
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
