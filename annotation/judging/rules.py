"""Rule judges, which need no model. Each says whether a sentence is positive, that is free of problems; `rule_answers`
words that in a protocol, and `run_rule` lets a rule rate.

They are baselines: a model that is no better than they are is not worth its price.
"""

from collections.abc import Callable
from dataclasses import dataclass

from .. import protocols
from ..i18n.english import localized
from ..jobs import Progress
from ..model_calls.errors import ModelError
from ..model_calls.request_groups import ResultCounts
from ..models import Document, Judge, JudgeRun
from ..rating.evidence import CONTRADICTS, SUPPORTS, Passage
from ..rating.whole_response_questions import last_items
from .item_requests import Documents, fetch_items
from .passages import PassageIndex, numbers_in, stems_in
from .prompts import rated_text
from .verdicts import NewVerdict, store_verdicts
from .workload import judged_kinds

BATCH = 500
"""Items whose verdicts are stored in a transaction."""

ENOUGH_OVERLAP = 0.5
"""The share of a sentence's content words that the best passage must have."""


@dataclass(frozen=True)
class RuleFinding:
    """Whether a sentence is positive, why (in English, as all that is stored), and the passage compared with it."""

    is_positive: bool
    reason: str
    passage: Passage | None = None


Rule = Callable[[str, PassageIndex], RuleFinding]


def _lexical_overlap(text: str, index: PassageIndex) -> RuleFinding:
    words = set(stems_in(text))
    best = index.passages(text, 1)
    if not words or not best:
        return RuleFinding(not words, "No content word is in the document." if words else "There is no content word.")
    paragraph = index.paragraphs[best[0].number]
    shared = len(words & paragraph.stems)
    is_positive = shared >= ENOUGH_OVERLAP * len(words)
    reason = f"{shared} of {len(words)} content words are in the best passage."
    start, end = best[0].start, best[0].end
    passage: Passage = {
        "paragraph": paragraph.id,
        "start": start,
        "end": end,
        "stance": SUPPORTS if is_positive else CONTRADICTS,
        "text": paragraph.text[start:end],
    }
    return RuleFinding(is_positive, reason, passage)


def _numbers(text: str, index: PassageIndex) -> RuleFinding:
    numbers = list(dict.fromkeys(numbers_in(text)))
    missing = [number for number in numbers if number not in index.numbers]
    if missing:
        return RuleFinding(False, f"Not in the document: {', '.join(missing)}.")
    return RuleFinding(True, f"In the document: {', '.join(numbers)}." if numbers else "There is no number.")


def _always_accurate(_text: str, _index: PassageIndex) -> RuleFinding:
    return RuleFinding(True, "This rule rates every sentence so.")


RULES: dict[str, Rule] = {
    Judge.Rule.LEXICAL_OVERLAP: _lexical_overlap,
    Judge.Rule.NUMBERS: _numbers,
    Judge.Rule.ALWAYS_ACCURATE: _always_accurate,
}


def run_rule(run: JudgeRun, items: list[int], progress: Progress) -> ResultCounts:
    """Rate these items (primary keys), ordered by document. Raises ModelError before anything is stored."""
    rule, protocol = run.judge.rule, run.project.protocol.definition
    check_protocol(rule, protocol, judged_kinds(run.project))
    counts, documents = ResultCounts(), Documents()
    for batch in (items[start : start + BATCH] for start in range(0, len(items), BATCH)):
        last = set(last_items(run.project, batch).values_list("pk", flat=True))
        verdicts = []
        for item in fetch_items(batch):
            index = documents.index_of(item.response.prompt)
            if index is None and rule != Judge.Rule.ALWAYS_ACCURATE:
                verdicts.append(NewVerdict(item, problem="The prompt has no document."))
                continue
            finding = RULES[rule](rated_text(item), index or PassageIndex(Document()))
            narrowed = protocol.for_item(is_last=item.pk in last, kind=item.kind)
            answers, passage = rule_answers(rule, narrowed, finding.is_positive, finding.reason), finding.passage
            verdict = NewVerdict(
                item,
                answers,
                finding.reason,
                [passage] if passage else [],
                quote=passage["text"] if passage else "",
                quote_found=True if passage else None,
            )
            verdicts.append(verdict)
        counts += store_verdicts(run, verdicts)
        progress(counts.valid + counts.failed, len(items), f"failed: {localized(f'{counts.failed:,}')}")
    return counts


