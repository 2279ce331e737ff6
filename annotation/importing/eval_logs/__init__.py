"""Logs of evaluation programs: the samples with the models' answers, one reader for each program."""
