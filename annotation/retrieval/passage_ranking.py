"""Rank the passages of an article for one sentence, as the rating page does: the twin of
`static/js/workspace/passage_ranking.js`, where the ranking is described. Both give the same passages with the same
scores, which a test compares; a change of the ranking is made in both, with another VERSION.
"""

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby

VERSION = 2
"""Of the ranking. 1 was a BM25 of judges alone; verdicts keep the version that chose the passages they were shown."""
K1, B = 2, 0.6
HEADING_WEIGHT, SENTENCE_WEIGHT, CONTEXT_WEIGHT = 1, 0.9, 0.35
NAME_WEIGHT, NUMBER_WEIGHT = 1.25, 1.5
_SPACE = r"[\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]"  # \s of JavaScript
_STOP = """
a about above after again all also although always am among an and any are as at be became because been before being
below between both but by can cannot could did do does doing done down during each either else etc even every few for
from further get had has have having he her here hers him his how however i if in indeed into is it its itself just
least less like made make many may me might more most much must my near neither no nor not now of off often on once only
onto or other others our ours out over own per perhaps quite rather same seem shall she should since so some such than
that the their theirs them then there these they this those though through thus to too toward towards under until up
upon us use used uses using very via was we well were what when where whether which while who whom whose why will with
within without would yet you your yours
"""
_STOP_WORDS = frozenset(_STOP.split())
_ENDINGS = (
    *(("ization", "ize"), ("isation", "ize"), ("ational", "ate"), ("ingly", ""), ("ation", "ate"), ("ition", "it")),
    *(("edly", ""), ("ment", ""), ("ness", ""), ("ally", "al"), ("ing", ""), ("ion", ""), ("ity", ""), ("ily", "y")),
    *(("ed", ""), ("er", ""), ("or", ""), ("ly", ""), ("al", "")),
)
_ABBREVIATIONS = (
    rf"et al|e\.{_SPACE}?g|i\.{_SPACE}?e|cf|vs|viz|figs?|eqs?|secs?|tab|resp|approx|ca|no|dr|mr|mrs|prof|st|ref|refs"
    "|app|vol|pp"
)
_ABBREVIATION = re.compile(rf"\b(?:{_ABBREVIATIONS})\.\Z", re.ASCII | re.IGNORECASE)
_LONGEST_ABBREVIATION = 12
_LAST_MARK = 0xE01EF  # no letter or mark has a greater code


def _classes() -> dict[str, str]:
    """Return general category, by its first letter and in full -> its characters as ranges of a pattern."""
    classes: dict[str, str] = defaultdict(str)
    for category, codes in groupby(range(_LAST_MARK + 1), lambda code: unicodedata.category(chr(code))):
        first, *others = codes
        span = f"\\U{first:08x}-\\U{others[-1] if others else first:08x}"
        classes[category[0]] += span
        classes[category] += span
    return classes


@dataclass(frozen=True)
class _Patterns:
    word: re.Pattern[str]
    name: re.Pattern[str]
    capital: re.Pattern[str]
    initial: re.Pattern[str]
    sentence_end: re.Pattern[str]


@lru_cache(maxsize=1)
def _patterns() -> _Patterns:
    classes = _classes()
    letters, marks, capitals = classes["L"], classes["M"], classes["Lu"]
    return _Patterns(
        re.compile(rf"[0-9]+(?:[.,][0-9]+)*|[{letters}][{letters}{marks}0-9]*(?:['’][{letters}]+)?"),
        re.compile(rf"[{letters}].*[{capitals}0-9]"),
        re.compile(rf"[{capitals}]"),
        re.compile(rf"(?:\A|{_SPACE}|\()[{capitals}]\.\Z"),
        re.compile(rf"[.!?][\"”’)\]]*{_SPACE}+(?=[{capitals}0-9\"“(])"),
    )


@dataclass(frozen=True)
class Word:
    start: int
    stem: str
    is_name: bool
    is_number: bool


def words_in(text: str) -> list[Word]:
    """Return the words of a text without stop words."""
    patterns, words = _patterns(), []
    for match in patterns.word.finditer(text):
        raw, start = match[0], match.start()
        lower, is_number = _fold(raw), raw[0] in "0123456789"
        if (len(lower) < 2 and not is_number) or lower in _STOP_WORDS:
            continue
        is_name = bool(patterns.name.match(raw) or (start and patterns.capital.match(raw)))
        words.append(Word(start, lower.replace(",", "") if is_number else stem(lower), is_name, is_number))
    return words


@lru_cache(maxsize=50_000)
def _fold(raw: str) -> str:
    # One by one: the time for a whole word grows with the square of its combining characters, which are left out.
    decomposed = (char for each in raw for char in unicodedata.normalize("NFKD", each))
    base = "".join(char for char in decomposed if not unicodedata.category(char).startswith("M"))
    return re.split("['’]", base.lower(), maxsplit=1)[0]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return a lower-case word without its plural and the commonest endings; one with digits stays."""
    if len(word) < 4 or re.search(r"[0-9\U00010000-\U0010ffff]", word) or word.endswith(("ss", "us", "is")):
        return word
    base = word
    if base.endswith("ies") and len(base) > 4:
        base = f"{base[:-3]}y"
    elif base.endswith(("ches", "shes", "sses", "xes", "zes")):
        base = base[:-2]
    elif base.endswith("s"):
        base = base[:-1]
    for ending, replacement in _ENDINGS:
        if base.endswith(ending) and len(base) - len(ending) >= 3:
            return _tidy(base[: -len(ending)] + replacement)
    return _tidy(base)


def _tidy(base: str) -> str:
    single = base[:-1] if base[-1] == base[-2] and base[-1] not in "aeiouls" else base
    return re.sub("(?:ate|e)$", "", single) if len(single) > 3 else single


def sentences_in(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each sentence, without white space at its ends."""
    start, bounds = 0, [match.end() for match in _patterns().sentence_end.finditer(text)]
    for end in [*bounds, len(text)]:
        first, last = _trimmed(text, start, end)
        if end < len(text) and _ends_with_abbreviation(text[max(first, last - _LONGEST_ABBREVIATION) : last]):
            start = first  # white space is passed once, however many abbreviations follow
            continue
        if first < last:
            yield first, last
        start = end


