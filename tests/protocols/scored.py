"""A protocol with a score."""

from annotation.protocols import Protocol, builtin, load

SCORE = """
[[scores]]
key = "weighted"
label = "Weighted errors"
description = "Severe errors weigh 3."
among = { accuracy = ["accurate", "disputed", "unsupported", "inaccurate"] }
weights = [
  { when = { accuracy = ["inaccurate"], severity = ["severe"] }, weight = 3 },
  { when = { accuracy = ["inaccurate", "disputed"] }, weight = 0.5 },
]
"""


def source(score: str = SCORE) -> str:
    return builtin()["article-accuracy"].source.replace('slug = "article-accuracy"', 'slug = "scored"') + score


def scored(score: str = SCORE) -> Protocol:
    return load(source(score))
