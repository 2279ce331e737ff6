"""The Fact-QA scores of a judge as a table: one row for each response of the project that Fact-QA scores.

Leads download it with the facts of each response; the bundle of a report has it without them.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ..models import FactScore, Judge, Project
from ..reporting.choices import DEFAULT, Choices
from ..reporting.data.response_scores import read_fact_scores
from ..site.database_transactions import one_snapshot
from .rating_columns import Column, Row, cluster_name
from .writers import CSV, JSON_LINES

FACT_QA_FILE = "fact_qa.csv"
COLUMNS = (
    Column("judge", "text", "the judge with its version, such as facts@1"),
    Column("role", "text", "judge"),
    Column("prompt", "text", "imported id of the prompt"),
    Column("document", "text", "imported id of its document; empty if it has none"),
    Column("response", "text", "imported id of the response"),
    Column("system", "text", "system that produced it"),
    Column("question_type", "text", "type of the prompt, in small letters; empty without one"),
    Column("source_class", "text", "explicit, implicit or insufficient; empty for other types"),
    Column("state", "text", "scored or failed; tuned: it has a score, but tuned the prompt; empty: not scored yet"),
    Column("precision", "number", "0 to 1; empty: undefined"),
    Column("recall", "number", "0 to 1; empty: undefined"),
    Column("f1", "number", "0 to 1; empty: undefined"),
    Column("supported_facts", "number", "facts of the response that are supported; empty: unreadable, or not asked"),
    Column("facts", "number", "facts of the response"),
    Column("supported_reference_facts", "number", "facts of the reference answer that the response supports"),
    Column("reference_facts", "number", "facts of the reference answer"),
    Column("unreadable", "whole", "answers that could not be read and count 0"),
    Column("problem", "text", "why it failed"),
    Column("model", "text", "model of the judge"),
    Column("cost_usd", "number", "cost of the requests in USD; empty without prices"),
)
LIST_COLUMNS = (
    Column("fact_list", "json", "the facts of the response, each with whether it is supported, if they were listed"),
    Column("reference_fact_list", "json", "those of the reference answer"),
)
BUNDLE_COLUMNS = (*COLUMNS, Column("cluster", "text", "the sampling unit of the report"))
FORMATS = {"csv": CSV, "jsonl": JSON_LINES}


def export_fact_scores(project: Project, judge: Judge, format: str) -> Iterator[bytes]:
    """Yield the file in one of FORMATS, of one snapshot, with the facts of each response."""
    with one_snapshot():
        stored = FactScore.objects.filter(judge=judge, project=project).values_list("response__key", "counts")
        counts: dict[str, Mapping[str, Any]] = dict(stored.iterator())
        rows = []
        for row in fact_score_rows(project, judge):
            lists = counts.get(str(row["response"]), {})
            facts, of_reference = ((lists.get(part) or {}).get("list") for part in ("precision", "recall"))
            rows.append({**row, "fact_list": facts, "reference_fact_list": of_reference})
        yield from FORMATS[format].write(rows, (*COLUMNS, *LIST_COLUMNS))


def fact_score_rows(
    project: Project, judge: Judge, choices: Choices = DEFAULT, cluster: str | None = None
) -> Iterator[Row]:
    """Yield the values of COLUMNS in the order of imported ids, with the name of the `cluster` if there is one."""
    figures = ("state", "question_type", "source_class", "precision", "recall", "f1", "unreadable", "problem")
    numbers = ("supported_facts", "facts", "supported_reference_facts", "reference_facts")
    for score in read_fact_scores(project, judge, choices).rows:
        prompt = score.response.prompt
        yield {
            "judge": judge.label,
            "role": "judge",
            "model": judge.model,
            "prompt": prompt.key,
            "document": prompt.document,
            "response": score.response.key,
            "system": score.response.system,
            **{name: getattr(score, name) for name in (*figures, *numbers)},
            "cost_usd": score.cost,
            **({"cluster": cluster_name(prompt.key, prompt.document, cluster)} if cluster else {}),
        }
