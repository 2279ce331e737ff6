"""rouge-score itself, imported so that the log of absl does not close the standard error that pytest reads."""

import sys
from contextlib import redirect_stderr

with redirect_stderr(sys.__stderr__):
    from rouge_score.rouge_scorer import RougeScorer

__all__ = ["RougeScorer"]
