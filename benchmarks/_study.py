"""Studies that PostgreSQL makes itself, quickly and of any size, for the benchmarks of ratings stored already."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

RATING = "annotation_rating"
TALLY, HISTORY = "^pgtrigger_tally_", "^pgtrigger_(insert_insert|update_update|delete_delete)_"
KEPT_BY_TALLY = "project_id, response_id, against_id, unit, role, counted, choices"


@dataclass(frozen=True)
class Study:
    """How large a study is: each prompt has a response of each system, each of these its sentences, each of these a
    rating of so many raters. `pool`: how many raters there are, of whom the responses take turns; as many as rate a
    sentence unless told."""

    slug: str
    prompts: int
    systems: int
    sentences: int
    raters: int
    pool: int = 0

    @property
    def people(self) -> int:
        return max(self.raters, self.pool)

    @property
    def ratings(self) -> int:
        return self.prompts * self.systems * self.sentences * self.raters


def make(study: Study, *, bare: bool = False) -> Any:
    """The project of the study with all its ratings. `bare`: triggers, indexes and keys are off meanwhile and the tally
    is counted afterwards, which is how ten million take minutes and not hours."""
    from django.db import connection

    project = make_project(study)
    with connection.cursor() as cursor:
        if bare:
            with bare_table(cursor):
                insert_ratings(cursor, project, 0, study.people, each=study.raters)
            cursor.execute(_RECOUNT, {"project": project.pk})
        else:
            insert_ratings(cursor, project, 0, study.people, each=study.raters)
        cursor.execute(f"VACUUM ANALYZE {RATING}, annotation_tally, annotation_item, annotation_response")
    return project


def make_project(study: Study) -> Any:
    """Return the project without ratings, and its raters."""
    from django.db import connection

    from annotation.models import Dataset, User
    from annotation.projects.create import create_project
    from annotation.projects.protocol_versions import newest_protocol

    dataset = Dataset.objects.create(slug=study.slug, title=study.slug, format="jsonl")
    sizes = {"dataset": dataset.pk, **vars(study)}
    with connection.cursor() as cursor:
        for statement in _SOURCES:
            cursor.execute(statement, sizes)
    raters = [User(username=f"{study.slug}-{n:04}", is_active=False, password="!") for n in range(study.people)]
    User.objects.bulk_create(raters)
    protocol = newest_protocol("article-accuracy")
    assert protocol is not None
    return create_project(study.slug, dataset, protocol)


def insert_ratings(cursor: Any, project: Any, first: int, last: int, *, each: int = 0) -> int:
    """In one statement, the ratings of every sentence by the raters from number `first` to before `last`: by all of
    them, or by `each` in turn, response by response."""
    names, people = [f"{project.slug}-{n:04}" for n in range(first, last)], last - first
    sizes = {"people": people, "each": each or people}
    cursor.execute(_RATINGS, {"project": project.pk, "dataset": project.dataset_id, "names": names, **sizes})
    return int(cursor.rowcount)


def triggers(cursor: Any, like: str) -> list[str]:
    """Return the names of the triggers of the ratings' table that the regular expression `like` finds."""
    cursor.execute(
        "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal AND tgname ~ %s ORDER BY 1",
        [RATING, like],
    )
    return [name for (name,) in cursor.fetchall()]


def switch(cursor: Any, names: Sequence[str], *, on: bool) -> None:
    for name in names:
        cursor.execute(f'ALTER TABLE {RATING} {"ENABLE" if on else "DISABLE"} TRIGGER "{name}"')


@contextmanager
def bare_table(cursor: Any) -> Iterator[None]:
    """The ratings' table without triggers, indexes, foreign keys and checks; all are there again afterwards."""
    names = triggers(cursor, "")
    cursor.execute("SELECT indexdef FROM pg_indexes WHERE tablename = %s", [RATING])
    indexes = [definition for (definition,) in cursor.fetchall()]
    cursor.execute(
        "SELECT conname, pg_get_constraintdef(oid), conindid::regclass::text FROM pg_constraint"
        " WHERE conrelid = %s::regclass AND contype <> 'n'",
        [RATING],
    )
    constraints = cursor.fetchall()
    behind = {index for _, _, index in constraints}
    plain = [definition for definition in indexes if not any(f" INDEX {name} ON" in definition for name in behind)]
    switch(cursor, names, on=False)
    for name, _, _ in constraints:
        cursor.execute(f'ALTER TABLE {RATING} DROP CONSTRAINT "{name}"')
    for definition in plain:
        cursor.execute(f'DROP INDEX "{definition.split(" ON ")[0].split()[-1].strip(chr(34))}"')
    yield
    cursor.execute("SET maintenance_work_mem = '512MB'")
    for name, definition, _ in constraints:
        cursor.execute(f'ALTER TABLE {RATING} ADD CONSTRAINT "{name}" {definition}')
    for definition in plain:
        cursor.execute(definition)
    switch(cursor, names, on=True)


