"""Time grows with the length of the text, not with its square, whatever a response is made of."""

from time import process_time

import pytest

from annotation.splitting import split

pytestmark = pytest.mark.slow

SMALL, TIMES = 12_000, 8

UNITS = [
    "*", "[", "(", '"', "“", ">", "|", "`", "a.", "a. ", " ", "\n", "$", "word ", "1. ", "- ", "![[", "\\(",
    "\\[", "$$", "\\begin{align}", "#", "> ", '"a. ', "(a. ", "[1] ", ". (a)", ".[", '. ("', "¹", "a_",
    "|a\n", "-x\n", "A.\n", "x\n===\n", "```\n", "`` ` ", "https://", "](", "'a ",
    "Some lines that nobody has wrapped by hand, here\n", "He said \"a. b\" ", "\\[\n", "$a ", "[^", "。",
    "Ref: ", "e.g. ", "😀 ", ". 😀",
]  # fmt: skip


def seconds(text: str) -> float:
    """Return the shorter time of two runs."""
    times = []
    for _ in range(2):
        begin = process_time()
        split(text)
        times.append(process_time() - begin)
    return min(times)


@pytest.mark.parametrize("unit", UNITS)
def test_eight_times_the_text_takes_nowhere_near_64_times_as_long(unit):
    small = (unit * SMALL)[:SMALL]
    large = (unit * SMALL * TIMES)[: SMALL * TIMES]
    # A floor of 2 ms, because less than that measures the clock; half way between linear and square otherwise.
    assert seconds(large) < 28 * max(seconds(small), 0.002)


def test_deep_nesting_is_no_deep_recursion():
    assert split("(" * 20_000 + "a. B" + ")" * 20_000)
    assert split("> " * 20_000 + "a")
    assert split("\n".join("  " * depth + "- a" for depth in range(500)))
