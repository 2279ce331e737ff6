"""Whether a full stop ends its sentence or belongs to the word before it.

What follows is known to be able to open a sentence (it is not in lower case, say). So a full stop ends its sentence
unless the word before it is an abbreviation, an initial or an enumerator; and even then if a word follows that plainly
opens a sentence ("… in the U.S. They …"). Words in no list of ours are left to Punkt.
"""

import re

from annotation.splitting import punkt, words
from annotation.splitting.following import plainly_opens, word_at

_LEFT = re.compile(r"\S+$")
_LAST_PART = re.compile(r"[^(\[{\"“‘'*_~/<>|–—`]*$")
_CITED = re.compile(r"(?:\[[\d\s,;–-]+\])+$")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,3}")
_NUMBERISH = re.compile(r"[\s(\[#~≈*_]*(?:\d|[IVXLC]+\b(?!['’]|\s[a-z])|[A-Z]\b(?!['’]|\s[a-z])|[A-Z]\d|\$|\\\()")
_LABEL = re.compile(r"[\W_]*([A-Za-z]+)\.?\s+(?:\d+(?:\.\d+)*|[A-Z]|[IVX]+)[\W_]*")
_INITIAL = re.compile(r"[A-Z]\.")
_THEN_LOWER = re.compile(r"[\W_]*[^\W\d_][\w'’-]*,?\s+[a-z]")
_THEN_VERB = re.compile(r"[\W_]*[^\W\d_][\w'’-]*\s+(?:is|are|was|were|has|have|had|can|does|did|will)\b")
_REACH = 60


def ends_at_full_stop(text: str, start: int, at: int, following: int) -> bool:
    """Decide the full stop at `at` in a sentence that began at `start`; what comes next begins at `following`."""
    left = _word_before(text, start, at)
    if _is_label(text, start, at) or (len(left) == at - start and left.lower() in words.INTRODUCTIONS):
        return False
    if not left or not left[-1].isalpha():
        return True
    if len(left) == 1:
        return _after_letter(text, start, at, following, left)
    if left.lower() in words.ENDS_LISTS:
        return True
    verdict = _after_abbreviation(text, start, at, following, left)
    if verdict is None:
        return punkt.ends_sentence(left[-40:] + ".", word_at(text, following) or text[following])
    return verdict


def is_abbreviation(word: str) -> bool:
    """Whether a word, written so, is a known abbreviation or an initial."""
    low = word.lower()
    if low in words.NEVER_LAST | words.MAY_BE_LAST | words.ENDS_LISTS or _DOTTED.fullmatch(word):
        return True
    return word[:1].isupper() and (len(word) == 1 or low in words.TITLES or low in words.CAPITALISED)


def _word_before(text: str, start: int, at: int) -> str:
    match = _LEFT.search(text[max(start, at - _REACH) : at])
    part = _LAST_PART.search(_CITED.sub("", match.group())) if match else None
    return part.group() if part else ""


def _is_label(text: str, start: int, at: int) -> bool:
    """Whether the sentence so far is "Step 1" or "Option B"."""
    if at - start > _REACH or not (match := _LABEL.fullmatch(text, start, at)):
        return False
    return match[1].lower() in words.LABEL_NOUNS


def _after_letter(text: str, start: int, at: int, following: int, letter: str) -> bool:
    before = text[max(start, at - _REACH) : at - 1].split()
    previous = before[-1].strip("(\"'*_[,") if before else ""
    if letter.islower():
        return previous != "" and (letter not in "cpvnedl" or plainly_opens(text, following))
    if plainly_opens(text, following):
        return True
    if previous in ("is", "be", "was") and _THEN_VERB.match(text, following):
        return True
    if previous.lower() in words.BEFORE_LETTER or (letter == "I" and previous.islower()):
        return not _INITIAL.match(text, following)
    # "A. M. Turing", "by J. Smith": an initial, unless a noun is before it and a common word after it.
    noun = previous.islower() and len(previous) > 3 and previous not in words.FUNCTION_WORDS
    return noun and _is_common(text, following)


def _is_common(text: str, at: int) -> bool:
    """Whether a word that is usually written in lower case stands at `at`, and goes on in lower case."""
    word = word_at(text, at)
    return len(word) > 2 and punkt.is_common_word(word) and bool(_THEN_LOWER.match(text, at))


def _after_abbreviation(text: str, start: int, at: int, following: int, left: str) -> bool | None:
    """The verdict on an abbreviation; None if the word is not known to be one."""
    low, capital = left.lower(), left[0].isupper()
    if low in words.NEVER_LAST:
        return False
    if low in words.BEFORE_NUMBER and _NUMBERISH.match(text, following):
        return False
    if low in words.UNITS and text[max(start, at - len(left) - 2) : at - len(left)].strip()[-1:].isdigit():
        return True
    if capital and (low in words.TITLES or low in words.CAPITALISED):
        return plainly_opens(text, following)
    dotted = bool(_DOTTED.fullmatch(left))
    if not dotted and low not in words.MAY_BE_LAST:
        return True if low in words.BEFORE_NUMBER else None
    first = text[following]
    if (not first.isalpha() and first not in "\"“'‘*_") or word_at(text, following).lower() in words.CALENDAR:
        return False
    # "U.S. Government", "Ph.D. Program": a common word is no sign after an acronym, but it is after "Inc." or "al.".
    return plainly_opens(text, following) or (not dotted and _is_common(text, following))
