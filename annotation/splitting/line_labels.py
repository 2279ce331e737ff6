"""Labels: words in front of a sentence on its line, or alone on a line as its title."""

import re

from annotation.splitting import word_lists
from annotation.splitting.word_lists import word_set

_BOLD = re.compile(r"(\*{1,3}|_{1,3})(?=[^\s*_])((?:[^*_\n.?!]|[.?!](?!\s)){1,80}?)([.:]?)\1([.:]?)(?=\s)")
_PLAIN = re.compile(r"([A-Z][A-Za-z.]{1,14})\.(?=\s)")
_VERBS = word_set(
    """
    is are was were be been has have had do does did can could will would should may might must shall isn't aren't
    don't doesn't didn't can't won't it's that's there's here's i'm you're we're they're let's
    """
)
_SUBJECTS = word_set("i you he she it we they")
_CLAUSE_STARTS = word_set(
    """
    this that these those it we you i they he she here there if when since because as for to in on by from given thus
    so then now next let see consider suppose note calculate compute simplify substitute solve find using use first
    run type enter open do try add consider second finally according follow following
    therefore hence where which what how why below
    """
)
_SMALL = word_set(
    """
    a an the and or but nor of in on at to for from by with without vs via as per de von into over under
    between
    """
)


def label_end(text: str) -> int:
    """Return where a label in front of the line's first sentence ends if it ends in a full stop; 0 if there is none.

    "**Speed.** It runs in 2 s.", "*Example 2.* Let …", "Proof. Let …".
    """
    if match := _BOLD.match(text):
        closed_by_stop = "." in (match[3], match[4])
        return match.end() if closed_by_stop and _is_label(match[2], len(match[1]) == 1) else 0
    if (match := _PLAIN.match(text)) and match[1].lower() in word_lists.LABEL_WORDS:
        return match.end()
    return 0


def _is_label(name: str, italic: bool) -> bool:
    """Return whether emphasized words label the text after them. Italics are often a sentence ("*She nods.* Come
    in.")."""
    words = name.split()
    if has_verb(name) or (words and words[0].lower() in _SUBJECTS and len(words) > 1):
        return False
    return len(words) <= (3 if italic else 6)


def has_verb(text: str) -> bool:
    """Return whether one of the commonest finite verbs is in it; a title seldom has one."""
    return any(word.strip(".,;:!?()\"'*_").lower() in _VERBS for word in text.replace("’", "'").split())


def is_clause(text: str) -> bool:
    """Return whether it reads as a clause ("This implies", "Calculate each term") and not as a name."""
    first = text.lstrip("*_\"“'‘(").split(maxsplit=1)[:1]
    return has_verb(text) or (bool(first) and first[0].lower().strip(",") in _CLAUSE_STARTS and " " in text.strip())


def is_title_case(text: str) -> bool:
    """Return whether every word but the small ones begins with a capital, a digit or a sign."""
    words = [w for w in re.findall(r"[^\W_][\w'’.-]*", text) if w.lower() not in _SMALL]
    return bool(words) and all(word[0].isupper() or word[0].isdigit() for word in words)
