"""Statistics of the report: arrays and numbers in, small frozen dataclasses of plain numbers out.

Nothing here knows of Django, of projects or of protocols. Three conventions hold in every module: a figure
that is not defined is None (never 0, NaN or an exception), a result holds Python numbers only so that it can
go to JSON as it is, and sums of counts are taken over integers, so that no figure depends on the order of the
rows or on the machine's linear algebra. `docs/statistics.md` has the formulas and when each is reported.
"""
