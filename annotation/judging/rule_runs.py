"""Let a rule judge rate the missing items, some hundreds in a transaction."""

from collections.abc import Iterable, Iterator
from itertools import islice

from .. import protocols
from ..jobs import Progress
from ..models import Document, Item, JudgeRun
from ..rating.whole_response_questions import last_items
from .passages import PassageIndex
from .rules import RULES, check_protocol, needs_document, rule_answers
from .verdicts import NewVerdict, VerdictCounts, store_verdicts

BATCH = 500


def run_rule(run: JudgeRun, items: list[Item], progress: Progress) -> VerdictCounts:
    """Rate these items, ordered by document, and return the counts. Raises JudgeError before it stores anything."""
    protocol = run.project.protocol.definition
    check_protocol(run.judge.rule, protocol, {item.kind for item in items})
    counts = VerdictCounts()
    for batch in _batches(items):
        counts += store_verdicts(run, list(_verdicts(run, protocol, batch)))
        progress(counts.rated + counts.failed, len(items))
    return counts


def _batches(items: list[Item]) -> Iterator[list[Item]]:
    remaining = iter(items)
    while batch := list(islice(remaining, BATCH)):
        yield batch


def _verdicts(run: JudgeRun, protocol: protocols.Protocol, items: Iterable[Item]) -> Iterator[NewVerdict]:
    items = list(items)
    last = set(last_items(run.project, [item.pk for item in items]).values_list("pk", flat=True))
    index = PassageIndex(Document())
    for item in items:
        document = item.response.prompt.document
        if document is None and needs_document(run.judge.rule):
            yield NewVerdict(item, problem="The prompt has no document.")
            continue
        if document and index.document != document:
            index = PassageIndex(document)
        narrowed = protocol.for_item(is_last=item.pk in last, kind=item.kind)
        yield _verdict(run.judge.rule, narrowed, item, index)


def _verdict(rule: str, protocol: protocols.Protocol, item: Item, index: PassageIndex) -> NewVerdict:
    finding = RULES[rule](item.text, index)
    answers = rule_answers(rule, protocol, finding.is_good, finding.reason)
    passage = finding.passage
    return NewVerdict(
        item,
        answers,
        finding.reason,
        [passage] if passage else [],
        quote=passage["text"] if passage else "",
        quote_found=True if passage else None,
    )