def _ends_with_abbreviation(text: str) -> bool:
    return bool(_ABBREVIATION.search(text) or _patterns().initial.search(text))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and re.match(_SPACE, text[start]):
        start += 1
    while end > start and re.match(_SPACE, text[end - 1]):
        end -= 1
    return start, end


@dataclass(frozen=True)
class RankedPassage:
    """A passage: `number` of the paragraph from 0, and its best sentence."""

    number: int
    start: int
    end: int
    score: float


@dataclass(frozen=True)
class _Text:
    """The words of a paragraph, or of a sentence of one. `counts` of a paragraph has those of its heading, too."""

    start: int
    end: int
    counts: Mapping[str, int]
    length: int


class PassageRanking:
    """The paragraphs of an article, which are pairs of heading and text."""

    def __init__(self, paragraphs: list[tuple[str, str]]):
        self._paragraphs: list[_Text] = []
        self._sentences: list[list[_Text]] = []
        for heading, text in paragraphs:
            words = words_in(text)
            counts = Counter(word.stem for word in words)
            for word in words_in(heading):
                counts[word.stem] += HEADING_WEIGHT
            self._paragraphs.append(_Text(0, len(text), counts, len(words)))
            self._sentences.append(list(_sentences(text, words)))

    @cached_property
    def _frequencies(self) -> Counter[str]:
        return Counter(word for paragraph in self._paragraphs for word in paragraph.counts)

    @cached_property
    def _all_sentences(self) -> list[_Text]:
        return [sentence for sentences in self._sentences for sentence in sentences]

    @cached_property
    def _sentence_frequencies(self) -> Counter[str]:
        return Counter(word for sentence in self._all_sentences for word in sentence.counts)

    def best(self, sentence: str, context: str = "", limit: int = 5) -> list[RankedPassage]:
        """Return the best passages, best first, one a paragraph; none that shares no word. `context`: the prompt."""
        weights = query_weights(sentence, context)
        of_paragraphs = _weigh(weights, self._frequencies, len(self._paragraphs))
        of_sentences = _weigh(weights, self._sentence_frequencies, len(self._all_sentences))
        mean, sentence_mean = _mean_length(self._paragraphs), _mean_length(self._all_sentences)
        ranked = []
        for number, (paragraph, sentences) in enumerate(zip(self._paragraphs, self._sentences, strict=True)):
            if weights.keys().isdisjoint(paragraph.counts):
                continue
            scores = [_bm25(each, sentence_mean, of_sentences) for each in sentences]
            best = max(scores, default=0.0)
            chosen = sentences[scores.index(best)] if sentences else _Text(0, 0, {}, 0)
            score = _bm25(paragraph, mean, of_paragraphs) + SENTENCE_WEIGHT * best
            ranked.append(RankedPassage(number, chosen.start, chosen.end, score))
        return sorted(ranked, key=lambda passage: (-passage.score, passage.number))[:limit]


def _sentences(text: str, words: list[Word]) -> Iterator[_Text]:
    position = 0
    for start, end in sentences_in(text):
        first = position
        while position < len(words) and words[position].start < end:
            position += 1
        yield _Text(start, end, Counter(word.stem for word in words[first:position]), position - first)


def query_weights(sentence: str, context: str) -> dict[str, float]:
    """Return the weights of the stems of a sentence, and of those that the prompt has besides."""
    weights: dict[str, float] = {}
    for word in words_in(sentence):
        weight = NUMBER_WEIGHT if word.is_number else NAME_WEIGHT if word.is_name else 1
        weights[word.stem] = max(weights.get(word.stem, 0), weight)
    for word in words_in(context):
        weights.setdefault(word.stem, CONTEXT_WEIGHT * (NAME_WEIGHT if word.is_name else 1))
    return weights


def _weigh(weights: Mapping[str, float], frequencies: Mapping[str, int], total: int) -> dict[str, float]:
    """Return the weights times the inverse frequencies of the words among `total` texts."""
    rarity = {word: (total - frequencies[word] + 0.5) / (frequencies[word] + 0.5) for word in weights}
    return {word: weight * math.log(1 + rarity[word]) for word, weight in weights.items()}


def _mean_length(texts: list[_Text]) -> float:
    return sum(text.length for text in texts) / len(texts) or 1 if texts else 1


def _bm25(text: _Text, mean_length: float, weights: Mapping[str, float]) -> float:
    """Return the score. The terms are added one by one: `sum` rounds otherwise than JavaScript since Python 3.12."""
    total = 0.0
    for word, weight in weights.items():
        if count := text.counts.get(word, 0):
            total += (weight * count * (K1 + 1)) / (count + K1 * (1 - B + B * (text.length / mean_length)))
    return total
