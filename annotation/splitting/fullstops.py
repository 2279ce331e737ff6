"""Whether a full stop ends its sentence or belongs to the word before it."""

import re

from annotation.splitting import punkt, words
from annotation.splitting.following import plainly_opens, word_at

_LEFT = re.compile(r"[^\s(\[{\"“‘'*_~/<>|–—`]+$")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,3}")
_NUMBERISH = re.compile(r"[\s(\[#~≈$*_]*(?:\d|[IVXLC]+\b|[A-Z]\b|[A-Z]\d|\$|\\\()")
_LABEL = re.compile(r"[\W_]*([A-Za-z]+)\.?\s+(?:\d+(?:\.\d+)*|[A-Z]|[IVX]+)[\W_]*")
_REACH = 60


def ends_at_full_stop(text: str, start: int, at: int, following: int, unsure: bool = False) -> bool:
    """Decide the full stop at `at` in a sentence that began at `start`; what comes next begins at `following`.

    What follows is known to be able to open a sentence. `unsure` asks for a word that plainly does.
    """
    left = _word_before(text, start, at)
    if unsure:
        return plainly_opens(text, following)
    if _is_label(text, start, at):
        return False
    if not left or not left[-1].isalpha():
        return True
    if len(left) == 1:
        return _after_letter(text, start, at, following, left)
    low = left.lower()
    if low in words.ENDS_LISTS:
        return True
    if _DOTTED.fullmatch(left) or low in words.NEVER_LAST or low in words.MAY_BE_LAST or low in words.BEFORE_NUMBER:
        return _after_abbreviation(text, following, left)
    return punkt.ends_sentence(left[-40:] + ".", word_at(text, following) or text[following])


def _word_before(text: str, start: int, at: int) -> str:
    match = _LEFT.search(text[max(start, at - _REACH) : at])
    return match.group() if match else ""


def _is_label(text: str, start: int, at: int) -> bool:
    """ "Step 1." and "Option B." at the start of a sentence label it."""
    if at - start > _REACH or not (match := _LABEL.fullmatch(text, start, at)):
        return False
    return match[1].lower() in words.LABEL_NOUNS


def _after_letter(text: str, start: int, at: int, following: int, letter: str) -> bool:
    before = text[max(start, at - _REACH) : at - 1].split()
    previous = before[-1].strip("(\"'*_[,") if before else ""
    if letter.islower():
        return not (letter in "cpvned" and not plainly_opens(text, following)) and previous != ""
    if plainly_opens(text, following):
        return True
    if previous.lower() in words.BEFORE_LETTER or (letter == "I" and previous.islower()):
        return not _is_initial_at(text, following)
    # "A. M. Turing", "J. Smith": a capital letter is an initial unless a common noun follows.
    following_word = word_at(text, following)
    return previous.islower() and len(following_word) > 3 and punkt.is_common_word(following_word)


def _is_initial_at(text: str, at: int) -> bool:
    return bool(re.compile(r"[A-Z]\.").match(text, at))


def _after_abbreviation(text: str, following: int, left: str) -> bool:
    low = left.lower()
    if low in words.NEVER_LAST:
        return low in ("st", "ft", "mt") and plainly_opens(text, following)
    if low in words.BEFORE_NUMBER and _NUMBERISH.match(text, following):
        return False
    if low in words.BEFORE_NUMBER and low not in words.MAY_BE_LAST:
        return True
    if text[following] in "([" or text[following].isdigit():
        return False
    following_word = word_at(text, following)
    if following_word.lower() in words.CALENDAR:
        return False
    if plainly_opens(text, following):
        return True
    return (
        len(following_word) > 3 and left.islower() is False and punkt.is_common_word(following_word) and ("." in left)
    )
