"""Validate answers against a protocol: shown questions, pruned answers, problems.

Answers are pruned first: an answer to a question that is not shown is removed, so that "Severe" does not remain on a
sentence changed to Accurate. A condition names only earlier questions, so one pass in order is enough. Wording and
results are the same as in `static/js/shared/protocol.js`; change both.
"""

import re

from .conditions import holds
from .schema import WRITTEN, Protocol, Question, SentAnswers
from .translation import translatable
from .web_addresses import address_problems

# PostgreSQL stores neither NUL nor unpaired surrogates; JSON may contain both.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
# An explicit list, because Python and JavaScript define white space differently.
_BLANK = re.compile(r"[ \t\r\n]*")
_ECHO = 60


def visible_questions(protocol: Protocol, answers: SentAnswers) -> list[Question]:
    """Return the questions a rater with these answers sees, in order."""
    return _walk(protocol, answers)[0]


def prune(protocol: Protocol, answers: SentAnswers) -> dict[str, object]:
    """Return the answers without nulls, blank texts and answers to hidden questions.

    Answers to questions the protocol does not have stay, so that `problems` can name them.
    """
    return {**_walk(protocol, answers)[1], **_unknown(protocol, answers)}


def problems(protocol: Protocol, answers: SentAnswers, *, may_have_gaps: bool = False) -> dict[str, list[str]]:
    """Return the problems of these answers by question key; empty if they may be stored.

    `may_have_gaps`: a missing answer is no problem, as in annotations that were published with gaps.
    """
    visible, visible_answers = _walk(protocol, answers)
    asked_for = [question for question in visible if question.key in visible_answers or not may_have_gaps]
    errors = {question.key: _problems_of(question, visible_answers) for question in asked_for}
    question_keys = ", ".join(question.key for question in protocol.questions)
    for key in _unknown(protocol, answers):
        message = translatable(
            "'%(key)s' is not a question of this protocol; its questions are: %(asked)s.",
            key=_echo(key),
            asked=question_keys,
        )
        errors.setdefault(_echo(key), []).append(message)
    return {key: messages for key, messages in errors.items() if messages}


def choices(protocol: Protocol, answers: SentAnswers) -> dict[str, str]:
    """Return the pruned answers to choice questions in the protocol's order, as counted by the tally."""
    visible, visible_answers = _walk(protocol, answers)
    choice_keys = [question.key for question in visible if question.kind == "choice"]
    return {key: answer for key in choice_keys if isinstance(answer := visible_answers.get(key), str)}


def _walk(protocol: Protocol, answers: SentAnswers) -> tuple[list[Question], dict[str, object]]:
    visible: list[Question] = []
    visible_answers: dict[str, object] = {}
    for question in protocol.questions:
        if holds(question.show_when, visible_answers):
            visible.append(question)
            if _is_given(question, answers.get(question.key)):
                visible_answers[question.key] = answers[question.key]
    return visible, visible_answers


def _is_given(question: Question, answer: object) -> bool:
    blank = question.kind in WRITTEN and isinstance(answer, str) and _BLANK.fullmatch(answer)
    return answer is not None and not blank


def _unknown(protocol: Protocol, answers: SentAnswers) -> dict[str, object]:
    question_keys = {question.key for question in protocol.questions}
    return {key: answer for key, answer in answers.items() if key not in question_keys and answer is not None}


def _problems_of(question: Question, answers: SentAnswers) -> list[str]:
    if question.key not in answers:
        needed = question.required and holds(question.require_when, answers)
        return [translatable("This question needs an answer.")] if needed else []
    check = _text_problems if question.kind in WRITTEN else _choice_problems
    messages = check(question, answers[question.key])
    return messages or (address_problems(str(answers[question.key])) if question.kind == "urls" else [])


def _choice_problems(question: Question, answer: object) -> list[str]:
    if isinstance(answer, str) and answer in question.option_keys:
        return []
    option_keys = ", ".join(question.option_keys)
    return [translatable("%(answer)s is not one of the options: %(known)s.", answer=_name(answer), known=option_keys)]


def _text_problems(question: Question, answer: object) -> list[str]:
    if not isinstance(answer, str):
        return [translatable("%(answer)s is not a text.", answer=_name(answer))]
    messages: list[str] = []
    if question.max_length is not None and len(answer) > question.max_length:
        lengths = {"length": len(answer), "most": question.max_length}
        messages.append(translatable("The text has %(length)s characters; at most %(most)s are allowed.", **lengths))
    if _UNSTORABLE.search(answer):
        messages.append(
            translatable("The text contains a character that cannot be stored (NUL, or half of a surrogate pair).")
        )
    return messages


def _name(answer: object) -> str:
    if isinstance(answer, str):
        return f"'{_echo(answer)}'"
    if isinstance(answer, bool):
        return translatable("True or false")
    names = {int: translatable("A number"), float: translatable("A number"), list: translatable("A list")}
    return names.get(type(answer), translatable("An object"))


def _echo(text: str) -> str:
    """Return a user's text, shortened and valid UTF-8."""
    return _UNSTORABLE.sub("\ufffd", text[:_ECHO])
