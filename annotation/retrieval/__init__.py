"""Retrieval of the passages of a text that fit a question. Pure Python.

Published baselines retrieve chunks, ranked by BM25 (`Retriever`). Raters and judges are shown the paragraphs of
`passage_ranking`.
"""

from dataclasses import dataclass

from .bm25 import BM25
from .chunks import chunks_of

__all__ = ["BM25", "METHODS", "Retriever", "chunks_of"]


@dataclass(frozen=True)
class Method:
    """How many chunks of which size and overlap, in characters, are retrieved."""

    size: int
    overlap: int
    top: int


METHODS = {"bm25": Method(200, 50, 1), "rag-chunks": Method(1_000, 200, 5)}
"""The baselines of SyllabusQA (Fernandez et al. 2024): an answer, and the context of a generated one."""


class Retriever:
    """The chunks of one text by a method of METHODS."""

    def __init__(self, text: str, method: str):
        self._method = METHODS[method]
        self.chunks = chunks_of(text, self._method.size, self._method.overlap)
        self._ranking = BM25(self.chunks)

    def best(self, question: str) -> list[str]:
        """Return the chunks that fit best, the best first; fewer if the text has fewer, none if it is blank."""
        return [self.chunks[number] for number in self._ranking.ranked(question)[: self._method.top]]
