"""Judges: language models and rules that rate like a person, with role `judge`, and are never counted among raters.

The modules, in the order in which data flows. Words such as *call*, *reply* and *verdict*: docs/architecture.md, Terms.

- `judges`: create and find judges and their versions; the key of an endpoint
- `tuning`: the items with which a judge's prompt was tuned
- `project_judges`: the judges and runs of a project, with counts and costs

A run, from what it rates to its end:

- `judged_items`: the items that a judge rates
- `fact_scores`: the responses that Fact-QA scores, and their scores
- `workload`: either of the two, for whatever judge
- `run_lock`: one run of a judge in a project at a time
- `run`: start, continue and end a run
- `estimate`: estimate cost and time by a run about ten items
- `rule_runs`: a run of a rule
- `rules`: the rules

The requests, which `annotation.model_calls` sends:

- `judge_requests`: the requests that give one result together, whatever they are about
- `item_requests`: those about items
- `fact_requests`: those about the facts of a response
- `passages`: rank the passages of a document, to show the best
- `prompts`: the messages of a request about items
- `fact_prompts`: the messages of a request about facts
- `calls`: find, export and delete the stored requests

The answers:

- `answers`: read an answer about items
- `fact_answers`: read an answer about facts
- `votes`: the majority of several answers about one item
- `quotes`: find the quoted passage in the document
- `verdicts`: store and select verdicts
- `rereading`: read stored replies again, and correct what was taken from a draft
"""
