"""Let a rule judge rate the missing items, some hundreds in a transaction."""

from collections.abc import Iterator

from .. import protocols
from ..i18n.numbers import localized
from ..jobs import Progress
from ..model_calls.request_groups import ResultCounts
from ..models import Document, Item, JudgeRun
from ..rating.whole_response_questions import last_items
from .item_requests import Documents, fetch_items
from .judged_items import judged_kinds
from .passages import PassageIndex
from .prompts import rated_text
from .rules import RULES, check_protocol, needs_document, rule_answers
from .verdicts import NewVerdict, store_verdicts

BATCH = 500


def run_rule(run: JudgeRun, items: list[int], progress: Progress) -> ResultCounts:
    """Rate these items (primary keys), ordered by document. Raises ModelError before anything is stored."""
    protocol = run.project.protocol.definition
    check_protocol(run.judge.rule, protocol, judged_kinds(run.project))
    counts = ResultCounts()
    documents = Documents()
    for batch in _batches(items):
        counts += store_verdicts(run, list(_verdicts(run, protocol, fetch_items(batch), documents)))
        message = f"failed: {localized(f'{counts.failed:,}')}"
        progress(counts.valid + counts.failed, len(items), message)
    return counts


def _batches(items: list[int]) -> Iterator[list[int]]:
    return (items[start : start + BATCH] for start in range(0, len(items), BATCH))


def _verdicts(
    run: JudgeRun, protocol: protocols.Protocol, items: list[Item], documents: Documents
) -> Iterator[NewVerdict]:
    last = set(last_items(run.project, [item.pk for item in items]).values_list("pk", flat=True))
    for item in items:
        index = documents.index_of(item.response.prompt)
        if index is None and needs_document(run.judge.rule):
            yield NewVerdict(item, problem="The prompt has no document.")
            continue
        narrowed = protocol.for_item(is_last=item.pk in last, kind=item.kind)
        yield _verdict(run.judge.rule, narrowed, item, index or PassageIndex(Document()))


def _verdict(rule: str, protocol: protocols.Protocol, item: Item, index: PassageIndex) -> NewVerdict:
    finding = RULES[rule](rated_text(item), index)
    answers = rule_answers(rule, protocol, finding.is_positive, finding.reason)
    passage = finding.passage
    return NewVerdict(
        item,
        answers,
        finding.reason,
        [passage] if passage else [],
        quote=passage["text"] if passage else "",
        quote_found=True if passage else None,
    )
