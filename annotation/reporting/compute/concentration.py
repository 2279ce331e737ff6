"""Systems of whose ratings one document has a large part: figures that weight ratings alike are largely about it."""

from collections import Counter

import numpy as np

from ...stats.proportions import count_table
from ..data.table import RatingTable

MOST = 0.25
"""A larger share of a system's ratings about one document is reported."""


def concentration(ratings: RatingTable) -> dict[str, float] | None:
    """Return by system the largest share of its ratings that are about one document with several prompts, where it is
    above MOST; None without any.
    """
    responses, counts = ratings.responses, ratings.counts
    prompts = Counter(document for document in responses.documents if document is not None)
    number = {document: i for i, document in enumerate(key for key, n in prompts.items() if n > 1)}
    others = len(number)
    unit_of_prompt = np.array([number.get(document or "", others) for document in responses.documents], dtype=np.int64)
    unit = unit_of_prompt[responses.prompt_of[counts.response]]
    shape = (len(responses.systems), others + 1)
    n = count_table(responses.system_of[counts.response], unit, shape, counts.n)
    shares = n[:, :others].max(axis=1, initial=0) / np.maximum(n.sum(axis=1), 1)
    return {
        system: share for system, share in zip(responses.systems, shares.tolist(), strict=True) if share > MOST
    } or None
