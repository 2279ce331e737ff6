"""Judges: language models and rules that rate like a person, with role `judge`, and are never counted among raters.

The modules, in the order in which data flows. Words such as *call*, *reply* and *verdict*: docs/architecture.md, Terms.

- `judges`: create and find judges and their versions
- `tuning`: the items with which a judge's prompt was tuned
- `project_judges`: the judges and runs of a project, with counts and costs
- `workload`: the items that a judge rates, or the responses that Fact-QA scores, by one process at a time
- `run`: let a judge rate what is missing
- `estimate`: estimate cost and time by a run about ten items
- `rules`: the rules, and a run of one
- `item_requests`: the requests about items, whose answers become verdicts
- `prompts`: the messages of such a request
- `passages`: rank the passages of a document, to show the best
- `answers`: read an answer about items
- `quotes`: find the quoted passage in the document
- `verdicts`: store and select verdicts
- `fact_requests`: the requests of Fact-QA about the facts of a response: messages, answers, scores
- `fact_scores`: store and select these scores
- `calls`: find, export and delete the stored requests, which `annotation.model_calls` sends
- `rereading`: read stored replies again, and correct what was taken from a draft
"""
