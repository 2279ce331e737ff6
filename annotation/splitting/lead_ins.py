"""Lead-ins that claim something: "The study gives no clear answer, because its two methods contradict each other:".

Most clauses before a colon only announce what follows ("The main findings are:"). A lead-in is rated only if it is a
whole clause and shows a sign of a claim: a reason or contrast, a negation, a change or comparison, or a predicate.
"""

import re

from annotation.splitting.word_lists import word_set

_EDGES = re.compile(r"^[\s*_\"“”‘’'(]+|[\s*_:：\"“”‘’')]+$")
_CITATIONS = re.compile(r"\s*\[\^?\d[^\]]{0,20}\]")
_ANNOUNCES = re.compile(
    r"\b(?:following|follows|below|above|as such|such as|for example|for instance|e\.g|includ\w+|namely|like this"
    r"|steps?|consists? of|compris\w+|here(?:'s| is| are)?|looks? like|listed|can be \w+ed|in this (?:case|example))\b"
    r"|\bthese(?:\s+[\w-]+){0,4}$",
    re.IGNORECASE,
)
_COUNTED_LIST = re.compile(
    r"\b(?:several|some|many|two|three|four|five|six|seven|ten|\d+|various|few|different|main|key|multiple|number of"
    r"|certain|other|common|important|major|possible|both|numerous)\s+(?:[\w-]+\s+){0,3}[\w-]+s\b(?:\s+\w+ \w+)?$",
    re.IGNORECASE,
)
_NO_CLAIM_STARTS = word_set(
    """
    to let let's lets if when whenever once for consider suppose note see use try here there you we i please first
    second third next then now finally say imagine assume do don't make remember it's my your what how which who
    """
)
_UNFINISHED_ENDS = word_set(
    """
    is are was were be been being am has have had do does did can could will would should may might must to that of for
    in on at by with from as into than and or but because so when where which who whose if the a an its their this be
    get gives give becomes yields implies means says said reads states asks asked writes wrote notes adds equals used
    """
)
_CONNECTIVE = re.compile(
    r",?\s+(?:because(?! of)|since|although|even though|whereas|so that)\s+"
    r"|,\s+(?:but|yet|while|though|as|so|and therefore|and so)\s+",
    re.IGNORECASE,
)
_CONCESSION = re.compile(
    r"(?:although|even though|while|because(?! of)|whereas|since|though)\s(?:[^\s,]+\s){2,}[^\s,]+,\s(?P<main>.+)",
    re.IGNORECASE,
)
_NEGATION = re.compile(r"\b(?:no|never|neither|cannot|not(?! only| just))\b|n[’']t\b", re.IGNORECASE)
_CHANGE = re.compile(
    r"\b(?:outperform(?:s|ed)|(?:improv|increas|decreas|reduc|caus)(?:es|ed)|(?:prevent|contradict|differ|depend|affect"
    r"|exceed|fail|result)(?:s|ed)|rose|fell|won|lost|led to|leads to|(?:shows?|found|finds|confirms?|suggests?) that)"
    r"\s+\S+\s+\S+",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"\b[a-z]+\s.*\d(?:\.\d+)?\s?(?:%|percent\b|percentage points\b)", re.IGNORECASE)
_PREDICATE = re.compile(r"(?:\S+\s+){3,}(?:is|are|was|were)\s+(?:\w+ly\s+|very\s+|quite\s+)?(?P<word>[\w-]+)$")
_EMPTY_PREDICATES = word_set(
    """
    simple easy straightforward clear possible important necessary available different similar common essential
    following twofold threefold as-follows true thus here below above so this that it
    """
)
_FEWEST_WORDS = 5


def claims_something(lead_in: str) -> bool:
    """Return whether a clause that ends in a colon is a whole clause with a claim."""
    clause = _EDGES.sub("", _CITATIONS.sub("", lead_in))
    words = clause.lower().replace("’", "'").split()
    if len(words) < _FEWEST_WORDS or words[-1] in _UNFINISHED_ENDS or _ANNOUNCES.search(clause):
        return False
    if words[0].strip(",") in _NO_CLAIM_STARTS or clause.rstrip().endswith("?"):
        return False
    if _gives_reason_or_contrast(clause):
        return True
    if _COUNTED_LIST.search(clause):
        return False
    if _NEGATION.search(clause) or _CHANGE.search(clause) or _AMOUNT.search(clause):
        return True
    # "… is non-negative", not "… are listed" or "… are apples".
    predicate = _PREDICATE.match(clause)
    if predicate is None or predicate["word"].lower() in _EMPTY_PREDICATES:
        return False
    return not predicate["word"].endswith(("ed", "ing", "s", "en"))


def _gives_reason_or_contrast(clause: str) -> bool:
    if match := _CONCESSION.match(clause):
        return len(match["main"].split()) >= 3 and not _COUNTED_LIST.search(match["main"])
    parts = _CONNECTIVE.split(clause, maxsplit=1)
    return len(parts) == 2 and all(len(part.split()) >= 3 for part in parts)
