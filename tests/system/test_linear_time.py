from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from types import SimpleNamespace

import pytest

from annotation.csv_guarding import guard_cell
from annotation.generation.answers import read_steps
from annotation.importing.article_files import clean, join_lines
from annotation.judging.answers import object_in
from annotation.judging.fact_requests import read_score
from annotation.judging.passages import numbers_in, stems_in
from annotation.judging.quotes import is_shown
from annotation.metrics.text_metrics import METRICS, Texts
from annotation.model_calls.errors import InvalidAnswer
from annotation.model_calls.reasoning import separated
from annotation.protocols.web_addresses import address_problems
from annotation.retrieval.passage_ranking import PassageRanking
from annotation.splitting import split
from annotation.splitting.reasoning import answer_of
from annotation.web.rating.claim_sources import source
from annotation.web.rendering.articles import render_paragraph
from annotation.web.rendering.markdown import excerpt_of, texts_of
from annotation.web.rendering.responses import render_response
from tests.cpu_time import cpu_seconds

SMALL, TIMES = 2_000, 4
MOST = 6  # times as long: 4 is linear, 16 quadratic
LEAST = 0.0025  # seconds: less than that measures the clock
PIECES = [
    *("[", "]", "(", ")", "*", "_", "`", "<", ">", "{", '"', "\\", "$", "|", "#", "=", "~", "&", "'", "!", "-", "1"),
    *(" ", "\n", "\r", "\t", "\u200b", "a", "a ", "a. ", "A b. ", "é", "\u0661", "1,", "1 ", "1.", "1,111,", "e.g. "),
    *("<think>", "</think>", "[THINK]", "analysis", "assistantfinal", "<answer>", '{"', '{"a":', '{"a": 1} ', "{ "),
    *("![", "](", "[a](", "[a](<", "![a](b", "[[]", "*[", "[*", "`[", "[`", "[^", "[1, ", "*a ", "a_", "~~", "<a@"),
    *("\\(", "\\[", "$$", "\\begin{align}", "a\\\n", "```\n", "~~~\n", "# a\n", "- a\n", "> ", "a\n=\n", "|a|\n", ":-"),
    *("https://", "https://a.b ", "a@b.c ", "BIBREF1 ", "Score: 1/", "Steps:\n", "sep=", "=", "\n=", "=\xa0", "  a  "),
]
ENDS = ["", "](x)*`\n"]
COUNTED = ["{0} ", "{0}. ", "W{0} w. ", "[a{0}](b{0}) ", "<a{0}>", "`{0}", '{{"{0}": ', "${0}$ ", "{0}) a\n"]
"""Pieces that differ by their number."""


def rendered(text: str) -> None:
    spans = (span for span in split(text) if span.rate)
    items = [SimpleNamespace(position=n, start=s.start, end=s.end, rate=True) for n, s in enumerate(spans)]
    render_response(text, items)


def ranked(text: str) -> None:
    PassageRanking([("Heading", text), ("", "a b")]).best(text[:500], "a", 5)  # a sentence


def read_answer(read: Callable[[str], object], text: str) -> None:
    try:
        read(text)
    except InvalidAnswer:
        return


def metrics(text: str) -> None:
    texts = Texts(text, [text[span.start : span.end] for span in split(text)], text)
    for name in METRICS:
        METRICS[name](texts)


READERS: dict[str, Callable[[str], object]] = {
    "render_response": rendered,
    "render_paragraph": render_paragraph,
    "texts_of": texts_of,
    "excerpt_of": excerpt_of,
    "separated": separated,
    "answer_of": answer_of,
    "object_in": partial(read_answer, object_in),
    "read_score": partial(read_answer, read_score),
    "read_steps": partial(read_answer, read_steps),
    "is_shown": lambda text: is_shown(text[:5_000], None, [text]),
    "numbers_in": numbers_in,
    "stems_in": stems_in,
    "ranking": ranked,
    "metrics": metrics,
    "address_problems": address_problems,
    "claim_source": source,
    "guard_cell": guard_cell,
    "clean": clean,
    "join_lines": lambda text: list(join_lines(text)),
}


def long_texts(size: int) -> Iterator[tuple[str, str]]:
    """Yield what texts are made of, and texts of this size."""
    for piece in PIECES:
        for end in ENDS:
            yield f"{piece!r} and {end!r}", f"a{(piece * size)[: size - len(end) - 1]}{end}"
    for piece in COUNTED:
        parts, length, numbers = list[str](), 0, count()
        while length < size:
            parts.append(piece.format(next(numbers)))
            length += len(parts[-1])
        yield piece, "".join(parts)[:size]


@pytest.mark.parametrize("name", READERS)
def test_four_times_the_text_takes_nowhere_near_16_times_as_long(name: str) -> None:
    read = READERS[name]
    read("a b. C.")
    seconds = partial(cpu_seconds, read, runs=1)
    slow = []
    for (made_of, small), (_, large) in zip(long_texts(SMALL), long_texts(SMALL * TIMES), strict=True):
        # What seems slow is measured again.
        if not any(taken <= MOST * LEAST or taken <= MOST * seconds(small) for taken in map(seconds, [large] * 3)):
            slow.append(made_of)
    assert not slow
