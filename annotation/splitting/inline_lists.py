"""Lists that a model has written in one line: "1. Mash the fruit 2. Add the sugar 3. Boil it"."""

import re
from bisect import bisect_left
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from annotation.splitting import word_lists
from annotation.splitting.line_labels import has_verb
from annotation.splitting.lines import Line, follows
from annotation.splitting.marks import ENDS, INVISIBLE, WIDE_STOPS, text_end
from annotation.splitting.regions import Region, regions

_LABEL = r"(?P<label>\d{1,3}|[^\W\d_]|[ivx]{2,4}|[IVX]{2,4})"
_SIGN = re.compile(
    rf"(?:\A|(?<=[\s(（>*_{ENDS},;:，；：、和与及或{INVISIBLE}])|(?<=[^\W\d_])(?=[(（]?\d{{1,3}}[）、{WIDE_STOPS}]))"
    rf"(?P<emphasis>[*_]{{0,3}})(?P<opening>[(（]?){_LABEL}"
    rf"(?:(?P<closing>\.\)|[.)](?=[*_]{{0,3}}[\s{INVISIBLE}]))[*_]{{0,3}}|(?P<wide>[）、{WIDE_STOPS}])[*_]{{0,3}}(?!\d))"
)
_FIRST = frozenset("1aAiIаАאأا가ㄱアいあイα一甲ก") | {"１", "١", "१", "۱"}
_MAY_BEGIN = re.compile(rf"[{''.join(_FIRST)}][.)）、{WIDE_STOPS}]")
_LONGEST_MARKER = 24
_FINISHED = re.compile(rf"[{ENDS}][\"”’»'*_)\]]*$")
_JOINING = r"(?:and|or|und|oder|et|ou|y|o|e|и|или)"
_PROSE = re.compile(rf"(?:[,;:，；：、–—-]|\b{_JOINING})$", re.IGNORECASE)
_JOINED = re.compile(
    rf"[^\s\d,;，；、]\s?(?:[,;，；、]|(?:[,;]|\b)\s{_JOINING}\b|[和与及或])(?:\s(?:and|or)\b)?$", re.IGNORECASE
)
"""What joins the parts of one sentence, in front of the number of a part: "Red, 2.", "Blue, and 3."."""
_COLON = re.compile(r"[:：][*_]*$")
_DASH = re.compile(r"[–—-]$")
_FEWEST = 3
_LONGEST_LABEL = 4  # words of "The main steps:"
_REACH = 80  # characters before a number
_LONGEST_COMMAND = 3  # words of "Turn it on"


class _Marker(NamedTuple):
    """The number of an entry, `start` to `end`, with its emphasis; `stop`: the position of its full stop or bracket."""

    start: int
    stop: int
    end: int
    label: str
    style: tuple[str, str]


class Run(NamedTuple):
    """Markers in the order of their labels. `joined`: their entries are the parts of one sentence."""

    markers: list[_Marker]
    joined: bool


def inline_entries(text: str, line: Line) -> list[tuple[int, int]]:
    """Return the bounds of the entries of a list in one line, without their numbers, and of the text before it.

    The list begins the line, or follows a sentence or a label ("Steps: 1. Open it 2. Oil it 3. Close it"); in other
    places it is part of the sentence. Entries that commas or "and" join are one sentence, with its numbers: "1. Red,
    2. Blue, and 3. Green are colors."
    """
    if not line.numbered and not _MAY_BEGIN.search(text, line.content, line.end):
        return []
    start = line.content
    if line.numbered:
        before = text[max(line.start, start - _LONGEST_MARKER) : start]
        signs = [sign for sign in _SIGN.finditer(before) if not before[sign.end() :].strip(f" \t{INVISIBLE}")]
        start -= len(before) - signs[-1].start() if signs else 0
    for run in counting_runs(text, start, line.end):
        first = run.markers[0]
        if run.joined:
            return [(start, line.end)] if first.start == start < line.content else []
        if first.start > start and not _is_apart(text, start, run):
            continue
        bounds = [(each.start if text[each.start] in "*_" else each.end) for each in run.markers]
        ends = [text_end(text, start, each.start) for each in run.markers[1:]]
        entries = list(zip(bounds, [*ends, line.end], strict=True))
        return [(line.content, text_end(text, start, first.start)), *entries] if first.start > start else entries
    return []


