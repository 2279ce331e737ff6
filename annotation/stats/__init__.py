"""Statistics of the report: arrays and numbers in, small frozen dataclasses of plain numbers out.

This package does not depend on Django, projects or protocols. Three conventions hold in every module: an undefined
figure is None (never 0, NaN or an exception), a result has Python numbers only so that it can be written as JSON, and
sums of counts are computed with integers, so that no figure depends on the order of the rows or on the machine's linear
algebra. `docs/statistics.md` has the formulas and when each is reported.
"""
