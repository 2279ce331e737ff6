"""The version of the data that reports read: each statement that changes it adds a row, in its own transaction.

A result computed from a project's data is valid as long as its rows are the same. Rows are only added, so raters who
save at once do not wait for each other, as they would for a counter. Ids are random, so two states of the data never
have the same rows, even after a rollback or a restored backup. New unrated records are in no report: apart
from ratings, only updates count.
"""

import pgtrigger
from django.contrib.postgres.functions import RandomUUID
from django.db import models

PROJECT, DATASET, PEOPLE = "project ", "dataset ", "people"


class DataChange(models.Model):
    """`scope`: `project 7` (its ratings), `dataset 3` (the rated texts) or `people` (their user names)."""

    id = models.UUIDField(primary_key=True, db_default=RandomUUID(), editable=False)
    scope = models.CharField(max_length=40, db_index=True)

    def __str__(self) -> str:
        return self.scope


_RECORD = "INSERT INTO annotation_datachange (scope) SELECT DISTINCT '{kind}' || {key} FROM ({rows}) changed"
_OF_DATASET = "SELECT dataset_id FROM old_rows UNION SELECT dataset_id FROM new_rows"
_OF_ITEMS = """
    SELECT dataset_id FROM annotation_response r
    JOIN (SELECT response_id FROM old_rows UNION SELECT response_id FROM new_rows) item ON item.response_id = r.id
"""


def record_changes(kind: str, key: str, rows: str) -> str:
    """Return SQL that adds a change for every `key` among `rows`, a query; none where it has no rows."""
    return _RECORD.format(kind=kind, key=key, rows=rows)


def _on_update(rows: str) -> pgtrigger.Trigger:
    return pgtrigger.Trigger(
        name="record_update",
        level=pgtrigger.Statement,
        when=pgtrigger.After,
        operation=pgtrigger.Update,
        referencing=pgtrigger.Referencing(old="old_rows", new="new_rows"),
        func=f"{record_changes(DATASET, 'dataset_id', rows)}; RETURN NULL;",
    )


RECORD_UPDATE = _on_update(_OF_DATASET)
"""For a table whose rows belong to a data set."""
RECORD_ITEM_UPDATE = _on_update(_OF_ITEMS)
RECORD_RENAMED_USER = pgtrigger.Trigger(
    name="record_renamed_user",
    when=pgtrigger.After,
    operation=pgtrigger.UpdateOf("username"),
    condition=pgtrigger.Condition("OLD.username IS DISTINCT FROM NEW.username"),
    func="INSERT INTO annotation_datachange (scope) VALUES ('people'); RETURN NULL;",
)
