"""Time grows with the length of the text, not with its square, whatever a response is made of."""

import pytest

from annotation.splitting import split
from tests.cpu_time import cpu_seconds

SMALL, TIMES = 5_000, 8

UNITS = [
    "*", "[", "(", '"', "“", ">", "|", "`", "a.", "a. ", " ", "\n", "$", "word ", "1. ", "- ", "![[", "\\(",
    "\\[", "$$", "\\begin{align}", "#", "> ", '"a. ', "(a. ", "[1] ", ". (a)", ".[", '. ("', "¹", "a_",
    "|a\n", "-x\n", "A.\n", "x\n===\n", "```\n", "`` ` ", "https://", "](", "'a ",
    "Some lines that nobody has wrapped by hand, here\n", "He said \"a. b\" ", "\\[\n", "$a ", "[^", "。",
    "Ref: ", "e.g. ", "😀 ", ". 😀", "<think>", "</think>", "<think", "<|channel|>", "<answer>", "<think>a</think>",
    "`<think>`", "1.\n", "1. a 2. b 3. c ", "1. (a) ", "(1) (2) ", "Fig. A ", "a\u200b. ", ".\u200b", "\u200b",
    "།", "། ", "．", "‼", "a; ", "α; ", "# a\n", "`a`\n", "a)\n", "<|end|>", "[THINK] ", "１．",
]  # fmt: skip


@pytest.mark.parametrize("unit", UNITS)
def test_eight_times_the_text_takes_nowhere_near_64_times_as_long(unit):
    small, large = ((unit * length)[:length] for length in (SMALL, SMALL * TIMES))
    # A floor of 0.4 ms, because less than that measures the clock; half way between linear and square otherwise.
    limit = 28 * max(cpu_seconds(split, small, runs=2), 0.0004)
    assert any(cpu_seconds(split, large, runs=1) < limit for _another_try in range(2))


def test_deep_nesting_is_no_deep_recursion():
    assert split("(" * 20_000 + "a. B" + ")" * 20_000)
    assert split("> " * 20_000 + "a")
    assert split("\n".join("  " * depth + "- a" for depth in range(500)))