def counting_runs(text: str, start: int, end: int) -> list[Run]:
    """Return the numbers in order in a line, of lists and in sentences.

    At least three; two where the first entry ends as a sentence does, the entries are joined, or the number that begins
    the line has a closing bracket only.
    """
    markers = [
        _Marker(
            sign.start(),
            sign.end("label"),
            sign.end(),
            sign["label"],
            (sign["opening"], sign["closing"] or sign["wide"]),
        )
        for sign in _SIGN.finditer(text, start, end)
        if sign.end() < end
    ]
    if len(markers) < 2:
        return []
    protected: list[Region] | None = None
    runs: list[Run] = []
    open_runs: dict[tuple[str, str], int] = {}
    for marker in markers:
        number = open_runs.get(marker.style, -1)
        last = runs[number].markers[-1] if number >= 0 else None
        if last is not None and follows(last.label, marker.label):
            between = _tail(text, last.end, marker.start)
            if protected is None:
                protected, _ = regions(text[start:end])
            if not _ends_entry(between) or _is_within(protected, marker.stop - len(marker.label) - start, marker):
                continue
            runs[number].markers.append(marker)
            runs[number] = runs[number]._replace(joined=runs[number].joined or bool(_JOINED.search(between)))
        elif marker.start == start or marker.label in _FIRST:
            # "The steps are", "Steps:"; not "in phase".
            words = _tail(text, start, marker.start).rstrip("*_ ").split() if marker.start > start else []
            if not words or words[-1].lower() in word_lists.FORMS_OF_BE or not _asks_for_number(words):
                open_runs[marker.style] = len(runs)
                runs.append(Run([marker], False))
    return [run for run in runs if _is_list(text, start, run)]


def _tail(text: str, start: int, end: int) -> str:
    return text[max(start, end - _REACH) : end].strip()


def _is_list(text: str, start: int, run: Run) -> bool:
    """Return whether the markers are so many, or so placed, that they count."""
    first, *others = run.markers
    if not others:
        return False
    before = _tail(text, start, first.start)
    opening, closing = first.style
    is_anchored = not before or bool(_FINISHED.search(before) or _COLON.search(before) or _DASH.search(before))
    if first.label.isupper() and closing == "." and not (is_anchored or run.joined):
        return False  # "It is A. It is not B. C is old."
    if run.joined:
        return True
    if len(others) >= _FEWEST - 1:
        # "The steps are 1. Oil it", "We sell 1. Apples 2. Pears 3. Plums"; not "They won 1. A year later they won 2."
        is_stated = is_anchored or before.split()[-1].lower() in word_lists.FORMS_OF_BE
        return is_stated or all(
            len(_tail(text, each.end, following.start).split()) <= _LONGEST_COMMAND
            for each, following in pairwise(run.markers)
        )
    if opening or not is_anchored or _COLON.search(before):
        return False
    finished = bool(_FINISHED.search(_tail(text, first.end, others[0].start)))
    return finished or (closing == ")" and not before and not first.label.isupper())


def _is_apart(text: str, start: int, run: Run) -> bool:
    """Return whether a list that begins within a line is no part of the sentence before it: it follows a sentence, or a
    label ("The steps:"). Entries that are sentences with numbers or capitals are found without that.
    """
    first = run.markers[0]
    before = _tail(text, start, first.start)
    if not first.label.islower() and all(
        _FINISHED.search(_tail(text, each.end, following.start)) for each, following in pairwise(run.markers)
    ):
        return False
    is_label = bool(_COLON.search(before)) and len(before.split()) <= _LONGEST_LABEL and not has_verb(before)
    return is_label or bool(_FINISHED.search(before))


def _is_within(protected: list[Region], index: int, marker: _Marker) -> bool:
    """Return whether the label at `index` is inside one of some regions in order, and not only in its own brackets."""
    before = bisect_left(protected, index, key=attrgetter("start")) - 1
    if before < 0 or index >= protected[before].end:
        return False
    region = protected[before]
    return not (marker.style[0] and region.start == index - 1)


def _ends_entry(between: str) -> bool:
    """Return whether an entry can end before a number: the number belongs to no word, as in "phase 2"."""
    if not between.strip("*_"):
        return False
    if _PROSE.search(between):
        return bool(_JOINED.search(between))
    words = between.rstrip("*_").split()
    return len(words) == 1 or bool(_FINISHED.search(between)) or not _asks_for_number(words)


def _asks_for_number(words: list[str]) -> bool:
    """Return whether the last word asks for a number: "in phase", "by a factor of"; not "Choose a phase", "Turn on"."""
    last = words[-1] if len(words[-1]) == 1 else words[-1].lower()
    if last in word_lists.PARTICLES and 1 < len(words) <= _LONGEST_COMMAND:
        return False
    if last in word_lists.LABEL_NOUNS | word_lists.BEFORE_LETTER:
        return len(words) == 1 or words[-2].lower() not in word_lists.DETERMINERS
    return last in word_lists.FUNCTION_WORDS
