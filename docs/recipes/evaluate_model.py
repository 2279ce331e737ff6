"""Evaluate a model, from questions to a release gate, with the Python client of Factuary.

    python evaluate_model.py start    store the questions, generate responses, let a judge rate, wait for people
    python evaluate_model.py finish   freeze the report of all ratings, and exit with 1 if the model is not good enough

Between the two, people rate in the browser. Both can be run again: what is stored stays, and only what is missing is
done. Environment: FACTUARY_URL and FACTUARY_TOKEN (of an admin); MODEL_URL, MODEL_NAME and, if the endpoint needs one,
MODEL_KEY. The folder has `questions.jsonl`, in the format `jsonl` with a document for each question.
"""

import os
import sys

from factuary import Client, NotFoundError
from factuary.command import main as factuary

NAME, SYSTEM, JUDGE = "release-7", "model-a", "first-reader"
RATERS = ["maria", "noor"]
SAMPLE = 40  # sentences that people rate, drawn at random; the judge rates all
BUDGET = 5.0  # USD, for the responses and for the judge
GATE = ["check", NAME, "--measure", "severely_inaccurate", "--below", "0.25", "--bound", "high"]
PRICES = {"input_price": "2", "output_price": "10"}  # USD per million tokens
ENDPOINT = {"base_url": os.environ["MODEL_URL"], "model": os.environ["MODEL_NAME"], **PRICES}
KEY = {"key": os.environ["MODEL_KEY"]} if "MODEL_KEY" in os.environ else {}


def start(fx: Client) -> None:
    """Store the questions, generate responses, create the project, and let the judge rate."""
    dataset = fx.datasets.load(NAME, "questions.jsonl", format="jsonl").wait()
    generator = dataset.create_generator(SYSTEM, template="whole-article", context_tokens=100_000, **ENDPOINT, **KEY)
    counts = generator.count_tokens().wait()
    print(
        f"{counts['prompts']} requests, about {counts['prompt_tokens']} tokens, at most USD {counts['most_cost_usd']}"
    )
    for prompt in counts["too_long_named"]:
        print(f"too long, not sent: {prompt['document']}, about {prompt['tokens']} tokens")
    result = generator.run(budget_usd=BUDGET).wait(progress=print)
    print(f"{result['new']} new responses, {result['failed']} failed, USD {result['cost_usd']}")

    try:
        project = fx.projects.get(NAME)
    except NotFoundError:
        sample = {"sampling_design": "uniform", "sample_size": SAMPLE}
        project = fx.projects.create(NAME, dataset=dataset, protocol="article-accuracy", overlap=2, **sample)
    for rater in RATERS:
        project.members.add(rater, role="rater")

    fx.create_judge(JUDGE, **ENDPOINT, **KEY)
    verdicts = project.judges.run(JUDGE, budget_usd=BUDGET).wait(progress=print)
    print(f"the judge rated {verdicts.new} sentences, USD {verdicts.cost_usd}")
    print(f"Now {' and '.join(RATERS)} rate. Then: python evaluate_model.py finish")


def finish(fx: Client) -> int:
    """Freeze the report and return the exit status of the release gate."""
    project = fx.projects.get(NAME)
    report = project.reports.freeze(seed=1, judge=JUDGE).wait()
    for measure in ("accurate", "inaccurate", "severely_inaccurate"):
        print(f"{measure}: people {report[measure, SYSTEM]}; with the judge {report.with_judge(measure, SYSTEM)}")
    report.save("report.md")
    return factuary(GATE)


def main() -> int:
    """Run one of the two parts and return the exit status."""
    with Client() as fx:
        if sys.argv[1:] == ["start"]:
            start(fx)
            return 0
        if sys.argv[1:] == ["finish"]:
            return finish(fx)
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
