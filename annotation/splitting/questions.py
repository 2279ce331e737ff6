"""Sentences that only ask. Tag questions, "Did you know that …?" and questions with a statement in them claim, too."""

import re

from annotation.splitting.word_lists import word_set

_END = re.compile(r"\?[?!]*[\s\"”’»'*_)\]]*(?:\[\^?\d[^\]]{0,20}\]\s*)*\W*$")
_START = re.compile(r"^[^\w]*(?:(?:q|question|faq|part|step)?\s?\d{0,3}[.:)]\s*)?[*_\"“‘'(]*", re.IGNORECASE)
_LABEL = re.compile(r"[^\s:?.]{1,30}(?: [^\s:?.]{1,30}){0,2}:\s+(?=\w)")
_ADVERBS = re.compile(
    r"^(?:(?:so|but|and|or|now|then|well|also|okay|ok|hence|thus|still|first|second|finally|next|exactly|otherwise|besides"
    r"|for example|for instance|in short|in other words|that said|of course|more specifically|specifically)[,\s]+)+",
    re.IGNORECASE,
)
_FRAME = re.compile(
    r"(?:if|in|on|at|for|with|as for|according to|from|regarding|about)\b[^,?]{2,60},\s+", re.IGNORECASE
)
_INTERROGATIVES = word_set("what which who whom whose when where why how whether")
_PREPOSITIONS = word_set("in on at by for from to with of under during through about against into")
_AUXILIARIES = word_set(
    """
    is are was were am do does did has have had can could will would should shall may might must
    """
)
_TAG = re.compile(
    r",\s*(?:right|correct|no|yes|eh|okay|ok|or not|don't you think|(?:is|are|was|were|do|does|did|has|have|had|can"
    r"|could|will|would|should)(?:n't| not)? (?:it|they|he|she|we|you|i|there|that|this))\W*$"
)
_STATES = re.compile(
    r"\b(?:did|do) you know\b|\b(?:given|because|considering|seeing|knowing|although|despite|since)\b"
    r"|,\s(?:which|who|whose|where)\s|;|\s[–—]\s|\b(?:but|and|while)\b[^?]*,|[^,]{25,},\s(?:but|yet)\s|:\s.{80,}"
)
_QUESTIONS_WANTED = re.compile(
    r"\b(?:questions|quiz|quizzes|questionnaire|research question|hypothes[ei]s|survey items?|faqs?|interview|dialogue"
    r"|conversation|lyrics|poem|story)\b",
    re.IGNORECASE,
)
_REMARK = re.compile(r"\((?:[^()\s]+\s+){4,}[^()]*\)")
_SHORT_QUESTION = 8  # words of "Any other questions?", "Ready to begin?"
_SHORT_STARTS = word_set(
    "any anything ready need want interested curious confused more still sound sounds questions thoughts really"
)
_WHO_QUOTES = re.compile(r"[\"“][^\"“”]*\?\W*$")


def is_question(sentence: str) -> bool:
    """Return whether a single sentence asks and does not state anything with it."""
    if not _END.search(sentence):
        return False
    words = _opening(sentence)
    if not words or _claims(words, sentence):
        return False
    first = words.split()[0].strip(",")
    if first in _INTERROGATIVES or first in _AUXILIARIES:
        return True
    count = len(words.split())
    return _asks_with_preposition(words) or count <= 2 or (count <= _SHORT_QUESTION and first in _SHORT_STARTS)


def is_yes_no_question(sentence: str) -> bool:
    """Return whether "yes" or "no" would answer it; "Could you explain …?" is a request."""
    words = _opening(sentence).split()
    is_request = words[:2] in (["can", "you"], ["could", "you"], ["will", "you"], ["would", "you"])
    return bool(_END.search(sentence)) and bool(words) and words[0] in _AUXILIARIES and not is_request


def asks_for_questions(prompt: str) -> bool:
    """Return whether questions are what the prompt asks for: in an answer they may be claims about a paper."""
    return _QUESTIONS_WANTED.search(prompt) is not None


def _opening(sentence: str) -> str:
    """Return the sentence in lower case without marker, label, adverbs and frame before the question."""
    words = _START.sub("", sentence.replace("’", "'"), count=1).lower()
    if (label := _LABEL.match(words)) and _starts_question(words[label.end() :]):
        words = words[label.end() :]
    words = _ADVERBS.sub("", words, count=1)
    if (frame := _FRAME.match(words)) and _starts_question(words[frame.end() :]):
        words = words[frame.end() :]
    return words.strip(' *_"“(')


def _starts_question(words: str) -> bool:
    first = words.split(maxsplit=1)[:1]
    return bool(first) and (first[0] in _INTERROGATIVES or first[0] in _AUXILIARIES)


def _asks_with_preposition(words: str) -> bool:
    """Return whether it begins as in "To what extent …?", "By whom …?"."""
    first, second, *_ = [*words.split(), "", ""]
    return first in _PREPOSITIONS and second in _INTERROGATIVES


def _claims(words: str, sentence: str) -> bool:
    return bool(_TAG.search(words) or _STATES.search(words) or _REMARK.search(words)) or _is_reported(sentence)


def _is_reported(sentence: str) -> bool:
    """Return whether the question is only quoted: 'She asked, "Why?"'."""
    quote = _WHO_QUOTES.search(sentence)
    return quote is not None and bool(re.search(r"\w", sentence[: quote.start()]))
