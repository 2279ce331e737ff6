import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0013_plain_names'),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name='document',
            name='note_update',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='item',
            name='note_update',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='prompt',
            name='note_update',
        ),
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
        pgtrigger.migrations.RemoveTrigger(
            model_name='response',
            name='note_update',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='system',
            name='note_update',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='user',
            name='note_renaming',
        ),
        migrations.RenameModel('Change', 'DataChange'),
        migrations.RenameField('datachange', 'concerns', 'scope'),
        migrations.RemoveField('datachange', 'items'),
        pgtrigger.migrations.AddTrigger(
            model_name='document',
            trigger=pgtrigger.compiler.Trigger(name='record_update', sql=pgtrigger.compiler.UpsertTriggerSql(func="INSERT INTO annotation_datachange (scope) SELECT DISTINCT 'dataset ' || dataset_id FROM (SELECT dataset_id FROM old_rows UNION SELECT dataset_id FROM new_rows) changed; RETURN NULL;", hash='901c29ead05b563f0dc61e631c27ca6d90bebd78', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_record_update_814d7', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='annotation_document', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='item',
            trigger=pgtrigger.compiler.Trigger(name='record_update', sql=pgtrigger.compiler.UpsertTriggerSql(func="INSERT INTO annotation_datachange (scope) SELECT DISTINCT 'dataset ' || dataset_id FROM (\n    SELECT dataset_id FROM annotation_response r\n    JOIN (SELECT response_id FROM old_rows UNION SELECT response_id FROM new_rows) item ON item.response_id = r.id\n) changed; RETURN NULL;", hash='8cf7aa60b4ac86685b60cd8f504c2db6623e643e', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_record_update_396f3', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='annotation_item', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='prompt',
            trigger=pgtrigger.compiler.Trigger(name='record_update', sql=pgtrigger.compiler.UpsertTriggerSql(func="INSERT INTO annotation_datachange (scope) SELECT DISTINCT 'dataset ' || dataset_id FROM (SELECT dataset_id FROM old_rows UNION SELECT dataset_id FROM new_rows) changed; RETURN NULL;", hash='87482555395dccb6b11082c31cd43f3db35b2dc5', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_record_update_ad2bb', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='annotation_prompt', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rating',
            trigger=pgtrigger.compiler.Trigger(name='tally_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n        INSERT INTO annotation_datachange (scope) SELECT DISTINCT 'project ' || project_id FROM (SELECT project_id, item_id, role, counted, choices, 1 AS n FROM new_rows) changed;\n        IF current_setting('factuary.tally_later', true) = 'on' THEN\n            INSERT INTO tally_change (project_id, response_id, against_id, unit, role, counted, choices, n) \n        SELECT r.project_id, i.response_id, i.against_id, i.unit, r.role, r.counted, r.choices, r.n\n        FROM (SELECT project_id, item_id, role, counted, choices, 1 AS n FROM new_rows) r JOIN annotation_item i ON i.id = r.item_id\n    ;\n        ELSE\n            WITH changed AS (\n        SELECT r.project_id, i.response_id, i.against_id, i.unit, r.role, r.counted, r.choices, r.n\n        FROM (SELECT project_id, item_id, role, counted, choices, 1 AS n FROM new_rows) r JOIN annotation_item i ON i.id = r.item_id\n    ) \n    INSERT INTO annotation_tally (project_id, response_id, against_id, unit, role, counted, choices, n)\n    SELECT project_id, response_id, against_id, unit, role, counted, choices, sum(n) FROM changed GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(n) <> 0 ORDER BY 1, 2, 3, 4, 5, 6, 7\n    ON CONFLICT (project_id, response_id, against_id, unit, role, counted, choices) DO UPDATE SET n = annotation_tally.n + EXCLUDED.n\n;\n        END IF;\n        RETURN NULL;\n    ", hash='8f1628ecda7b8de8310363ba1508f64c7095b094', level='STATEMENT', operation='INSERT', pgid='pgtrigger_tally_insert_eb658', referencing='REFERENCING NEW TABLE AS new_rows ', table='annotation_rating', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rating',
            trigger=pgtrigger.compiler.Trigger(name='tally_update', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n        INSERT INTO annotation_datachange (scope) SELECT DISTINCT 'project ' || project_id FROM (SELECT project_id, item_id, role, counted, choices, 1 AS n FROM new_rows UNION ALL SELECT project_id, item_id, role, counted, choices, -1 AS n FROM old_rows) changed;\n        IF current_setting('factuary.tally_later', true) = 'on' THEN\n            INSERT INTO tally_change (project_id, response_id, against_id, unit, role, counted, choices, n) \n        SELECT r.project_id, i.response_id, i.against_id, i.unit, r.role, r.counted, r.choices, r.n\n        FROM (SELECT project_id, item_id, role, counted, choices, 1 AS n FROM new_rows UNION ALL SELECT project_id, item_id, role, counted, choices, -1 AS n FROM old_rows) r JOIN annotation_item i ON i.id = r.item_id\n    ;\n        ELSE\n            WITH changed AS (\n        SELECT r.project_id, i.response_id, i.against_id, i.unit, r.role, r.counted, r.choices, r.n\n        FROM (SELECT project_id, item_id, role, counted, choices, 1 AS n FROM new_rows UNION ALL SELECT project_id, item_id, role, counted, choices, -1 AS n FROM old_rows) r JOIN annotation_item i ON i.id = r.item_id\n    ) \n    INSERT INTO annotation_tally (project_id, response_id, against_id, unit, role, counted, choices, n)\n    SELECT project_id, response_id, against_id, unit, role, counted, choices, sum(n) FROM changed GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(n) <> 0 ORDER BY 1, 2, 3, 4, 5, 6, 7\n    ON CONFLICT (project_id, response_id, against_id, unit, role, counted, choices) DO UPDATE SET n = annotation_tally.n + EXCLUDED.n\n;\n        END IF;\n        RETURN NULL;\n    ", hash='d14e278e23fcbe1938af2280cb8b466adbfd1c34', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_tally_update_9a35f', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='annotation_rating', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rating',
            trigger=pgtrigger.compiler.Trigger(name='tally_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n        INSERT INTO annotation_datachange (scope) SELECT DISTINCT 'project ' || project_id FROM (SELECT project_id, item_id, role, counted, choices, -1 AS n FROM old_rows) changed;\n        IF current_setting('factuary.tally_later', true) = 'on' THEN\n            INSERT INTO tally_change (project_id, response_id, against_id, unit, role, counted, choices, n) \n        SELECT r.project_id, i.response_id, i.against_id, i.unit, r.role, r.counted, r.choices, r.n\n        FROM (SELECT project_id, item_id, role, counted, choices, -1 AS n FROM old_rows) r JOIN annotation_item i ON i.id = r.item_id\n    ;\n        ELSE\n            WITH changed AS (\n        SELECT r.project_id, i.response_id, i.against_id, i.unit, r.role, r.counted, r.choices, r.n\n        FROM (SELECT project_id, item_id, role, counted, choices, -1 AS n FROM old_rows) r JOIN annotation_item i ON i.id = r.item_id\n    ) \n    INSERT INTO annotation_tally (project_id, response_id, against_id, unit, role, counted, choices, n)\n    SELECT project_id, response_id, against_id, unit, role, counted, choices, sum(n) FROM changed GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(n) <> 0 ORDER BY 1, 2, 3, 4, 5, 6, 7\n    ON CONFLICT (project_id, response_id, against_id, unit, role, counted, choices) DO UPDATE SET n = annotation_tally.n + EXCLUDED.n\n;\n        END IF;\n        RETURN NULL;\n    ", hash='b8348016b975d4400f054dee0e1d3c978d73601e', level='STATEMENT', operation='DELETE', pgid='pgtrigger_tally_delete_f5144', referencing='REFERENCING OLD TABLE AS old_rows ', table='annotation_rating', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='response',
            trigger=pgtrigger.compiler.Trigger(name='record_update', sql=pgtrigger.compiler.UpsertTriggerSql(func="INSERT INTO annotation_datachange (scope) SELECT DISTINCT 'dataset ' || dataset_id FROM (SELECT dataset_id FROM old_rows UNION SELECT dataset_id FROM new_rows) changed; RETURN NULL;", hash='f0c04364c5f6cd6af03950812f19f169d3451605', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_record_update_37586', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='annotation_response', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='system',
            trigger=pgtrigger.compiler.Trigger(name='record_update', sql=pgtrigger.compiler.UpsertTriggerSql(func="INSERT INTO annotation_datachange (scope) SELECT DISTINCT 'dataset ' || dataset_id FROM (SELECT dataset_id FROM old_rows UNION SELECT dataset_id FROM new_rows) changed; RETURN NULL;", hash='4f0e73f9721c6ab7ca2a8ee334ab210c72e696a1', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_record_update_e29cb', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='annotation_system', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='user',
            trigger=pgtrigger.compiler.Trigger(name='record_renamed_user', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.username IS DISTINCT FROM NEW.username)', func="INSERT INTO annotation_datachange (scope) VALUES ('people'); RETURN NULL;", hash='bd68ace6b83e5ee2f87bec9eb88a9db5b1d66995', operation='UPDATE OF "username"', pgid='pgtrigger_record_renamed_user_57eba', table='annotation_user', when='AFTER')),
        ),
    ]
