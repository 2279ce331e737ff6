"""Sentences a second of the splitter beside raw Punkt, NLTK's own tokenizer with our parameters, on the same texts.

`value` and `baseline` are in the same unit, measured in turn in one run; `ratio` = value / baseline is what to watch,
since it hardly depends on the machine. Raw Punkt reads no Markdown, names no kinds and cuts far too often: it is the
floor of what sentence boundaries cost, not a rival.
"""

import random
from collections.abc import Callable, Iterable
from functools import partial
from time import perf_counter

from nltk.tokenize.punkt import PunktSentenceTokenizer

from annotation.splitting import punkt, split
from benchmarks._figure import Figure

RESPONSES, SEED, ROUNDS, MEGABYTE = 300, 1, 5, 1_000_000

SUBJECTS = [
    "The gate",
    "A weir",
    "Moreno et al. [3]",
    "The U.S. agency",
    "Each pump",
    "mRNA",
    "Dr. Osei",
    "Version 3.1",
]
VERBS = [
    "opens at 5 p.m.",
    "holds $x = 1$",
    "was measured twice (see Fig. 2)",
    'is called "tidal"',
    "costs 2.5 million",
]
ENDS = ["in most years.", "as `ls -l` shows.", "i.e. nearly always [1][2].", "and then falls!", "(Osei, 2020)."]
HOSTILE = ["(", "[a](", '"a. B ', "`", "$", "> ", "- a\n", "1. ", "|a", "a.", "**", "\\["]


def run() -> Iterable[Figure]:
    """Yield one line a figure: {"name", "value", "unit", "baseline", "ratio", "n"}."""
    chance = random.Random(SEED)
    texts = [response(chance) for _ in range(RESPONSES)]
    raw = PunktSentenceTokenizer(punkt.load())
    spans = sum(len(split(text)) for text in texts)
    cuts = sum(len(list(raw.span_tokenize(text))) for text in texts)
    ours, theirs = in_turn(lambda: [split(text) for text in texts], lambda: [list(raw.span_tokenize(t)) for t in texts])
    yield Figure("spans a second / sentences a second of raw Punkt", spans / ours, cuts / theirs, "1/s", spans)
    yield Figure(
        "characters a second / characters a second of raw Punkt",
        sum(map(len, texts)) / ours,
        sum(map(len, texts)) / theirs,
        "1/s",
        sum(map(len, texts)),
    )
    prose = (" ".join(texts) * (MEGABYTE // sum(map(len, texts)) + 1))[:MEGABYTE]
    plain = seconds(lambda: split(prose))
    worst = max(seconds(partial(split, (unit * MEGABYTE)[:MEGABYTE])) for unit in HOSTILE)
    yield Figure("slowest hostile megabyte / a megabyte of responses", worst, plain, "s", len(HOSTILE))


def response(chance: random.Random) -> str:
    """Return a response of a few headings, paragraphs, lists, a table and code."""
    parts = []
    for _ in range(chance.randint(2, 4)):
        parts += [f"## {chance.choice(SUBJECTS)}", paragraph(chance), "**Steps:**"]
        parts += ["\n".join(f"{n}. {sentence(chance)}" for n in range(1, 5))]
        parts += ["| Port | Depth |\n|---|---|\n| Esk | 3 m |\n| Ure | 4 m |", "```sh\nls -l\n```"]
    return "\n\n".join(parts)


def paragraph(chance: random.Random) -> str:
    return " ".join(sentence(chance) for _ in range(chance.randint(3, 8)))


def sentence(chance: random.Random) -> str:
    return f"{chance.choice(SUBJECTS)} {chance.choice(VERBS)} {chance.choice(ENDS)}"


def in_turn(first: Callable[[], object], second: Callable[[], object]) -> tuple[float, float]:
    """Return the best of some runs of each, taken in turn."""
    times = [(seconds(first), seconds(second)) for _ in range(ROUNDS)]
    return min(a for a, _ in times), min(b for _, b in times)


def seconds(work: Callable[[], object]) -> float:
    begin = perf_counter()
    work()
    return perf_counter() - begin
