"""The majority of several answers about one item, and how many agree with it."""

from collections import Counter
from collections.abc import Sequence

from .. import protocols
from .answers import ItemAnswer


def majority(protocol: protocols.Protocol, votes: Sequence[ItemAnswer | None]) -> tuple[ItemAnswer, float] | None:
    """Return the answer that most samples gave, and their share of all samples; None if no sample is valid.

    Question by question, in the protocol's order: the option that most remaining samples gave remains, of a tie the
    first in the protocol's order. The share is that of the first checked question. An invalid sample (None) counts as
    one that does not agree. Reason and quote are those of the first sample that remains.
    """
    remaining = [vote for vote in votes if vote is not None]
    if not remaining:
        return None
    checked = protocol.checked_questions[0].key if protocol.measures else protocol.questions[0].key
    share = 1.0
    for question in protocol.questions:
        if question.kind != "choice":
            continue
        counts = Counter(vote.answers.get(question.key) for vote in remaining)
        order = {key: number for number, key in enumerate([*question.option_keys, None])}
        winner = min(counts, key=lambda option: (-counts[option], order[option]))
        remaining = [vote for vote in remaining if vote.answers.get(question.key) == winner]
        if question.key == checked:
            agreeing = sum(vote is not None and vote.answers.get(checked) == winner for vote in votes)
            share = agreeing / len(votes)
    return remaining[0], share
