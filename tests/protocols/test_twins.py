"""The one condition form means the same in Python, in JavaScript and in SQL; so do pruning and checking in the page."""

import json
from pathlib import Path

import pytest
from django.db import connection

from annotation.protocols import as_sql, holds, problems, prune, visible_questions

from .strategies import conditions_with_answers, examples, protocols_with_answers

MODULE = Path(__file__).parents[2] / "static" / "js" / "protocol.js"
SITE = "http://localhost:1/"  # nothing listens there: every request is answered by the test


def in_the_browser(page, expression: str, batch: list) -> list:
    """The value of a JavaScript expression on the names `twin` and `example`, for a whole batch in one page."""

    def answer(route) -> None:
        if route.request.url.endswith(".js"):
            route.fulfill(path=MODULE.with_name(route.request.url.rsplit("/", 1)[1]), content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html><title>Twin</title>", content_type="text/html")

    page.route("**/*", answer)
    page.goto(SITE)
    script = f"""async (batch) => {{
        const twin = await import("/protocol.js");
        return JSON.stringify(JSON.parse(batch).map((example) => {expression}));
    }}"""
    # As text both ways, because the driver's own encoding loses keys such as "__proto__".
    return json.loads(page.evaluate(script, json.dumps(batch)))


def in_the_database(batch: list[tuple[dict, dict]]) -> list[bool]:
    """Every condition of the batch against its own answers, in one query."""
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
    """The examples on which the twins disagree, the shortest first."""
    rows = zip(batch, *results, strict=True)
    return sorted((row for row in rows if any(result != row[1] for result in row[2:])), key=lambda row: len(repr(row)))


@pytest.mark.browser
@pytest.mark.django_db
def test_a_condition_means_the_same_in_python_javascript_and_sql(page) -> None:
    batch = examples(conditions_with_answers(), 600)
    python = [holds(condition, answers) for condition, answers in batch]
    javascript = in_the_browser(page, "twin.holds(...example)", batch)
    assert differences(batch, python, in_the_database(batch), javascript)[:3] == []
    assert min(python.count(True), python.count(False)) > 100, "the examples no longer show both outcomes"


@pytest.mark.browser
def test_the_page_shows_prunes_and_checks_as_the_server_does(page) -> None:
    examples_of_all = examples(protocols_with_answers(), 600)
    batch = [(protocol.as_json(), answers) for protocol, answers in examples_of_all]
    python = [
        [
            [question.key for question in visible_questions(protocol, answers)],
            prune(protocol, answers),
            problems(protocol, answers),
            not problems(protocol, answers),
            [question.key for question in protocol.about(last=False, kind="sentence").questions],
        ]
        for protocol, answers in examples_of_all
    ]
    page_says = """[
        twin.visibleQuestions(...example).map((question) => question.key),
        twin.prune(...example), twin.problems(...example), twin.isComplete(...example),
        twin.askedAbout(example[0], false, "sentence").questions.map((question) => question.key)]"""
    assert differences(batch, python, in_the_browser(page, page_says, batch))[:3] == []
    complete = [result[3] for result in python]
    pruned = [len(result[1]) < len(answers) for result, (_, answers) in zip(python, batch, strict=True)]
    assert min(complete.count(True), complete.count(False), pruned.count(True), pruned.count(False)) > 50


@pytest.mark.django_db
@pytest.mark.parametrize("answers", ["NULL", "'null'", "'[]'", "'[\"accuracy\"]'", "'\"accuracy\"'", "'{}'"])
def test_without_answers_sql_says_false_and_never_null(answers: str) -> None:
    sql, params = as_sql({"accuracy": ["accurate"]}, f"({answers}::jsonb)")
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {sql}, NOT {sql}", [*params, *params])
        assert cursor.fetchone() == (False, True)


@pytest.mark.django_db
def test_an_empty_condition_holds_in_sql_even_without_answers() -> None:
    sql, params = as_sql({}, "(NULL::jsonb)")
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {sql}", params)
        assert cursor.fetchone() == (True,)
