"""Requests to language models, sent by runs of judges (`annotation.judging`) and generators (`annotation.generation`).

The fields of `models.model_calls` declare the settings of an endpoint and the limits of a run. The modules, in the
order in which data flows:

- `errors`: what cannot be created or run, and answers that cannot be used
- `configurations`: what is checked of settings before they are stored; versions by their labels
- `keys`: the key of an endpoint
- `prompt_templates`: placeholders of a prompt, and the fence that no text in it has
- `runs`: limits of a run, how it starts and ends, and what came of it
- `run_lock`: one run at a time
- `request_groups`: the requests that give one result together
- `request_loop`: the loop of a run that sends requests and takes replies
- `request_queue`: which requests are sent next, and when; whether one is sent again
- `request_bodies`: the body of a request, and the key of its answer in the cache
- `costs`: the cost of requests, and the budget of a run
- `calls`: requests and their replies, as stored
- `endpoint`: send one request
- `replies`: what came back for one request
- `reasoning`: separate what the model thought from what it answered
- `json_objects`: find the JSON objects in an answer
- `reply_processing`: what follows from a reply: a result, a repair, a retry, or the end of the run
"""
