import django.contrib.postgres.fields
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0011_responses_given_ahead'),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name='rating',
            name='tally_insert',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='rating',
            name='tally_update',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='rating',
            name='tally_delete',
        ),
        migrations.AddField(
            model_name='change',
            name='items',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), editable=False, null=True, size=None),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rating',
            trigger=pgtrigger.compiler.Trigger(name='tally_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n        \n    INSERT INTO annotation_change (concerns, items)\n    SELECT 'project ' || project_id, CASE WHEN count(*) <= 1000 THEN array_agg(item_id) END\n    FROM (SELECT project_id, item_id, role, counted, choices, 1 AS n FROM new_rows) changed GROUP BY project_id;\n\n        IF current_setting('factuary.tally_later', true) = 'on' THEN\n            INSERT INTO tally_change (project_id, response_id, against_id, unit, role, counted, choices, n) \n        SELECT r.project_id, i.response_id, i.against_id, i.unit, r.role, r.counted, r.choices, r.n\n        FROM (SELECT project_id, item_id, role, counted, choices, 1 AS n FROM new_rows) r JOIN annotation_item i ON i.id = r.item_id\n    ;\n        ELSE\n            WITH changed AS (\n        SELECT r.project_id, i.response_id, i.against_id, i.unit, r.role, r.counted, r.choices, r.n\n        FROM (SELECT project_id, item_id, role, counted, choices, 1 AS n FROM new_rows) r JOIN annotation_item i ON i.id = r.item_id\n    ) \n    INSERT INTO annotation_tally (project_id, response_id, against_id, unit, role, counted, choices, n)\n    SELECT project_id, response_id, against_id, unit, role, counted, choices, sum(n) FROM changed GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(n) <> 0 ORDER BY 1, 2, 3, 4, 5, 6, 7\n    ON CONFLICT (project_id, response_id, against_id, unit, role, counted, choices) DO UPDATE SET n = annotation_tally.n + EXCLUDED.n\n;\n        END IF;\n        RETURN NULL;\n    ", hash='71234e2f1039191a2567e1005dac696ec0f90192', level='STATEMENT', operation='INSERT', pgid='pgtrigger_tally_insert_eb658', referencing='REFERENCING NEW TABLE AS new_rows ', table='annotation_rating', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rating',
            trigger=pgtrigger.compiler.Trigger(name='tally_update', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n        \n    INSERT INTO annotation_change (concerns, items)\n    SELECT 'project ' || project_id, CASE WHEN count(*) <= 1000 THEN array_agg(item_id) END\n    FROM (SELECT project_id, item_id, role, counted, choices, 1 AS n FROM new_rows UNION ALL SELECT project_id, item_id, role, counted, choices, -1 AS n FROM old_rows) changed GROUP BY project_id;\n\n        IF current_setting('factuary.tally_later', true) = 'on' THEN\n            INSERT INTO tally_change (project_id, response_id, against_id, unit, role, counted, choices, n) \n        SELECT r.project_id, i.response_id, i.against_id, i.unit, r.role, r.counted, r.choices, r.n\n        FROM (SELECT project_id, item_id, role, counted, choices, 1 AS n FROM new_rows UNION ALL SELECT project_id, item_id, role, counted, choices, -1 AS n FROM old_rows) r JOIN annotation_item i ON i.id = r.item_id\n    ;\n        ELSE\n            WITH changed AS (\n        SELECT r.project_id, i.response_id, i.against_id, i.unit, r.role, r.counted, r.choices, r.n\n        FROM (SELECT project_id, item_id, role, counted, choices, 1 AS n FROM new_rows UNION ALL SELECT project_id, item_id, role, counted, choices, -1 AS n FROM old_rows) r JOIN annotation_item i ON i.id = r.item_id\n    ) \n    INSERT INTO annotation_tally (project_id, response_id, against_id, unit, role, counted, choices, n)\n    SELECT project_id, response_id, against_id, unit, role, counted, choices, sum(n) FROM changed GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(n) <> 0 ORDER BY 1, 2, 3, 4, 5, 6, 7\n    ON CONFLICT (project_id, response_id, against_id, unit, role, counted, choices) DO UPDATE SET n = annotation_tally.n + EXCLUDED.n\n;\n        END IF;\n        RETURN NULL;\n    ", hash='2e226a333a99533ae010cf33a207e1a2eee94f8c', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_tally_update_9a35f', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='annotation_rating', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rating',
            trigger=pgtrigger.compiler.Trigger(name='tally_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n        \n    INSERT INTO annotation_change (concerns, items)\n    SELECT 'project ' || project_id, CASE WHEN count(*) <= 1000 THEN array_agg(item_id) END\n    FROM (SELECT project_id, item_id, role, counted, choices, -1 AS n FROM old_rows) changed GROUP BY project_id;\n\n        IF current_setting('factuary.tally_later', true) = 'on' THEN\n            INSERT INTO tally_change (project_id, response_id, against_id, unit, role, counted, choices, n) \n        SELECT r.project_id, i.response_id, i.against_id, i.unit, r.role, r.counted, r.choices, r.n\n        FROM (SELECT project_id, item_id, role, counted, choices, -1 AS n FROM old_rows) r JOIN annotation_item i ON i.id = r.item_id\n    ;\n        ELSE\n            WITH changed AS (\n        SELECT r.project_id, i.response_id, i.against_id, i.unit, r.role, r.counted, r.choices, r.n\n        FROM (SELECT project_id, item_id, role, counted, choices, -1 AS n FROM old_rows) r JOIN annotation_item i ON i.id = r.item_id\n    ) \n    INSERT INTO annotation_tally (project_id, response_id, against_id, unit, role, counted, choices, n)\n    SELECT project_id, response_id, against_id, unit, role, counted, choices, sum(n) FROM changed GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(n) <> 0 ORDER BY 1, 2, 3, 4, 5, 6, 7\n    ON CONFLICT (project_id, response_id, against_id, unit, role, counted, choices) DO UPDATE SET n = annotation_tally.n + EXCLUDED.n\n;\n        END IF;\n        RETURN NULL;\n    ", hash='1997f4249fb15713a5542434122e3b7b78b256a1', level='STATEMENT', operation='DELETE', pgid='pgtrigger_tally_delete_f5144', referencing='REFERENCING OLD TABLE AS old_rows ', table='annotation_rating', when='AFTER')),
        ),
    ]
