"""Verdicts that are shown to a person are recorded by response, not by assignment; one word for it: `shown`."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


COPY_SHOWN = """
    SET CONSTRAINTS ALL IMMEDIATE;
    INSERT INTO annotation_verdictsshown (person_id, response_id, against_id, first_shown_at)
    SELECT rater_id, response_id, against_id, min(verdicts_sent_at)
    FROM annotation_assignment a JOIN annotation_sheet s ON s.id = a.sheet_id
    WHERE verdicts_sent_at IS NOT NULL
    GROUP BY rater_id, response_id, against_id;
"""
COPY_BACK = """
    UPDATE annotation_assignment a SET verdicts_sent_at = first_shown_at
    FROM annotation_sheet s JOIN annotation_verdictsshown shown
        ON shown.response_id = s.response_id AND shown.against_id IS NOT DISTINCT FROM s.against_id
    WHERE s.id = a.sheet_id AND shown.person_id = a.rater_id
"""


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0040_run_failures'),
    ]

    operations = [
        migrations.CreateModel(
            name='VerdictsShown',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('person', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('response', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation.response')),
                ('against', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation.response')),
                ('first_shown_at', models.DateTimeField()),
            ],
        ),
        migrations.AddConstraint(
            model_name='verdictsshown',
            constraint=models.UniqueConstraint(fields=('person', 'response', 'against'), name='unique_verdicts_shown', nulls_distinct=False),
        ),
        migrations.RunSQL(COPY_SHOWN, COPY_BACK),
        migrations.RemoveField(
            model_name='assignment',
            name='verdicts_sent_at',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='rating',
            name='insert_insert',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='rating',
            name='update_update',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='rating',
            name='delete_delete',
        ),
        migrations.RemoveIndex(
            model_name='rating',
            name='ratings_after_verdicts',
        ),
        migrations.RenameField(
            model_name='rating',
            old_name='saw_verdict',
            new_name='verdict_shown',
        ),
        migrations.RenameField(
            model_name='ratingevent',
            old_name='saw_verdict',
            new_name='verdict_shown',
        ),
        migrations.AlterField(
            model_name='rating',
            name='verdict_shown',
            field=models.BooleanField(db_default=False, default=False, help_text='Whether verdicts about the response were shown to its author before it was given or changed.'),
        ),
        migrations.AlterField(
            model_name='ratingevent',
            name='verdict_shown',
            field=models.BooleanField(db_default=False, default=False, help_text='Whether verdicts about the response were shown to its author before it was given or changed.'),
        ),
        migrations.AddIndex(
            model_name='rating',
            index=models.Index(condition=models.Q(('verdict_shown', True)), fields=['project'], name='ratings_verdict_shown'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rating',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "annotation_ratingevent" ("answers", "assignment_id", "comment", "evidence", "guidelines", "id", "idempotency_key", "item_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "project_id", "rated_at", "rater_id", "request_sha256", "role", "seconds", "suggestions", "verdict_shown", "version") SELECT new_values."answers", new_values."assignment_id", new_values."comment", new_values."evidence", new_values."guidelines", new_values."id", new_values."idempotency_key", new_values."item_id", NOW(), \'insert\', new_values."id", new_values."project_id", new_values."rated_at", new_values."rater_id", new_values."request_sha256", new_values."role", new_values."seconds", new_values."suggestions", new_values."verdict_shown", new_values."version" FROM ( SELECT new_values.* FROM new_values  ) AS new_values, _pgh_attached_context; RETURN NULL;', hash='5793492316c2dcf810102f8034ca21006f39080e', level='STATEMENT', operation='INSERT', pgid='pgtrigger_insert_insert_18454', referencing='REFERENCING NEW TABLE AS new_values ', table='annotation_rating', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rating',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "annotation_ratingevent" ("answers", "assignment_id", "comment", "evidence", "guidelines", "id", "idempotency_key", "item_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "project_id", "rated_at", "rater_id", "request_sha256", "role", "seconds", "suggestions", "verdict_shown", "version") SELECT new_values."answers", new_values."assignment_id", new_values."comment", new_values."evidence", new_values."guidelines", new_values."id", new_values."idempotency_key", new_values."item_id", NOW(), \'update\', new_values."id", new_values."project_id", new_values."rated_at", new_values."rater_id", new_values."request_sha256", new_values."role", new_values."seconds", new_values."suggestions", new_values."verdict_shown", new_values."version" FROM ( SELECT new_values.* FROM old_values JOIN new_values ON (old_values."id") = (new_values."id") WHERE (old_values."answers" IS DISTINCT FROM (new_values."answers") OR old_values."assignment_id" IS DISTINCT FROM (new_values."assignment_id") OR old_values."comment" IS DISTINCT FROM (new_values."comment") OR old_values."evidence" IS DISTINCT FROM (new_values."evidence") OR old_values."guidelines" IS DISTINCT FROM (new_values."guidelines") OR old_values."id" IS DISTINCT FROM (new_values."id") OR old_values."idempotency_key" IS DISTINCT FROM (new_values."idempotency_key") OR old_values."item_id" IS DISTINCT FROM (new_values."item_id") OR old_values."project_id" IS DISTINCT FROM (new_values."project_id") OR old_values."rated_at" IS DISTINCT FROM (new_values."rated_at") OR old_values."rater_id" IS DISTINCT FROM (new_values."rater_id") OR old_values."request_sha256" IS DISTINCT FROM (new_values."request_sha256") OR old_values."role" IS DISTINCT FROM (new_values."role") OR old_values."seconds" IS DISTINCT FROM (new_values."seconds") OR old_values."suggestions" IS DISTINCT FROM (new_values."suggestions") OR old_values."verdict_shown" IS DISTINCT FROM (new_values."verdict_shown") OR old_values."version" IS DISTINCT FROM (new_values."version")) ) AS new_values, _pgh_attached_context; RETURN NULL;', hash='df8c77078f92444cfad07696196a5a011288fa49', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_update_update_a1f34', referencing='REFERENCING OLD TABLE AS old_values  NEW TABLE AS new_values ', table='annotation_rating', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rating',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='WITH _pgh_attached_context AS ( SELECT _pgh_attach_context() AS value ) INSERT INTO "annotation_ratingevent" ("answers", "assignment_id", "comment", "evidence", "guidelines", "id", "idempotency_key", "item_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "project_id", "rated_at", "rater_id", "request_sha256", "role", "seconds", "suggestions", "verdict_shown", "version") SELECT old_values."answers", old_values."assignment_id", old_values."comment", old_values."evidence", old_values."guidelines", old_values."id", old_values."idempotency_key", old_values."item_id", NOW(), \'delete\', old_values."id", old_values."project_id", old_values."rated_at", old_values."rater_id", old_values."request_sha256", old_values."role", old_values."seconds", old_values."suggestions", old_values."verdict_shown", old_values."version" FROM ( SELECT old_values.* FROM old_values  ) AS old_values, _pgh_attached_context; RETURN NULL;', hash='4f3959cbd26cab3d6e0cee0d584b45d45d9d79df', level='STATEMENT', operation='DELETE', pgid='pgtrigger_delete_delete_fffe1', referencing='REFERENCING OLD TABLE AS old_values ', table='annotation_rating', when='AFTER')),
        ),
    ]
