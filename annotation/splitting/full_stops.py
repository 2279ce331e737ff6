"""Decide whether a full stop ends its sentence or belongs to the word before it.

The following text can begin a sentence (for example, it is not in lower case). So a full stop ends its sentence unless
the word before it is an abbreviation, an initial or an enumerator; and even then if the word after it certainly begins
a sentence ("… in the U.S. They …"). Punkt decides about words in none of our lists.
"""

import re

from annotation.splitting import punkt, word_lists
from annotation.splitting.sentence_starts import plainly_opens, word_at

_LEFT = re.compile(r"\S+$")
_LAST_PART = re.compile(r"[^(\[{\"“‘*_~/<>|–—`]*$")
_CITED = re.compile(r"(?:\[[\d\s,;–-]+\])+$")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,3}")
_ROMAN = r"(?=[IVXLC]{2})C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})(?![\w'’])"
_BEFORE_PART = r"[\s(\[#~≈*_§]*"
_NUMBER = re.compile(rf"{_BEFORE_PART}(?:\d|{_ROMAN}|[^\W\d_]{{1,2}}\d|\$|\\\()")
_LETTER = re.compile(rf"{_BEFORE_PART}(?!I am\b)(?P<letter>[^\W\d_])(?![\w'’])(?:(?P<comma>,?)\s(?P<then>[^\W\d_]))?")
_WORDS_OF_ONE_LETTER = frozenset("AIOEYÀÈÉÓАИОУВКСЯΗΟ")
_THEN_WORD = re.compile(rf"{_BEFORE_PART}[\d$][\d.,]*\s(?!of (?!them|us|you|these|those))[^\W\d_A-Z]")
_ELISION = re.compile(r"^[^\W\d_]{1,5}['’](?!(?:[tsdm]|ll|ve|re)$)")
_LABEL = re.compile(r"[\W_]*([A-Za-z]+)\.?\s+(?:\d+(?:\.\d+)*|[A-Z]|[IVX]+)[\W_]*")
_PART = re.compile(r"[\W_]*([A-Z][a-z]+)\s+(?:\d+|[A-Z]|[IVX]+)\b(?!\.)")
_MEASURE = re.compile(r"\d+(?:\.\d+)? ?(?:in|oz|min|sec|mos?|wks?)\b")
_ZONE = re.compile(r"[ECMP][SD]T|GMT|UTC|CET|BST")
_ERAS = ("a.m", "p.m", "b.c", "a.d", "b.c.e", "c.e")
_AT_TIME = re.compile(r"\b(?:at|by|until|till|from|to|after|before|around|about) \d{1,2}(?::\d\d)? ?[ap]\.m$")
_INITIAL = re.compile(r"[A-Z]\.")
_THEN_LOWER = re.compile(r"[\W_]*[^\W\d_][\w'’-]*,?\s+[a-z]")
_THEN_VERB = re.compile(r"[\W_]*[^\W\d_][\w'’-]*\s+(?:is|are|was|were|has|have|had|can|does|did|will)\b")
_REACH = 60


def ends_at_full_stop(text: str, start: int, index: int, following: int) -> bool:
    """Decide the full stop at `index` in a sentence that began at `start`; the next text begins at `following`."""
    left = _LEFT.search(text[max(start, index - _REACH) : index])
    part = _LAST_PART.search(_CITED.sub("", left.group())) if left else None
    word_before = _ELISION.sub("", part.group().lstrip("'’"), count=1) if part else ""
    label = _LABEL.fullmatch(text, start, index) if index - start <= _REACH else None
    if label and label[1].lower() in word_lists.LABEL_NOUNS:  # "Step 1.", "Option B."
        return False
    if len(word_before) == index - start and word_before.lower() in word_lists.INTRODUCTIONS:
        return False
    if not word_before or not word_before[-1].isalpha():
        return True
    if len(word_before) == 1:
        return _after_letter(text, start, index, following, word_before)
    if word_before.lower() in word_lists.ENDS_LISTS:
        return True
    verdict = _after_abbreviation(text, start, index, following, word_before)
    if verdict is None:
        return punkt.ends_sentence(word_before[-40:] + ".", word_at(text, following) or text[following])
    return verdict


def is_abbreviation(word: str) -> bool:
    """Return whether a word, in this spelling, is a known abbreviation or an initial."""
    low = word.lower()
    if low in word_lists.NEVER_LAST | word_lists.MAY_BE_LAST | word_lists.ENDS_LISTS or _DOTTED.fullmatch(word):
        return True
    return word[:1].isupper() and (len(word) == 1 or low in word_lists.TITLES or low in word_lists.CAPITALIZED)


