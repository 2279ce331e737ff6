"""A protocol in the reader's language, for pages.

The texts of built-in protocols are messages of the catalogs, each under its protocol's name. Custom protocols, and
built-in ones stored with another text, have no translation and are shown as they are. Exports are in English
(`annotation/i18n/english.py`), so they keep the protocol's own words; so does the API.
docs/decisions/protocol-translation.md explains why.
"""

from functools import lru_cache

from django.utils.translation import get_language, gettext, pgettext

from .. import protocols
from ..protocols.examples import SAME_QUESTIONS


def message_context(slug: str) -> str:
    """Return the message context of a built-in protocol, so that equal texts elsewhere may be translated otherwise."""
    return f"protocol {SAME_QUESTIONS.get(slug, slug)}"


def translate_protocol(protocol: protocols.Protocol) -> protocols.Protocol:
    """Return the protocol in the reader's language. Keys, conditions and SHA-256 stay the same."""
    return _translated(protocol.sha256, get_language()) if _is_builtin(protocol) else protocol


def protocol_word(protocol: protocols.Protocol, word: str) -> str:
    """Return the name of a protocol's key as one word in the reader's language."""
    return pgettext(message_context(protocol.slug), word) if _is_builtin(protocol) else word


def shown_language(protocol: protocols.Protocol) -> str:
    """Return the code of the language that the protocol's words are shown in; "" where they are not translated."""
    return "" if translate_protocol(protocol) == protocol else get_language() or ""


def _is_builtin(protocol: protocols.Protocol) -> bool:
    return protocol.sha256 in _builtin_versions()


def _builtin_versions() -> dict[str, protocols.Protocol]:
    current = {protocol.sha256: protocol for protocol in protocols.builtin().values()}
    return {**protocols.earlier_builtin(), **current}


@lru_cache(maxsize=64)
def _translated(sha256: str, language: str | None) -> protocols.Protocol:
    """Return the translation into `language`, the active one."""
    protocol = _builtin_versions()[sha256]
    context = message_context(protocol.slug)
    return protocols.translate_texts(protocol, lambda text: pgettext(context, text))


def translate_text(message: str) -> str:
    """Return a message of annotation/protocols, which is written in English, in the reader's language."""
    return protocols.translate_message(message, gettext)


def validate_answers(
    protocol: protocols.Protocol, sent: protocols.SentAnswers, *, may_have_gaps: bool = False
) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return the answers without those to hidden questions, and the problems by question, in the reader's language.

    The answers may be stored if there is no problem.
    """
    answers = protocols.prune(protocol, sent)
    problems = protocols.problems(protocol, answers, may_have_gaps=may_have_gaps)
    return {key: answer for key, answer in answers.items() if isinstance(answer, str)}, {
        key: [translate_text(message) for message in messages] for key, messages in problems.items()
    }
