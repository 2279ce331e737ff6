"""Triggers that update the tally in the rating's own transaction, so that it always equals a recount.

One statement-level trigger for each kind of event, with transition tables: a bulk insert of 10,000 ratings is one
grouped upsert. Rows are touched in key order, because two transactions that touch the same rows in opposite orders
would deadlock. Key order holds within one statement only, so a transaction of several (an import) collects its changes
and adds them in one statement at its end. An update that changes nothing the tally counts leaves it alone. Each event
is also recorded as a change of the project's data: reports read more of a rating than the tally counts.
"""

import pgtrigger

from .data_changes import PROJECT, record_changes

KEY = "project_id, response_id, against_id, unit, role, counted, choices"
DEFERRED = "factuary.tally_later"
"""A setting of one transaction: changes wait in the temporary table `tally_change` (see `rating.bulk_storage`)."""
_SUM = f"""
    INSERT INTO annotation_tally ({KEY}, n)
    SELECT {KEY}, sum(n) FROM changed GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(n) <> 0 ORDER BY 1, 2, 3, 4, 5, 6, 7
    ON CONFLICT ({KEY}) DO UPDATE SET n = annotation_tally.n + EXCLUDED.n
"""  # noqa: S608 - only the constants of this file
_RECORDED = record_changes(PROJECT, "project_id", "SELECT project_id FROM changed")
APPLY_DEFERRED = f"WITH changed AS (DELETE FROM tally_change RETURNING *), recorded AS ({_RECORDED}) {_SUM}"  # noqa: S608 - the same


def _upsert(changed: str) -> str:
    """Return SQL that adds the signed rows of `changed` (rating columns and `n`) to the tally, or stores them."""
    rows = f"""
        SELECT r.project_id, i.response_id, i.against_id, i.unit, r.role, r.counted, r.choices, r.n
        FROM ({changed}) r JOIN annotation_item i ON i.id = r.item_id
    """  # noqa: S608 - only the constants of this file
    return f"""
        {record_changes(PROJECT, "project_id", changed)};
        IF current_setting('{DEFERRED}', true) = 'on' THEN
            INSERT INTO tally_change ({KEY}, n) {rows};
        ELSE
            WITH changed AS ({rows}) {_SUM};
        END IF;
        RETURN NULL;
    """


def _rows(table: str, sign: int) -> str:
    return f"SELECT project_id, item_id, role, counted, choices, {sign} AS n FROM {table}"  # noqa: S608 - only the constants of this file


def _trigger(name: str, operation, referencing, changed: str) -> pgtrigger.Trigger:
    return pgtrigger.Trigger(
        name=name,
        level=pgtrigger.Statement,
        when=pgtrigger.After,
        operation=operation,
        referencing=referencing,
        func=_upsert(changed),
    )


TALLY_TRIGGERS = [
    _trigger("tally_insert", pgtrigger.Insert, pgtrigger.Referencing(new="new_rows"), _rows("new_rows", 1)),
    _trigger(
        "tally_update",
        pgtrigger.Update,
        pgtrigger.Referencing(old="old_rows", new="new_rows"),
        f"{_rows('new_rows', 1)} UNION ALL {_rows('old_rows', -1)}",
    ),
    _trigger("tally_delete", pgtrigger.Delete, pgtrigger.Referencing(old="old_rows"), _rows("old_rows", -1)),
]
