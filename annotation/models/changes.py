"""That what reports read has changed: a row for each statement that changed it, in its own transaction.

Whatever is computed from a project's data holds as long as the rows that concern the project are the same. No row is
ever updated, so raters who save at once do not wait for each other, as they would for a counter; and the id of a row
occurs once in the world, so that two states of the data never look alike, whatever is tidied away, rolled back or
restored. What is new and not rated yet is in no report, so apart from ratings only updates are noted.
"""

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.functions import RandomUUID
from django.db import models

PROJECT, DATASET, PEOPLE = "project ", "dataset ", "people"
MOST_NAMED = 1_000
"""Ratings that one statement changed whose items are named; an update counts each twice, before and after."""


class Change(models.Model):
    """`concerns`: `project 7` (its ratings), `dataset 3` (what was rated) or `people` (their user names).

    `items`: those whose ratings changed, some of them twice; None where it may be any.
    """

    id = models.UUIDField(primary_key=True, db_default=RandomUUID(), editable=False)
    concerns = models.CharField(max_length=40, db_index=True)
    items = ArrayField(models.BigIntegerField(), null=True, editable=False)

    def __str__(self) -> str:
        return self.concerns


_NOTE = "INSERT INTO annotation_change (concerns) SELECT DISTINCT '{kind}' || {key} FROM ({rows}) changed;"
_NOTE_RATINGS = """
    INSERT INTO annotation_change (concerns, items)
    SELECT '{kind}' || project_id, CASE WHEN count(*) <= {most} THEN array_agg(item_id) END
    FROM ({rows}) changed GROUP BY project_id;
"""
_OF_SOURCES = "SELECT dataset_id FROM old_rows UNION SELECT dataset_id FROM new_rows"
_OF_ITEMS = """
    SELECT dataset_id FROM annotation_response r
    JOIN (SELECT response_id FROM old_rows UNION SELECT response_id FROM new_rows) item ON item.response_id = r.id
"""


def noted(kind: str, key: str, rows: str) -> str:
    """SQL that notes a change for every `key` among the `rows`, a query; nothing where there are none."""
    return _NOTE.format(kind=kind, key=key, rows=rows)


def ratings_noted(rows: str) -> str:
    """SQL that notes changed ratings, `rows` with their project_id and item_id, for each project."""
    return _NOTE_RATINGS.format(kind=PROJECT, most=MOST_NAMED, rows=rows)


def _updates(rows: str) -> pgtrigger.Trigger:
    return pgtrigger.Trigger(
        name="note_update",
        level=pgtrigger.Statement,
        when=pgtrigger.After,
        operation=pgtrigger.Update,
        referencing=pgtrigger.Referencing(old="old_rows", new="new_rows"),
        func=f"{noted(DATASET, 'dataset_id', rows)} RETURN NULL;",
    )


UPDATES_OF_SOURCES = _updates(_OF_SOURCES)
"""For a table of what belongs to a data set."""
UPDATES_OF_ITEMS = _updates(_OF_ITEMS)
RENAMING = pgtrigger.Trigger(
    name="note_renaming",
    when=pgtrigger.After,
    operation=pgtrigger.UpdateOf("username"),
    condition=pgtrigger.Condition("OLD.username IS DISTINCT FROM NEW.username"),
    func="INSERT INTO annotation_change (concerns) VALUES ('people'); RETURN NULL;",
)
"""For the table of people."""
