"""Judges: language models and rules that rate like a person, with role `judge`, and are never counted among raters.

`judges` creates and finds them, `run` lets one rate a project: `rule_runs` by a rule, `model_runs` by requests to an
endpoint (`request_queue`: which are sent next, `outcomes`: what follows from the answers). Each item gets one
`Verdict`, and a rating if its answers are valid. With Fact-QA (`fact_tasks`) each response gets a `FactScore`.
"""