def _after_letter(text: str, start: int, index: int, following: int, letter: str) -> bool:
    before = [word.strip("(\"'*_[,:") for word in text[max(start, index - _REACH) : index - 1].split()]
    earlier, previous = (["", "", *before])[-2:]
    if letter.islower():
        if letter in word_lists.LETTERS_BEFORE_NUMBER and _NUMBER.match(text, following):
            return False
        return previous != "" and (letter not in "cpvnedl" or plainly_opens(text, following))
    part = _PART.match(text, following)  # "Option C", "Step 2"
    if plainly_opens(text, following) or (part and part[1].lower() in word_lists.LABEL_NOUNS):
        return True
    if _is_named_letter(text, following, earlier, previous):
        return True
    if previous.lower() in word_lists.BEFORE_LETTER or (letter == "I" and previous.islower()):
        return not _INITIAL.match(text, following)
    # "A. M. Turing", "by J. Smith": an initial, unless a noun is before it and a common word after it.
    noun = previous.islower() and len(previous) > 3 and previous not in word_lists.FUNCTION_WORDS
    return noun and _is_common(text, following)


def _is_named_letter(text: str, following: int, earlier: str, previous: str) -> bool:
    """Return whether the letter is a name: "The answer is B. Dolphins …", "They have X and Y. Sperm …"."""
    if previous in ("is", "be", "was"):
        introduces_answer = earlier.lower() in word_lists.BEFORE_ANSWER or _THEN_VERB.match(text, following)
        return bool(introduces_answer) or _is_common(text, following)
    pair = previous in ("and", "or", "vs", "versus") and len(earlier) == 1 and earlier.isupper()
    return pair and bool(_THEN_LOWER.match(text, following))


def _is_common(text: str, index: int) -> bool:
    """Return whether a word usually written in lower case is at `index`, with its further letters in lower case."""
    word = word_at(text, index)
    return len(word) > 2 and punkt.is_common_word(word) and bool(_THEN_LOWER.match(text, index))


def _names_number(text: str, start: int, index: int, following: int, word_before: str) -> bool:
    """Return whether the text at `following` numbers what an abbreviation names: "Fig. 3", "Art. II", "App. B"."""
    low, is_name = word_before.lower(), word_before[0].isupper()
    before = text[max(start, index - _REACH) : index - len(word_before)]
    earlier, previous = (["", "", *before.split()])[-2:]
    # "the ICCPR, art. 5", "Const. art. V", "l'art. A", "(app. B", "§ 5 abs. 2": no plain word stands there.
    is_glued = bool(before) and not before[-1].isspace()
    is_counted = previous[-1:].isdigit() and earlier[-1:] in (".", "§")
    is_reference = is_glued or is_counted or previous.isupper() or previous[-1:] in tuple(".,;:§")
    is_asked_for = previous.lower().strip("(*_[") in word_lists.BEFORE_NAMED_PART
    if _NUMBER.match(text, following):
        # "He put on his cap. 12 men saw it."
        may_be_last = low in word_lists.PLAIN_NOUNS and not is_name and bool(_THEN_WORD.match(text, following))
        return not may_be_last or is_reference or is_asked_for
    letter_part = _LETTER.match(text, following)
    if letter_part is None:
        return False
    goes_on = (letter_part["then"] or "").islower()
    is_word = goes_on and letter_part["letter"] in _WORDS_OF_ONE_LETTER
    goes_on = is_word or (goes_on and not letter_part["comma"])
    if low not in word_lists.PLAIN_BEFORE_NUMBER:  # "In Fig. A we show it"; but "It took 5 sec. I was late."
        return not (is_word and previous[-1:].isdigit())
    if low == "no" and (is_word or not before):
        return False  # "No. C is right."
    if is_name:  # "Art. I was amended", "In Art. I has no force"; but "He teaches modern Art. I was there."
        return not is_word or not before or is_reference or is_asked_for
    if not goes_on or is_reference:
        return True  # "U.S. Const. art. I, § 8"
    return is_asked_for and (not is_word or previous.lower() in word_lists.BEFORE_REFERENCE)


def _after_abbreviation(text: str, start: int, index: int, following: int, word_before: str) -> bool | None:
    """Return the verdict on an abbreviation; None if the word is not known to be one."""
    low, capital = word_before.lower(), word_before[0].isupper()
    if low in word_lists.NEVER_LAST:
        return False
    if low in word_lists.BEFORE_NUMBER and _names_number(text, start, index, following, word_before):
        return False
    before = text[max(start, index - len(word_before) - 2) : index - len(word_before)].strip()
    if low in word_lists.UNITS and before[-1:].isdigit():
        return not _MEASURE.match(text, following)  # "5 ft. 9 in."
    if _ZONE.fullmatch(word_before):
        return True
    if capital and (low in word_lists.TITLES or low in word_lists.CAPITALIZED):
        return plainly_opens(text, following)
    dotted = bool(_DOTTED.fullmatch(word_before))
    if not dotted and low not in word_lists.MAY_BE_LAST:
        return True if low in word_lists.BEFORE_NUMBER else None
    first = text[following]
    if (not first.isalpha() and first not in "\"“'‘*_") or word_at(text, following).lower() in word_lists.CALENDAR:
        return False
    # "U.S. Government", "Ph.D. Program": a common word is no sign after an acronym, but it is after "Inc." or "al.".
    if plainly_opens(text, following):
        return True
    if low in _ERAS:  # "We met at 8 a.m. Blood was drawn", but "The 8 a.m. Amtrak was late"
        timed = _AT_TIME.search(text, max(start, index - _REACH), index)
        return _is_common(text, following) or bool(timed and _THEN_VERB.match(text, following))
    return not dotted and _is_common(text, following)
