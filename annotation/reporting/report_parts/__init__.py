"""The classes that a report consists of, by subject; import them from `reporting.report`."""
