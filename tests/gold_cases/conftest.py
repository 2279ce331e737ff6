"""Collect the tests of a file with gold cases only where the file is: the project has no copy of them."""

from tests.gold_cases.files import SENTENCES, STATISTICS

_of_statistics = [] if STATISTICS.exists() else ["test_stats.py", "test_reports.py", "test_judges.py"]
_of_sentences = [] if SENTENCES.exists() else ["test_splitting.py"]
collect_ignore = [*_of_statistics, *_of_sentences]
