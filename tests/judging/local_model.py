"""An endpoint to try judges with on one machine: `python -m tests.judging.local_model`.

The program that answers is no language model. It answers the questions of `article-accuracy` by words and numbers: a
sentence is inaccurate if a number of it is not in the document, unsupported if less than half of its words are in one
paragraph, else accurate. With `--faults` every fifth request fails at first, in another way each time.
"""

import argparse
import itertools
import json
import re
from collections.abc import Iterator

from tests.judging.fake_endpoint import FakeEndpoint, completion

PORT = 8099
HALF = 0.5
FAULTS = ((429, {"retry-after": "0.1"}), 500, "cut", "junk")


def answer(body: dict) -> dict:
    """Answer a request about one sentence, with the tokens that it had (here: words)."""
    messages = body["messages"]
    rating = json.dumps(rate(messages[1]["content"]))
    usage = {"prompt_tokens": sum(len(each["content"].split()) for each in messages)}
    usage["completion_tokens"] = len(rating.split())
    return completion(rating) | {"usage": usage, "model": body["model"]}


def rate(text: str) -> dict:
    """Return the answers for the sentence that a request of a judge asks about, with reason and quote."""
    document = text.partition("<document>\n")[2].partition("\n</document>")[0]
    sentence = text.rpartition("rate nothing else:\n")[2].strip()
    words = words_in(sentence)
    paragraphs = [re.sub(r"^\[\d+\] ", "", paragraph) for paragraph in document.split("\n\n")]
    best = max(paragraphs, key=lambda paragraph: len(words & words_in(paragraph)))
    share = len(words & words_in(best)) / max(len(words), 1)
    if missing := sorted(word for word in words - words_in(document) if word[0].isdigit()):
        return rating("inaccurate", f"The document does not have {', '.join(missing)}.", best)
    if share < HALF:
        return rating("unsupported", f"The best paragraph has {share:.0%} of the words.", "")
    return rating("accurate", f"One paragraph has {share:.0%} of the words.", best)


def rating(option: str, reason: str, quote: str) -> dict:
    severity = None if option == "accurate" else "not_severe"
    return {"answers": {"accuracy": option, "severity": severity}, "reason": reason, "quote": quote}


def words_in(text: str) -> set[str]:
    """Return the numbers and the longer words of a text."""
    return {word.lower() for word in re.findall(r"\d+(?:[.,]\d+)*|[^\W\d_]{4,}", text)}


def faults() -> Iterator[object]:
    """Yield a fault for every fifth request, None for the others."""
    for fault in itertools.cycle(FAULTS):
        yield from (None, None, None, None, fault)


def main() -> None:
    parser = argparse.ArgumentParser(description="Answer the requests of judges on this machine, by words and numbers.")
    parser.add_argument("--port", type=int, default=PORT, help=f"default: {PORT}")
    parser.add_argument("--faults", action="store_true", help="let every fifth request fail at first")
    options = parser.parse_args()
    endpoint = FakeEndpoint(answer, itertools.islice(faults(), 10_000) if options.faults else (), options.port)
    print(f"{endpoint.url} answers until Ctrl+C", flush=True)
    try:
        endpoint.serve_forever()
    except KeyboardInterrupt:
        endpoint.server_close()


if __name__ == "__main__":
    main()
