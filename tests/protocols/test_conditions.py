"""The one condition form means the same in Python, in JavaScript and in SQL; so do pruning and checking in the page."""

import json

import pytest
from django.db import connection

from annotation.protocols import as_sql, holds, problems, prune, visible_questions

from ..javascript.modules import evaluate
from .strategies import conditions_with_answers, examples, protocols_with_answers


def evaluate_in_sql(batch: list[tuple[dict, dict]]) -> list[bool]:
    """Evaluate every condition of the batch against its own answers, in one query."""
    branches, params = [], []
    for n, (condition, _) in enumerate(batch, 1):
        sql, values = as_sql(condition, "batch.answers")
        branches.append(f"WHEN {n} THEN {sql}")
        params += values
    query = f"""SELECT CASE n {" ".join(branches)} END
        FROM jsonb_array_elements(%s::jsonb) WITH ORDINALITY AS batch(answers, n) ORDER BY n"""
    with connection.cursor() as cursor:
        cursor.execute(query, [*params, json.dumps([answers for _, answers in batch])])
        return [row[0] for row in cursor.fetchall()]


def differences(batch: list, *results: list) -> list:
    """Return the examples on which Python and SQL differ, the shortest first."""
    rows = zip(batch, *results, strict=True)
    return sorted((row for row in rows if any(result != row[1] for result in row[2:])), key=lambda row: len(repr(row)))


@pytest.mark.django_db
def test_a_condition_means_the_same_in_python_javascript_and_sql() -> None:
    batch = examples(conditions_with_answers(), 400)
    python = [holds(condition, answers) for condition, answers in batch]
    javascript = evaluate("shared/protocol.js", "module.holds(...example)", batch)
    assert differences(batch, python, evaluate_in_sql(batch), javascript)[:3] == []
    assert min(python.count(True), python.count(False)) > 66, "the examples no longer show both outcomes"


def test_the_page_shows_prunes_and_checks_as_the_server_does() -> None:
    examples_of_all = examples(protocols_with_answers(), 400)
    batch = [(protocol.as_json(), answers) for protocol, answers in examples_of_all]
    python = [
        [
            [question.key for question in visible_questions(protocol, answers)],
            prune(protocol, answers),
            problems(protocol, answers),
            not problems(protocol, answers),
            [question.key for question in protocol.for_item(is_last=False, kind="sentence").questions],
        ]
        for protocol, answers in examples_of_all
    ]
    page_says = """[
        module.visibleQuestions(...example).map((question) => question.key),
        module.prune(...example), module.problems(...example), module.isComplete(...example),
        module.protocolForItem(example[0], false, "sentence").questions.map((question) => question.key)]"""
    assert differences(batch, python, evaluate("shared/protocol.js", page_says, batch))[:3] == []
    complete = [result[3] for result in python]
    pruned = [len(result[1]) < len(answers) for result, (_, answers) in zip(python, batch, strict=True)]
    assert min(complete.count(True), complete.count(False), pruned.count(True), pruned.count(False)) > 33


@pytest.mark.django_db
def test_without_answers_sql_says_false_and_never_null_but_an_empty_condition_holds() -> None:
    def rows(sql: str, params: list) -> tuple:
        cursor.execute(f"SELECT {sql}, NOT {sql}", [*params, *params])
        return cursor.fetchone()

    with connection.cursor() as cursor:
        for answers in ("NULL", "'null'", "'[]'", "'[\"accuracy\"]'", "'\"accuracy\"'", "'{}'"):
            assert rows(*as_sql({"accuracy": ["accurate"]}, f"({answers}::jsonb)")) == (False, True)
        assert rows(*as_sql({}, "(NULL::jsonb)")) == (True, False)
