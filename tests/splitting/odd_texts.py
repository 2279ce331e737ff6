"""Texts made of words, marks and markup in any order."""

from hypothesis import strategies as st

PIECES = [
    "The gate is open", "It fell", " ", "  ", ".", ". ", "?", "! ", "...", "…", "\n", "\n\n", "\r\n", "\r",
    "\u2028", "\t", "\u00a0", "\u200b", "\ufeff", "- ", "* ", "1. ", "a) ", "(1) ", "A. ", "\nB. ", "> ",
    "# ", "## ", "---", "\n---\n", "===", "|", "| a | b |", "\n|---|---|\n", "```", "\n```\n", "~~~", "`",
    "$", "$$", "\\(", "\\)", "\\[", "\\]", "\\begin{align}", "\\end{align}", "[1]", "[^1]", "[^1]: ", "[",
    "]", "(", ")", '"', "“", "”", "'", "‘", "’", "**", "*", "_", "😀", "https://x.org/a", "e.g. ", "U.S. ",
    "et al. ", "Fig. 3", "mRNA", "he said", "References\n", "Source: ", ":", ": ", ";", "—", " - ", "。", "？",
    "「", "」", "中文", "।", "؟", "x = 1", "<br>", "[x] ", "\\", "\x00", "\ud800",
    "<think>", "</think>", "<answer>", "</answer>", "1．", "\u200f", "\u00ad", "‼", "2. ",
]  # fmt: skip
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=40).map("".join)