_SOURCES = [
    """
    INSERT INTO annotation_prompt (public_id, dataset_id, key, text, reference, annotations, metadata)
    SELECT gen_random_uuid(), %(dataset)s, 'q' || lpad(n::text, 6, '0'), 'What of ' || n || '?', '', '[]',
        jsonb_build_object('question_type', (ARRAY['boolean', 'multi', 'single', 'summary'])[1 + n %% 4])
    FROM generate_series(1, %(prompts)s) n
    """,
    """
    INSERT INTO annotation_system (dataset_id, name)
    SELECT %(dataset)s, 'system ' || n FROM generate_series(1, %(systems)s) n
    """,
    """
    INSERT INTO annotation_response (public_id, dataset_id, prompt_id, system_id, key, text, metadata)
    SELECT gen_random_uuid(), %(dataset)s, prompt.id, system.id, prompt.key || '.' || system.id, '', '{}'
    FROM annotation_prompt prompt CROSS JOIN annotation_system system
    WHERE prompt.dataset_id = %(dataset)s AND system.dataset_id = %(dataset)s
    """,
    """
    INSERT INTO annotation_item (public_id, response_id, unit, position, kind, rate, text, splitter)
    SELECT gen_random_uuid(), response.id, 'sentence', n, 'sentence', TRUE, 'Sentence ' || n || ' says one thing.', ''
    FROM annotation_response response CROSS JOIN generate_series(0, %(sentences)s - 1) n
    WHERE response.dataset_id = %(dataset)s
    """,
]

# Prompts differ, the sentences of a prompt differ less, and the raters of a sentence mostly agree.
_RATINGS = f"""
    WITH drawn AS (
        SELECT item.id AS item, rater.id AS rater,
            (hashint8(prompt.id) & 1023) / 1023.0 * 0.3 + (hashint8(item.id) & 1023) / 1023.0 * 0.5
                + (hashint8(item.id * 31 + rater.id) & 1023) / 1023.0 * 0.2
                - (response.system_id %% 4) * 0.02 AS x
        FROM annotation_item item
        JOIN annotation_response response ON response.id = item.response_id AND response.dataset_id = %(dataset)s
        JOIN annotation_prompt prompt ON prompt.id = response.prompt_id
        CROSS JOIN annotation_user rater
        WHERE rater.username = ANY(%(names)s)
            AND (right(rater.username, 4)::int + 7 * response.id) %% %(people)s < %(each)s
    ), answered AS (
        SELECT item, rater, CASE
            WHEN x < 0.60 THEN '{{"accuracy": "accurate"}}'
            WHEN x < 0.68 THEN '{{"accuracy": "cannot_assess"}}'
            WHEN x < 0.74 THEN '{{"accuracy": "unsupported", "severity": "not_severe"}}'
            WHEN x < 0.78 THEN '{{"accuracy": "disputed", "severity": "not_severe"}}'
            WHEN x < 0.90 THEN '{{"accuracy": "inaccurate", "severity": "not_severe"}}'
            ELSE '{{"accuracy": "inaccurate", "severity": "severe"}}' END::jsonb AS answers
        FROM drawn
    )
    INSERT INTO {RATING} (
        project_id, item_id, rater_id, role, answers, choices, counted, comment, evidence, seconds, rated_at, version,
        idempotency_key, request_sha256
    )
    SELECT %(project)s, item, rater, 'rater', answers, answers, TRUE, '', '[]', 5 + (item + rater) %% 40,
        TIMESTAMPTZ '2026-03-02 09:00+00' + (item %% 20000) * INTERVAL '1 minute', 1, '', ''
    FROM answered
"""

_RECOUNT = f"""
    INSERT INTO annotation_tally ({KEPT_BY_TALLY}, n)
    SELECT r.project_id, i.response_id, i.against_id, i.unit, r.role, r.counted, r.choices, count(*)
    FROM {RATING} r JOIN annotation_item i ON i.id = r.item_id
    WHERE r.project_id = %(project)s GROUP BY 1, 2, 3, 4, 5, 6, 7
"""