def check_protocol(rule: str, protocol: protocols.Protocol, kinds: set[str]) -> None:
    """Raise ModelError unless the rule's answers are valid under the protocol, for items of these kinds."""
    if protocol.unit == "pair":
        raise ModelError("a rule rates single responses, but this project compares pairs")
    for kind in kinds:
        for is_last in (True, False):
            narrowed = protocol.for_item(is_last=is_last, kind=kind)
            for is_positive in (True, False):
                problems = protocols.problems(narrowed, rule_answers(rule, narrowed, is_positive, "…"))
                if problems:
                    raise ModelError(f"the rule {rule} cannot answer this protocol: {problems}")


def rule_answers(rule: str, protocol: protocols.Protocol, is_positive: bool, reason: str) -> dict[str, str]:
    """Return the answers to the questions about one item.

    The question that decides is the first that a measure with a direction counts: a positive sentence gets the first
    option of a measure of which more is better, another one the first option of a measure of which less is better (for
    lexical overlap, one with the tone `unsupported` if there is one). Questions that lead there are answered so that it
    is asked. Of all others the first option is chosen that no measure of which less is better counts: the mildest. A
    text that must be given is `reason`.
    """
    decisive = protocol.checked_questions[0] if protocol.measures else protocol.questions[0]
    answers: dict[str, str] = {}
    while question := _next_question(protocol, answers):
        if question.key == decisive.key:
            answers[question.key] = _deciding_option(rule, protocol, question, is_positive)
        elif question.key in decisive.show_when and decisive.key not in answers:
            answers[question.key] = next(iter(decisive.show_when[question.key]))
        else:
            severe = _counted(protocol, question, "lower")
            mild = (key for key in question.option_keys if key not in severe)
            answers[question.key] = next(mild, question.option_keys[-1])
    texts = [question for question in protocols.visible_questions(protocol, answers) if question.kind == "text"]
    needed = [text for text in texts if text.required and protocols.holds(text.require_when, answers)]
    return answers | {text.key: reason[: text.max_length] for text in needed}


def _next_question(protocol: protocols.Protocol, answers: dict[str, str]) -> protocols.Question | None:
    visible = protocols.visible_questions(protocol, answers)
    choices = (question for question in visible if question.kind == "choice")
    return next((question for question in choices if question.key not in answers), None)


def _deciding_option(rule: str, protocol: protocols.Protocol, question: protocols.Question, is_positive: bool) -> str:
    if not is_positive and rule == Judge.Rule.LEXICAL_OVERLAP:
        unsupported = [option.key for option in question.options if option.tone == "unsupported"]
        if unsupported:
            return unsupported[0]
    direction, opposite = ("higher", "lower") if is_positive else ("lower", "higher")
    options = _counted(protocol, question, direction)
    if options:
        return options[0]
    excluded = {*_counted(protocol, question, opposite), *protocol.left_out(question.key)}
    neutral = [key for key in question.option_keys if key not in excluded] or list(question.option_keys)
    return neutral[0] if is_positive else neutral[-1]


def _counted(protocol: protocols.Protocol, question: protocols.Question, better: str) -> list[str]:
    """Return the options of the question that measures with this direction count, in the order of the measures."""
    measures = (measure for measure in protocol.measures if measure.better == better)
    return [key for measure in measures for key in question.option_keys if key in measure.counts.get(question.key, ())]
