"""Requests to language models, sent by runs of judges (`annotation.judging`) and generators (`annotation.generation`).

The modules, in the order in which data flows:

- `errors`: what cannot be created or run
- `configurations`: the configuration of a model, checked before it is stored
- `keys`: the key of an endpoint
- `request_groups`: the requests that give one result together
- `request_loop`: the loop of a run that sends requests and takes replies
- `request_queue`: which requests are sent next, and when
- `fences`: lines of a prompt that no text in it has
- `request_bodies`: the body of a request, and the key of its answer in the cache
- `costs`: the cost of requests, and the budget of a run
- `calls`: requests and their replies, as stored
- `run_lock`: one run at a time
- `run_ends`: how a run ends
- `endpoint`: send one request
- `replies`: what came back for one request
- `reasoning`: separate what the model thought from what it answered
- `json_objects`: find the JSON objects in an answer
- `reply_processing`: what follows from a reply: a result, a repair, a retry, or the end of the run
- `retries`: whether and when a request is sent again
- `invalid_answers`: why an answer cannot be used
- `result_counts`: numbers of stored results
"""
