"""Generate responses: a language model at an endpoint answers the prompts of a data set.

The modules, in the order in which data flows:

- `templates`: the prompt templates, built in or of the site, and their versions
- `generators`: create and find the settings of a generated system
- `prompts`: the messages of a request
- `token_limits`: estimated tokens of a request, and how many fit
- `token_counts`: how many tokens a run will send, and which documents are too long, before anything is sent
- `requests`: the requests of a run, and the results that are stored
- `answers`: read an answer in steps
- `run`: start, continue and end a run
- `summaries`: generators and runs with what came of them
- `generated_files`: the results as a file
"""
